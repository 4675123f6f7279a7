//! `steersman automation`: the automations that the project declares.

mod add;
mod applied;
mod automation_json;
mod automation_state;
mod cancel;
mod definition_args;
mod definition_change;
mod edit;
mod followed_run;
mod history;
mod import;
mod journal_formatter;
mod list;
mod logs;
mod past_runs;
mod problems;
mod remove;
mod run;
mod runs;
mod secret_filter;
mod show;
mod switch;
mod validate;

use automation::AutomationId;
use store::{AutomationFiles, Trust, TrustStatus};

use super::Place;
use super::group::command_group;
use crate::exit::Exit;
use crate::output;
pub(crate) use applied::{Applied, effective_files, trusted_version};
pub(crate) use switch::by_person as switch_by_person;

command_group! {
    /// List, run, declare and change the project's automations
    ///
    /// The project declares them in `.akira/hooks.json` and `.vscode/gatomia/hooks.json`.
    fn run {
        List => list,
        Show => show,
        Validate => validate,
        Run => run,
        Runs => runs,
        Cancel => cancel,
        History => history,
        Logs => logs,
        Import => import,
        Add => add,
        Edit => edit,
        Remove => remove,
        /// Enable an automation, or resume a paused one
        Enable => switch(true),
        /// Disable an automation in its file
        Disable => switch(false),
    }
}

/// Returns whether the user trusts this workspace's automations.
pub(crate) fn standing(place: &Place) -> anyhow::Result<TrustStatus> {
    standing_of(place, &Applied::read(place).files)
}

/// Returns whether the user trusts automations that were already read.
fn standing_of(place: &Place, files: &AutomationFiles) -> anyhow::Result<TrustStatus> {
    Ok(Trust::load(place.user_state()?)?.status(place.workspace.root(), files))
}

/// Prints the steps that the user must take before automations run.
pub(crate) fn print_trust_hint(standing: &TrustStatus) {
    match standing {
        TrustStatus::Trusted => {}
        TrustStatus::Never => {
            output::note("no automation runs yet: this workspace is not trusted");
            output::hint("review the automations, then run `steersman trust`");
        }
        TrustStatus::Changed { files } => {
            let files = files.join(", ");
            output::note(&format!("no automation runs: {files} changed since you trusted it"));
            output::hint("review the change with `steersman trust --dry-run`, then run `steersman trust`");
        }
    }
}

/// Reports that no automation has this id.
fn report_unknown<'a>(id: &str, known: impl IntoIterator<Item = &'a AutomationId>) -> Exit {
    output::error(&format!("unknown automation `{}`", output::text::one_line(id)));
    match config_file::nearest(id, known.into_iter().map(AutomationId::as_str)) {
        Some(meant) => output::hint(&format!("did you mean `{meant}`?")),
        None => output::hint("run `steersman automation list` for a list"),
    }
    Exit::No
}
