//! `steersman session`: the records of sessions, and the few changes that users can make to them.

mod allow;
mod explain;
mod gc;
mod list;
mod lookup;
mod replay;
mod run_search;
mod show;
mod target;
mod timeline;
mod timeline_builder;
mod timeline_printer;
mod unblock;

use clap::Subcommand;

pub(crate) use lookup::{find, latest_first};

use super::Place;
use crate::exit::Exit;

/// List, show, explain and replay sessions
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

/// Removes expired sessions without output.
pub(crate) fn sweep(place: &Place) {
    gc::sweep(place);
}
