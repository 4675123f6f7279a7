//! `steersman intent …`: what agents are asked to do here, and which files they may write for it.

mod check;
mod clear;
mod expand;
mod in_force;
mod list;
mod new;
mod refusal;
mod select;
mod show;
mod status;
mod wire;

use clap::Subcommand;

pub(crate) use show::id;

use super::Place;
use crate::exit::Exit;

/// Say what agents may work on, and which files they may write for it
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    List(list::Args),
    Show(show::Args),
    New(new::Args),
    Select(select::Args),
    Clear(clear::Args),
    Status(status::Args),
    Check(check::Args),
    Expand(expand::Args),
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    match &args.verb {
        Verb::List(args) => list::run(args, place),
        Verb::Show(args) => show::run(args, place),
        Verb::New(args) => new::run(args, place),
        Verb::Select(args) => select::run(args, place),
        Verb::Clear(args) => clear::run(args, place),
        Verb::Status(args) => status::run(args, place),
        Verb::Check(args) => check::run(args, place),
        Verb::Expand(args) => expand::run(args, place),
    }
}
