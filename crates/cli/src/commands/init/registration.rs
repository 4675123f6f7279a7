//! Registers steersman in the settings files.

use host::Host;
use host::install::{Program, SettingsFile};
use store::Workspace;

use crate::change::{Change, ChangeError, Writer};
use crate::commands::hosts;
use crate::output;

/// The effect on one settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Registered,
    Updated,
    Already,
}

/// The parts to register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Parts {
    /// Hooks; the MCP server only where it is registered already, so that it uses the same program.
    Hooks,
    /// Hooks and the MCP server.
    HooksAndServer,
}

/// An edit of one file and the resulting registrations.
pub(super) struct Edit {
    change: Change,
    outcome: Outcome,
    /// The registrations after the edit.
    after: SettingsFile,
    /// The registrations before the edit.
    before: SettingsFile,
}

impl Edit {
    /// Returns the file's name.
    pub(super) fn file(&self) -> &'static str {
        self.after.file
    }

    /// Returns whether the file would change.
    pub(super) fn changes(&self) -> bool {
        self.outcome != Outcome::Already
    }
}

/// Registers steersman in every file and reports each. Returns the hosts whose hooks changed.
pub(super) fn register_all(
    files: &[SettingsFile],
    parts: Parts,
    program: &Program,
    writer: &mut Writer<'_>,
) -> Vec<Host> {
    let edits = plan_all(files, parts, program, writer);
    print_notes(&edits, writer.prefix);
    apply_all(&edits, writer)
}

/// Plans the edit of every file; reports files that cannot be edited.
pub(super) fn plan_all(
    files: &[SettingsFile],
    parts: Parts,
    program: &Program,
    writer: &mut Writer<'_>,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    for settings in files {
        match edit(settings, parts, program, writer.workspace) {
            Err(error) => writer.fail(&error),
            Ok(edit) => edits.extend(edit),
        }
    }
    edits
}

/// Prints the notes that a user should read before steersman writes the files.
pub(super) fn print_notes(edits: &[Edit], prefix: &str) {
    for Edit { after, before, .. } in edits {
        let new_hooks = after.hooks.filter(|_| before.hooks.is_none()).map(|plan| plan.notes);
        let new_server = after.server.filter(|_| before.server.is_none()).map(|plan| plan.notes);
        for note in new_hooks.into_iter().chain(new_server).flatten() {
            output::note(&format!("  note: {prefix}{}: {note}", after.file));
        }
    }
}

/// Carries out the edits and reports each. Returns the hosts whose hooks changed.
pub(super) fn apply_all(edits: &[Edit], writer: &mut Writer<'_>) -> Vec<Host> {
    let mut changed = Vec::new();
    for edit in edits {
        if writer.apply(&edit.change) {
            report(edit, writer.prefix, writer.writes());
            if edit.after.hooks.is_some() && edit.changes() {
                changed.extend(edit.after.hosts());
            }
        }
    }
    changed
}

/// Tells which running sessions do not have the new hooks yet.
pub(super) fn hint_at_restart(changed: &[Host]) {
    // Seen with the real programs: only Claude Code watches its settings for new hooks.
    let (at_once, at_start): (Vec<Host>, Vec<Host>) =
        changed.iter().copied().partition(|host| *host == Host::ClaudeCode);
    if at_start.is_empty() {
        return;
    }
    let others = if at_once.is_empty() { "" } else { "; Claude Code loads the new ones at once" };
    let titles: Vec<&str> = at_start.iter().map(|host| host.title()).collect();
    let titles = match titles.as_slice() {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => titles.concat(),
    };
    output::hint(&format!(
        "restart running sessions of {titles}, which load hooks only when they start{others}"
    ));
}

fn edit(
    settings: &SettingsFile,
    parts: Parts,
    program: &Program,
    workspace: &Workspace,
) -> Result<Option<Edit>, ChangeError> {
    let mut after = *settings;
    let mut there = SettingsFile { hooks: None, server: None, ..*settings };
    let change = Change::plan(workspace, settings.file, |before| {
        let text = before.unwrap_or_default();
        let failed = |error| ChangeError::edit(settings.file, text, error);
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

fn report(edit: &Edit, prefix: &str, written: bool) {
    let Edit { outcome, after, .. } = edit;
    let file = format!("{prefix}{}", after.file);
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
}
