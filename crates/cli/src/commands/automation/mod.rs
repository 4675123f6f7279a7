//! `steersman automation …`: what the project declared shall happen by itself.

mod awaited;
mod cancel;
mod hiding;
mod history;
mod list;
mod logs;
mod problems;
mod run;
mod show;
mod switch;
mod telling;
mod validate;
mod wire;

use automation::AutomationId;
use clap::Subcommand;
use store::{AutomationFiles, Standing, Trust};

use super::Place;
use crate::exit::Exit;
use crate::output;

/// Look at the project's automations, and turn them on and off
///
/// They are declared in `.akira/hooks.json` and `.vscode/gatomia/hooks.json`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    List(list::Args),
    Show(show::Args),
    Validate(validate::Args),
    Run(run::Args),
    Cancel(cancel::Args),
    History(history::Args),
    Logs(logs::Args),
    /// Let an automation run, also one that was paused
    Enable(switch::Args),
    /// Keep an automation from running; its file remembers it
    Disable(switch::Args),
}

pub(crate) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    match &args.verb {
        Verb::List(args) => list::run(args, place),
        Verb::Show(args) => show::run(args, place),
        Verb::Validate(args) => validate::run(args, place),
        Verb::Run(args) => run::run(args, place),
        Verb::Cancel(args) => cancel::run(args, place),
        Verb::History(args) => history::run(args, place),
        Verb::Logs(args) => logs::run(args, place),
        Verb::Enable(args) => switch::run(args, true, place),
        Verb::Disable(args) => switch::run(args, false, place),
    }
}

/// Returns how the person stands to this workspace's automations.
pub(crate) fn standing(place: &Place) -> anyhow::Result<Standing> {
    standing_of(place, &AutomationFiles::read(&place.workspace))
}

/// Returns how the person stands to automations that were read already.
fn standing_of(place: &Place, files: &AutomationFiles) -> anyhow::Result<Standing> {
    Ok(Trust::load(place.user_state()?)?.standing(place.workspace.root(), files))
}

/// Says what has to be done before anything runs.
pub(crate) fn say_standing(standing: &Standing) {
    match standing {
        Standing::Trusted => {}
        Standing::Never => {
            output::note("nothing runs yet: this workspace is not trusted");
            output::hint("look at what is declared, then run `steersman trust`");
        }
        Standing::Changed { files } => {
            let files = files.join(", ");
            output::note(&format!("nothing runs now: {files} changed since it was trusted"));
            output::hint("`steersman trust --dry-run` shows the change, `steersman trust` allows it");
        }
    }
}

/// Says that there is no automation of this name.
fn say_absent<'a>(id: &str, known: impl IntoIterator<Item = &'a AutomationId>) -> Exit {
    output::complain(&format!("there is no automation `{}`", output::text::one_line(id)));
    match config_file::nearest(id, known.into_iter().map(AutomationId::as_str)) {
        Some(meant) => output::hint(&format!("did you mean `{meant}`?")),
        None => output::hint("`steersman automation list` shows them"),
    }
    Exit::No
}
