//! What a call changed that it did not name, found afterwards.

use std::time::{Duration, Instant};

use event::{AbsPath, Access, ContextNote, RepoPath};
use intent::journal::{DriftedFile, FileWritten, ScopeDrift};
use intent::trace::{Before, GitIndex, LineMarks, PendingCall, TraceLog, written};
use intent::{Changes, ContentHash, Intent, IntentId, Limits, Moment, NO_INTENT, Reach, Target, Violation};

use super::elsewhere::Elsewhere;
use super::settling::{Settled, Settling};
use super::{NAME, emitted};

/// How many files are named to the model and in the journal.
const MAX_NAMED: usize = 20;

/// Our own files below the workspace, which events of any session write at any time.
const OURS: &[&str] = &[".ai/tmp", TraceLog::PATH];

/// Changes that were not asked for, as they are found.
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

    /// Adds a file that is there and should not be as it is; how to undo it is found out at the end.
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

    /// Returns the record, if there is something to say.
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

/// Looks for everything that changed since a call began, traces what is in scope and adds the rest
/// to `drifts`.
pub(super) fn look_around(
    settling: &mut Settling<'_>,
    call: &PendingCall,
    intent: Option<&Intent>,
    began: Moment,
    settled: &mut Settled,
    drifts: &mut Drifts,
) {
    let deadline = settling.rules.context.deadline;
    // A third of what is left for looking, the rest for hashing, tracing and the answer.
    let time = (deadline.left(Instant::now()) / 3).min(Limits::default().time);
    let changes = Changes::since(began, &settling.scope, OURS, Limits { time, ..Limits::default() });
    drifts.incomplete |= !changes.complete;
    if changes.files.is_empty() && changes.folders.is_empty() {
        return;
    }
    let elsewhere = Elsewhere::of(settling.rules.context);
    look_for_deleted(settling, call, intent, &changes, &elsewhere, drifts);
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
        // Another call of this or another session wrote it, and answers for it.
        if hash.as_ref().is_some_and(|hash| elsewhere.has_traced(file.as_str(), hash)) {
            continue;
        }
        let drifted =
            out_of_scope.as_ref().map(|all| all.iter().find(|drift| drift.violation.path == file.as_str()));
        match (intent, drifted) {
            (Some(intent), Some(None)) => {
                trace(settling, intent, file, &call.tool, began, &elsewhere, settled);
            }
            _ if elsewhere.is_being_written(file.as_str()) => {}
            (_, Some(Some(drift))) => drifts.add(drift.violation.clone()),
            _ => drifts.add_changed(NO_INTENT.to_owned(), file.as_str().to_owned()),
        }
    }
}

/// Adds the files to `drifts` that git knows and that are gone from folders that changed, if they
/// are out of scope. A file that went before the call cannot be told from one that went with it, so
/// each is told once in a session.
fn look_for_deleted(
    settling: &Settling<'_>,
    call: &PendingCall,
    intent: Option<&Intent>,
    changes: &Changes,
    elsewhere: &Elsewhere<'_>,
    drifts: &mut Drifts,
) {
    let scope = &settling.scope;
    for file in elsewhere.git_index().missing(scope.root(), &changes.folders) {
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
        if elsewhere.has_told_of(file) || elsewhere.is_being_written(file) {
            continue;
        }
        drifts.add_file(DriftedFile {
            why: format!("it is gone, since this call or shortly before. {why}"),
            undo: format!("`git restore -- {}` brings it back", quoted(file)),
            file: file.to_owned(),
        });
    }
}

/// With less time than this nothing more is begun.
const MIN_LEFT: Duration = Duration::from_millis(60);

fn trace(
    settling: &mut Settling<'_>,
    intent: &Intent,
    file: &RepoPath,
    tool: &str,
    began: Moment,
    elsewhere: &Elsewhere<'_>,
    settled: &mut Settled,
) {
    let path = settling.scope.root().join(file.as_str());
    // Many programs write a new file and put it in the place of the old one.
    let is_new = began.saw_the_birth_of(&path) && !elsewhere.is_in_git(file.as_str());
    let before = if is_new { Before::Absent } else { Before::Unknown };
    let Ok(Some(now)) = written(&path, &before, None) else { return };
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
        format!("`git restore -- {quoted}` brings back what git has of it")
    } else if git.is_empty() {
        format!("`git restore -- {quoted}` brings a tracked file back; remove it if it is new")
    } else {
        format!("git does not know it; if this call made it, `rm -- {quoted}` removes it")
    }
}

/// Returns a path as one word of a shell.
fn quoted(path: &str) -> String {
    format!("'{}'", path.replace('\'', "'\\''"))
}

/// Puts a record into words for the model.
pub(super) fn note(record: &ScopeDrift) -> ContextNote {
    let mut lines = vec!["Scope Drift: files changed during this call that were not asked for.".to_owned()];
    for DriftedFile { file, why, undo } in &record.files {
        lines.push(format!("- {file}: {}\n  undo: {undo}", why.replace('\n', "\n  ")));
    }
    if record.more > 0 {
        let files = if record.more == 1 { "file" } else { "files" };
        lines.push(format!("and {} more {files}", record.more));
    }
    lines.push("Undo what this call changed there, or ask a person to widen the scope.".to_owned());
    ContextNote { key: NAME.into(), value: lines.join("\n") }
}
