//! `steersman session`: the records of sessions, and the few changes that users can make to them.

mod allow;
mod coverage;
mod explain;
mod gc;
mod list;
mod lookup;
mod needed_sessions;
mod replay;
mod run_search;
mod show;
mod timeline_printer;
mod unblock;
mod what_if;

pub(crate) use coverage::{share_of_latest_sessions, start_detached as start_coverage_check};
pub(crate) use explain::{Args as ExplainArgs, run as explain};
pub(crate) use list::to_json as overview_json;
pub(crate) use lookup::{find, find_or_latest, latest_first};
pub(crate) use needed_sessions::{needed_sessions, sessions_to_let_go};
pub(crate) use show::{Args as LogArgs, run as log};
pub(crate) use what_if::{manifest_text, what_if};

use super::Place;
use super::group::command_group;

command_group! {
    /// List, show, explain and replay sessions
    fn run {
        List => list,
        Show => show,
        Explain => explain,
        Replay => replay,
        Gc => gc,
        Unblock => unblock,
        Allow => allow,
        Coverage => coverage,
    }
}

/// Removes expired sessions without output.
pub(crate) fn sweep(place: &Place) {
    gc::sweep(place);
}
