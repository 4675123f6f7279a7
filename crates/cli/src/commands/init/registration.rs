//! Puts our entries into the settings files.

use host::install::{Plan, Program, register, registrations};
use store::Workspace;

use crate::change::{Change, Trouble, Writer};
use crate::commands::hosts;
use crate::output;

/// What became of one settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Registered,
    Updated,
    Already,
}

/// Registers with the hosts of every plan, and says what was done.
pub(super) fn register_all(plans: &[&'static Plan], program: &Program, writer: &mut Writer<'_>) {
    for plan in plans {
        match edit(plan, program, writer.workspace) {
            Err(trouble) => writer.fail(&trouble),
            Ok((change, outcome)) => {
                if writer.apply(&change) {
                    say(plan, outcome, writer.writes());
                }
            }
        }
    }
}

fn edit(plan: &Plan, program: &Program, workspace: &Workspace) -> Result<(Change, Outcome), Trouble> {
    let mut was_there = false;
    let change = Change::plan(workspace, plan.file, |before| {
        let text = before.unwrap_or_default();
        let mended =
            register(plan, before, program).map_err(|error| Trouble::edit(plan.file, text, error))?;
        was_there = registrations(text).is_ok_and(|found| !found.is_empty());
        Ok(Some(mended))
    })?;
    let outcome = match (change.is_nothing(), was_there) {
        (true, _) => Outcome::Already,
        (false, true) => Outcome::Updated,
        (false, false) => Outcome::Registered,
    };
    Ok((change, outcome))
}

fn say(plan: &Plan, outcome: Outcome, written: bool) {
    let (file, n_events) = (plan.file, plan.rows.len());
    let what = match (outcome, written) {
        (Outcome::Already, _) => format!("already registered in {file}"),
        (Outcome::Registered, true) => format!("registered in {file} ({n_events} events)"),
        (Outcome::Registered, false) => format!("would be registered in {file} ({n_events} events)"),
        (Outcome::Updated, true) => format!("updated in {file}"),
        (Outcome::Updated, false) => format!("would be updated in {file}"),
    };
    output::note(&format!("✓ {}: {what}", hosts::titles(plan)));
    if outcome == Outcome::Registered {
        for note in plan.notes {
            output::note(&format!("  note: {note}"));
        }
    }
}
