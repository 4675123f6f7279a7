//! Changes out of scope, as a record for the journal and as text for the model.

use std::time::Duration;

use event::{AbsPath, ContextNote};
use intent::journal::{DriftedFile, ScopeDrift};
use intent::trace::{GitIndex, is_head_new};
use intent::{FileSystemTime, IntentId, Scope, Violation};
use store::Workspace;

use super::NAME;
use crate::shell_guard::committed_blobs;

/// The most files, and the most folders, in the text for the model and in the journal.
pub(super) const MAX_NAMED: usize = 20;

/// The longest run of git.
const LONGEST_GIT: Duration = Duration::from_millis(150);

/// The most files with a hint in the text for the model.
const N_HINTS: usize = 3;

/// Changes out of scope.
#[derive(Debug, Default)]
pub(super) struct Drifts {
    files: Vec<DriftedFile>,
    folders: Vec<DriftedFile>,
    n_more: usize,
    /// Whether the search that found them ran out of time.
    pub(super) incomplete: bool,
    /// Whether it left changes that no search has compared with the scope.
    pub(super) unjudged: bool,
}

impl Drifts {
    /// Adds a change that breaks a rule.
    pub(super) fn add(&mut self, violation: Violation) {
        // `record` adds how to undo it.
        self.add_file(DriftedFile { why: violation.to_string(), undo: String::new(), file: violation.path });
    }

    /// Adds a file.
    pub(super) fn add_file(&mut self, file: DriftedFile) {
        if self.files.iter().any(|it| it.file == file.file) {
            return;
        }
        if self.files.len() < MAX_NAMED {
            self.files.push(file);
        } else {
            self.n_more += 1;
        }
    }

    /// Adds a file that the report names however many others there are.
    pub(super) fn add_first(&mut self, file: DriftedFile) {
        if !self.files.iter().any(|it| it.file == file.file) {
            self.files.insert(0, file);
        }
    }

    /// Adds a folder, which is named with a final slash.
    pub(super) fn add_folder(&mut self, folder: &str, why: String, undo: String) {
        let file = if folder.is_empty() { "./".to_owned() } else { format!("{folder}/") };
        if self.folders.len() < MAX_NAMED {
            self.folders.push(DriftedFile { file, why, undo });
        } else {
            self.n_more += 1;
        }
    }

    /// Returns whether further files are only counted.
    pub(super) fn only_counts(&self) -> bool {
        self.files.len() >= MAX_NAMED
    }

    /// Counts a file that is not named.
    pub(super) fn count(&mut self) {
        self.n_more += 1;
    }

    /// Returns the record; `None` without changes.
    pub(super) fn record(self, intent_id: Option<IntentId>, scope: &Scope) -> Option<ScopeDrift> {
        let Self { mut files, mut folders, n_more, incomplete, unjudged: _ } = self;
        if files.is_empty() && folders.is_empty() {
            return None;
        }
        let git = GitIndex::of(scope.root());
        for file in files.iter_mut().filter(|file| file.undo.is_empty()) {
            file.undo = if scope.is_governing(&file.file) {
                // shell-guard refuses a command that replaces such a file: git may not have the user's version.
                "ask the user to restore it: it governs the agent".to_owned()
            } else {
                undo_of(&file.file, &git)
            };
        }
        files.append(&mut folders);
        Some(ScopeDrift { intent_id, files, more: n_more, complete: !incomplete })
    }
}

/// Returns whether a file decides what steersman permits: the intents, the manifest, the settings.
///
/// A version that a command of the agent wrote does not count, but only if the report names the file. So it comes first:
/// thousands of other changes must not crowd it out.
pub(super) fn is_decisive(workspace: &Workspace, file: &str) -> bool {
    decisive_files(workspace).contains(&workspace.root().join(file))
}

/// Returns the files that decide what steersman permits.
pub(super) fn decisive_files(workspace: &Workspace) -> [AbsPath; 3] {
    [workspace.intents_file(), workspace.manifest_file(), workspace.config_file()]
}

/// Returns whether git wrote a file as the checked-out commit has it: a checkout, a merge or a pull, not an edit that was
/// committed afterwards.
pub(super) fn is_as_committed(workspace: &AbsPath, file: &str) -> bool {
    let index = GitIndex::of(workspace);
    if !index.is_unchanged(workspace, file) {
        return false;
    }
    let committed = committed_blobs(workspace.as_path(), &[file], LONGEST_GIT).unwrap_or_default();
    let is_older = || {
        FileSystemTime::of_marker(&workspace.join(file)).is_ok_and(|written| !is_head_new(workspace, written))
    };
    index.blob(file).is_some_and(|blob| committed.get(file) == Some(&blob)) && is_older()
}

fn undo_of(path: &str, git: &GitIndex) -> String {
    let quoted = quoted(path);
    if path.starts_with(".git/") {
        "ask the user to restore it: no backup of git's own files exists".to_owned()
    } else if git.has(path) {
        format!("`git restore -- {quoted}` restores git's version")
    } else if git.is_empty() {
        format!("`git restore -- {quoted}` restores a tracked file; remove it if it is new")
    } else {
        format!("it is untracked; if this call created it, `rm -- {quoted}` removes it")
    }
}

/// Quotes a path for a shell.
pub(super) fn quoted(path: &str) -> String {
    format!("'{}'", path.replace('\'', "'\\''"))
}

/// Returns the note for the model about changes that no search has compared with the scope yet.
#[must_use]
pub fn unsearched_note() -> ContextNote {
    let value = "Scan Incomplete: steersman ran out of time before it could compare every change with the intent \
                 in force. The next event compares the rest and reports what is out of scope.";
    ContextNote { key: NAME.into(), value: value.to_owned() }
}

/// Words a record for the model.
pub(super) fn note(record: &ScopeDrift) -> ContextNote {
    let mut lines = vec!["Scope Drift: files out of scope changed during this call.".to_owned()];
    for (index, DriftedFile { file, why, undo }) in record.files.iter().enumerate() {
        // The same hint again and again would crowd out the files.
        let why = if index < N_HINTS { why.as_str() } else { why.lines().next().unwrap_or_default() };
        lines.push(format!("- {file}: {}\n  undo: {undo}", why.replace('\n', "\n  ")));
    }
    if record.more > 0 {
        let files = if record.more == 1 { "file" } else { "files" };
        lines.push(format!("and {} more {files}", record.more));
    }
    if !record.complete {
        lines.push(
            "The search is not finished: the next call or the end of the turn continues it.".to_owned(),
        );
    }
    lines.push("Undo the changes of this call there, or ask the user to widen the scope.".to_owned());
    ContextNote { key: NAME.into(), value: lines.join("\n") }
}
