//! `steersman session …`: what sessions left behind, read back, and the few things a
//! person may change about them.

mod allow;
mod drawing;
mod explain;
mod gc;
mod list;
mod replay;
mod run_search;
mod shaper;
mod show;
mod target;
mod timeline;
mod unblock;
mod which;

use clap::Subcommand;

pub(crate) use which::{find, latest_first};

use super::Place;
use crate::exit::Exit;

/// Look at sessions: what was asked, decided and done, by whom and why
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    List(list::Args),
    Show(show::Args),
    Explain(explain::Args),
    Replay(replay::Args),
    Gc(gc::Args),
    Unblock(unblock::Args),
    Allow(allow::Args),
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    match &args.verb {
        Verb::List(args) => list::run(args, place),
        Verb::Show(args) => show::run(args, place),
        Verb::Explain(args) => explain::run(args, place),
        Verb::Replay(args) => replay::run(args, place),
        Verb::Gc(args) => gc::run(args, place),
        Verb::Unblock(args) => unblock::run(args, place),
        Verb::Allow(args) => allow::run(args, place),
    }
}

/// Removes what has expired, without a word.
pub(crate) fn sweep(place: &Place) {
    gc::sweep(place);
}
