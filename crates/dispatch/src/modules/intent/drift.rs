//! Finds files that a call changed without naming them.

use std::time::{Duration, Instant};

use event::{AbsPath, Access, ContextNote, RepoPath};
use intent::journal::{DriftedFile, FileWritten, ScopeDrift};
use intent::trace::{Before, GitIndex, LineMarks, PendingCall, TraceLog, file_change};
use intent::{
    Changes, ContentHash, FileSystemTime, Intent, IntentId, Limits, NO_INTENT, Reach, Target, Violation,
};

use super::other_writers::OtherWriters;
use super::settling::{Settled, Settling};
use super::{NAME, emitted};

/// The most files in the text for the model and in the journal.
const MAX_NAMED: usize = 20;

/// Our own files below the workspace, which hooks of any session write at any time.
const OURS: &[&str] = &[".ai/tmp", TraceLog::PATH];

/// Changes out of scope.
#[derive(Debug, Default)]
pub(super) struct Drifts {
    files: Vec<DriftedFile>,
    n_more: usize,
    incomplete: bool,
}

impl Drifts {
    /// Adds a change that breaks a rule.
    pub(super) fn add(&mut self, violation: Violation) {
        self.add_changed(violation.to_string(), violation.path);
    }

    /// Adds an existing file that changed out of scope; `record` adds how to undo it.
    fn add_changed(&mut self, why: String, file: String) {
        self.add_file(DriftedFile { why, undo: String::new(), file });
    }

    fn add_file(&mut self, file: DriftedFile) {
        if self.files.iter().any(|it| it.file == file.file) {
            return;
        }
        if self.files.len() < MAX_NAMED {
            self.files.push(file);
        } else {
            self.n_more += 1;
        }
    }

    /// Returns the record; `None` without changes.
    pub(super) fn record(self, intent_id: Option<IntentId>, workspace: &AbsPath) -> Option<ScopeDrift> {
        let Self { mut files, n_more, incomplete } = self;
        if files.is_empty() {
            return None;
        }
        let git = GitIndex::of(workspace);
        for file in files.iter_mut().filter(|file| file.undo.is_empty()) {
            file.undo = undo_of(&file.file, &git);
        }
        Some(ScopeDrift { intent_id, files, more: n_more, complete: !incomplete })
    }
}

/// Searches the files that changed since a call began, traces those in scope and adds the others to `drifts`.
pub(super) fn look_around(
    settling: &mut Settling<'_>,
    call: &PendingCall,
    intent: Option<&Intent>,
    began: FileSystemTime,
    settled: &mut Settled,
    drifts: &mut Drifts,
) {
    let deadline = settling.rules.context.deadline;
    // A third of the remaining time for the search, the rest for hashing, tracing and the answer.
    let time = (deadline.left(Instant::now()) / 3).min(Limits::default().time);
    let changes = Changes::since(began, &settling.scope, OURS, Limits { time, ..Limits::default() });
    drifts.incomplete |= !changes.complete;
    if changes.files.is_empty() && changes.folders.is_empty() {
        return;
    }
    let others = OtherWriters::of(settling.rules.context);
    look_for_deleted(settling, call, intent, &changes, &others, drifts);
    let out_of_scope = intent.map(|intent| changes.drift(&settling.scope, intent));
    for file in &changes.files {
        if call.files.iter().any(|known| known.real == file.as_str()) {
            continue;
        }
        if deadline.left(Instant::now()) < MIN_LEFT {
            drifts.incomplete = true;
            break;
        }
        let path = settling.scope.root().join(file.as_str());
        let hash = ContentHash::of_file(&path).ok();
        // Another call of this or another session wrote it and reports it.
        if hash.as_ref().is_some_and(|hash| others.has_traced(file.as_str(), hash)) {
            continue;
        }
        let drifted =
            out_of_scope.as_ref().map(|all| all.iter().find(|drift| drift.violation.path == file.as_str()));
        match (intent, drifted) {
            (Some(intent), Some(None)) => {
                trace(settling, intent, file, &call.tool, began, &others, settled);
            }
            _ if others.is_being_written(file.as_str()) => {}
            (_, Some(Some(drift))) => drifts.add(drift.violation.clone()),
            _ => drifts.add_changed(NO_INTENT.to_owned(), file.as_str().to_owned()),
        }
    }
}

