//! Puts our entries into the settings files.

use host::install::{Program, SettingsFile};
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

/// Which parts of ours go into the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parts {
    /// Hooks; an MCP server only where it is already, so that it follows the program.
    Hooks,
    /// Hooks and the MCP server.
    HooksAndServer,
}

/// An edit of one file, and what it puts there.
struct Edit {
    change: Change,
    outcome: Outcome,
    /// What is in the file afterwards.
    after: SettingsFile,
    /// What was in it before.
    before: SettingsFile,
}

/// Registers in every file, and says what was done.
pub(super) fn register_all(files: &[SettingsFile], parts: Parts, program: &Program, writer: &mut Writer<'_>) {
    for settings in files {
        match edit(settings, parts, program, writer.workspace) {
            Err(trouble) => writer.fail(&trouble),
            Ok(None) => {}
            Ok(Some(edit)) => {
                if writer.apply(&edit.change) {
                    say(&edit, writer.writes());
                }
            }
        }
    }
}

fn edit(
    settings: &SettingsFile,
    parts: Parts,
    program: &Program,
    workspace: &Workspace,
) -> Result<Option<Edit>, Trouble> {
    let mut after = *settings;
    let mut there = SettingsFile { hooks: None, server: None, ..*settings };
    let change = Change::plan(workspace, settings.file, |before| {
        let text = before.unwrap_or_default();
        let failed = |error| Trouble::edit(settings.file, text, error);
        there = settings.found_in(text).map_err(failed)?;
        if parts == Parts::Hooks {
            after.server = there.server;
        }
        if after.is_empty() {
            return Ok(before.map(str::to_owned));
        }
        after.register(before, program).map(Some).map_err(failed)
    })?;
    if after.is_empty() {
        return Ok(None);
    }
    let outcome = match (change.is_nothing(), there.is_empty()) {
        (true, _) => Outcome::Already,
        (false, false) => Outcome::Updated,
        (false, true) => Outcome::Registered,
    };
    Ok(Some(Edit { change, outcome, after, before: there }))
}

fn say(edit: &Edit, written: bool) {
    let Edit { outcome, after, before, .. } = edit;
    let file = after.file;
    let subject = if after.hooks.is_some() { "" } else { "MCP server " };
    let parts = match (after.hooks, after.server) {
        (Some(plan), Some(_)) => format!(" ({} events, MCP server)", plan.rows.len()),
        (Some(plan), None) => format!(" ({} events)", plan.rows.len()),
        _ => String::new(),
    };
    let what = match (outcome, written) {
        (Outcome::Already, _) => format!("{subject}already registered in {file}"),
        (Outcome::Registered, true) => format!("{subject}registered in {file}{parts}"),
        (Outcome::Registered, false) => format!("{subject}would be registered in {file}{parts}"),
        (Outcome::Updated, true) => format!("{subject}updated in {file}"),
        (Outcome::Updated, false) => format!("{subject}would be updated in {file}"),
    };
    output::note(&format!("✓ {}: {what}", hosts::titles(after.hosts())));
    let new_hooks = after.hooks.filter(|_| before.hooks.is_none()).map(|plan| plan.notes);
    let new_server = after.server.filter(|_| before.server.is_none()).map(|plan| plan.notes);
    for note in new_hooks.into_iter().chain(new_server).flatten() {
        output::note(&format!("  note: {note}"));
    }
}