/// Adds the tracked files out of scope to `drifts` that are missing from changed folders. A file that was deleted before
/// the call looks the same as one that the call deleted, so each is reported once in a session.
fn look_for_deleted(
    settling: &Settling<'_>,
    call: &PendingCall,
    intent: Option<&Intent>,
    changes: &Changes,
    others: &OtherWriters<'_>,
    drifts: &mut Drifts,
) {
    let scope = &settling.scope;
    for file in others.git_index().missing(scope.root(), &changes.folders) {
        if settling.rules.context.deadline.left(Instant::now()) < MIN_LEFT {
            drifts.incomplete = true;
            return;
        }
        let named = call.files.iter().any(|known| {
            let below = file.strip_prefix(known.real.as_str());
            below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
        if named {
            continue;
        }
        let target = Target::new(file, scope.root(), Access::Delete, Reach::Itself);
        let why = match intent {
            Some(intent) => match scope.check(&target, intent) {
                Ok(_) => continue,
                Err(violation) => violation.message(),
            },
            None => NO_INTENT.to_owned(),
        };
        if others.has_reported(file) || others.is_being_written(file) {
            continue;
        }
        drifts.add_file(DriftedFile {
            why: format!("it was deleted, by this call or shortly before. {why}"),
            undo: format!("`git restore -- {}` restores it", quoted(file)),
            file: file.to_owned(),
        });
    }
}

/// With less time left, no further file is checked.
const MIN_LEFT: Duration = Duration::from_millis(60);

fn trace(
    settling: &mut Settling<'_>,
    intent: &Intent,
    file: &RepoPath,
    tool: &str,
    began: FileSystemTime,
    others: &OtherWriters<'_>,
    settled: &mut Settled,
) {
    let path = settling.scope.root().join(file.as_str());
    // Many programs write a new file and rename it over the old one.
    let is_new = began.saw_the_birth_of(&path) && !others.is_in_git(file.as_str());
    let before = if is_new { Before::Absent } else { Before::Unknown };
    let Ok(Some(now)) = file_change(&path, &before, None) else { return };
    settling.events.push(emitted(&FileWritten {
        intent_id: intent.id.clone(),
        file: file.as_str().to_owned(),
        class: now.mutation_class,
        before: None,
        after: now.content_hash.clone(),
        hunks: now.hunks.as_deref().and_then(FileWritten::kept),
        marks: now.marks.as_ref().and_then(LineMarks::kept),
    }));
    settled.records.push(settling.record(intent, file, tool, now));
}

fn undo_of(path: &str, git: &GitIndex) -> String {
    let quoted = quoted(path);
    if git.has(path) {
        format!("`git restore -- {quoted}` restores git's version")
    } else if git.is_empty() {
        format!("`git restore -- {quoted}` restores a tracked file; remove it if it is new")
    } else {
        format!("it is untracked; if this call created it, `rm -- {quoted}` removes it")
    }
}

/// Quotes a path for a shell.
fn quoted(path: &str) -> String {
    format!("'{}'", path.replace('\'', "'\\''"))
}

/// Words a record for the model.
pub(super) fn note(record: &ScopeDrift) -> ContextNote {
    let mut lines = vec!["Scope Drift: files out of scope changed during this call.".to_owned()];
    for DriftedFile { file, why, undo } in &record.files {
        lines.push(format!("- {file}: {}\n  undo: {undo}", why.replace('\n', "\n  ")));
    }
    if record.more > 0 {
        let files = if record.more == 1 { "file" } else { "files" };
        lines.push(format!("and {} more {files}", record.more));
    }
    lines.push("Undo the changes of this call there, or ask the user to widen the scope.".to_owned());
    ContextNote { key: NAME.into(), value: lines.join("\n") }
}
