//! Searches the workspace for files that changed although no call named them, and judges what it finds.
//!
//! A search covers the call that ended, and all that is still open: calls whose end the host did not report, and jobs that an
//! earlier command left in the background. Changes out of scope are judged first. If the time is up before all changes
//! in scope are traced, the next event continues.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use event::{AbsPath, Access, RepoPath};
use intent::journal::{DriftedFile, FileUntraced, FileWritten, ScanEnded, ScanIncomplete};
use intent::trace::{Before, GitIndex, LineMarks, PendingFile, TraceLog, file_change};
use intent::{
    Baseline, Changes, ContentHash, Coverage, FileSystemTime, FolderRecord, Intent, Limits, NO_INTENT,
    OpenSince, Reach, ScanStart, Target, Watched,
};

use super::drift::{Drifts, quoted};
use super::emitted;
use super::other_writers::OtherWriters;
use super::scan_records::{self, ScanRecords};
use super::settling::{Settled, Settling};

/// Our own files below the workspace, which hooks of any session write at any time.
pub(super) const OURS: &[&str] = &[".ai/tmp", TraceLog::PATH];

/// The most folders in a record.
const MAX_NAMED: usize = 20;

/// With less time left, no further file is traced.
const MIN_LEFT: Duration = Duration::from_millis(60);

/// The longest search, however large the budget of the event is.
const LONGEST: Duration = Duration::from_secs(2);

/// The changes that a search looks for.
pub(super) struct Search<'a> {
    /// The intent in force.
    pub(super) intent: Option<&'a Intent>,
    /// The moment since which changes are the call's own; `None` to look only for those that are open.
    pub(super) since: Option<FileSystemTime>,
    /// Whether every file counts as changed that is not as git has it: records from before are gone.
    pub(super) everything: bool,
    /// The watched files before the call.
    pub(super) watched: Option<&'a Watched>,
    /// The files that the call names, which are reported already.
    pub(super) named: &'a [PendingFile],
    /// The tool, for the trace.
    pub(super) tool: &'a str,
    /// What stays open after this search.
    pub(super) leaves_open: Option<OpenSince>,
    /// Whether changes in scope are traced: between two turns they are most likely a person's.
    pub(super) traces: bool,
}

/// The state that the next search begins with; `conclude` writes it.
#[derive(Debug)]
pub(super) struct Searched {
    pub(super) coverage: Coverage,
    pub(super) folders: Option<FolderRecord>,
    /// The hash of the present record of the folders.
    pub(super) folders_hash: Option<String>,
}

impl Searched {
    /// Returns what the journal records of the search.
    pub(super) fn record(&self) -> ScanEnded {
        let folders = self.folders.as_ref().map(FolderRecord::hash).or_else(|| self.folders_hash.clone());
        ScanEnded { coverage: self.coverage.hash(), folders }
    }
}

impl Search<'_> {
    /// Searches, adds lines for the trace to `settled` and changes out of scope to `drifts`. Returns `None` if there
    /// was nothing to search for.
    pub(super) fn run(
        self,
        settling: &mut Settling<'_>,
        settled: &mut Settled,
        drifts: &mut Drifts,
    ) -> Option<Searched> {
        let context = settling.rules.context;
        let ScanRecords { mut coverage, folders: known_folders, forged } = scan_records::read(context);
        for what in &forged {
            settling.forged(what, "it is not as a search left it");
        }
        let mut starts = coverage.starts(self.since);
        if self.everything || !forged.is_empty() {
            starts.push(ScanStart::everything());
        }
        let (record, folders_hash) = known_folders.unzip();
        if starts.is_empty() {
            let changed = coverage.open != self.leaves_open;
            coverage.open = self.leaves_open;
            return changed.then_some(Searched { coverage, folders: None, folders_hash });
        }
        // The one write while judging: the clock of the file system is read by writing.
        let clock = context.session.scan_clock();
        let can_write = context.workspace.check_way_to(&clock).is_ok();
        let began =
            can_write.then(|| FileSystemTime::mark(&clock).ok()).flatten().unwrap_or(FileSystemTime::START);
        if self.since.is_some_and(|since| since > began && began != FileSystemTime::START) {
            settling.forged("the clock", "it was set back while a call ran, so that new files look old");
            starts.push(ScanStart::everything());
        }
        let before = coverage.watched.as_ref().filter(|_| coverage.open.is_some()).or(self.watched);
        let baseline =
            Baseline { watched: before, folders: record.as_ref(), intent: self.intent, skip: OURS };
        // Half of the remaining time for the search, the rest for judging, tracing and the answer.
        let time = (context.deadline.left(Instant::now()) / 2).min(LONGEST);
        let mut changes =
            Changes::since(&starts, &settling.scope, &baseline, Limits { time, ..Limits::default() });
        changes.forget(|path, at| coverage.has_judged(path, at));
        let sparse_changed = before.is_some_and(|before| before.has_other_sparse_checkout(&changes.watched));
        let mut unvisited = std::mem::take(&mut changes.unvisited);
        let n_unvisited = unvisited.len();
        let n_changed = changes.files.len() + changes.folders.len() + changes.new_folders.len();
        let mut n_untraced = 0;
        if n_changed + changes.changed_folders.len() + changes.ignored_folders.len() > 0 {
            let index = changes.index.take().unwrap_or_else(|| GitIndex::of(settling.scope.root()));
            let others = OtherWriters::of(context, index);
            let judge = Judge { search: &self, changes: &changes, others: &others };
            let in_scope = judge.out_of_scope(settling, drifts);
            judge.folders(settling, before, drifts);
            judge.deleted(settling, sparse_changed, drifts);
            let left =
                if self.traces { judge.trace(settling, &in_scope, &starts, settled) } else { Vec::new() };
            settling.trace_length = Some(others.trace_length());
            if others.has_forged_claim() {
                settling.forged("intent/pending-calls", "no journal knows a stored call");
            }
            if others.has_forged_line() {
                settling.forged(TraceLog::PATH, "a line of the trace is in no journal");
            }
            n_untraced = left.len();
            unvisited.extend(folders_of(&left, &starts, &changes));
        }
        let is_incomplete = n_unvisited > 0 || n_untraced > 0;
        drifts.incomplete |= is_incomplete;
        if is_incomplete {
            let folders =
                unvisited.iter().take(MAX_NAMED).map(|start| format!("{}/", start.folder)).collect();
            settling.events.push(emitted(&ScanIncomplete {
                intent_id: self.intent.map(|intent| intent.id.clone()),
                n_entries: changes.n_entries,
                n_changed,
                n_untraced,
                n_unvisited,
                unvisited: folders,
            }));
        }
        coverage.scanned(&starts, began, &unvisited);
        if n_untraced == 0 {
            coverage.judged(&changes.times);
        }
        coverage.watched = self.leaves_open.is_some().then_some(changes.watched);
        coverage.open = self.leaves_open;
        let folders = changes.places.filter(|places| record.as_ref() != Some(places));
        Some(Searched { coverage, folders, folders_hash })
    }
}

/// Judges the changes that a search found.
struct Judge<'a> {
    search: &'a Search<'a>,
    changes: &'a Changes,
    others: &'a OtherWriters<'a>,
}

impl Judge<'_> {
    /// Adds the changed files out of scope to `drifts`; returns those in scope.
    fn out_of_scope(&self, settling: &Settling<'_>, drifts: &mut Drifts) -> Vec<RepoPath> {
        let scope = &settling.scope;
        let mut in_scope = Vec::new();
        for file in &self.changes.files {
            let path = file.as_str();
            if self.search.named.iter().any(|known| known.real == path) {
                continue;
            }
            let is_possible = self.search.intent.is_some_and(|intent| {
                intent.owned_scope.iter().any(|pattern| pattern.matches(path)) || path.contains("worktrees/")
            });
            // The text names the first ones; for the others the patterns are enough.
            if drifts.only_counts() && !is_possible {
                if !self.others.explains(settling.scope.root(), path) {
                    drifts.count();
                }
                continue;
            }
            let target = Target::new(path, scope.root(), Access::Write, Reach::Itself);
            let why = match self.search.intent.map(|intent| scope.check(&target, intent)) {
                Some(Ok(_)) => {
                    in_scope.push(file.clone());
                    continue;
                }
                Some(Err(violation)) => violation.to_string(),
                None => NO_INTENT.to_owned(),
            };
            if self.others.explains(settling.scope.root(), path) {
                continue;
            }
            if scope.root().join(path).as_path().symlink_metadata().is_err() {
                drifts.add_file(DriftedFile {
                    why: deleted(&why),
                    undo: restored(path),
                    file: path.to_owned(),
                });
            } else {
                drifts.add_changed(why, path.to_owned());
            }
        }
        in_scope
    }

    /// Adds the folders out of scope to `drifts` that are new or changed, or from which an entry was removed.
    fn folders(&self, settling: &Settling<'_>, before: Option<&Watched>, drifts: &mut Drifts) {
        let scope = &settling.scope;
        let why = |path: &str, access| match self.search.intent {
            Some(intent) => {
                let target = Target::new(path, scope.root(), access, Reach::Itself);
                scope.check(&target, intent).err().map(|violation| violation.to_string())
            }
            None => Some(NO_INTENT.to_owned()),
        };
        let is_named = |path: &str| self.search.named.iter().any(|known| known.real == path);
        let leads_to_checkout = |folder: &str| {
            let mut made = self.changes.checkouts.iter();
            made.any(|made| made.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
        };
        let is_placeholder = |folder: &str| only_holds_a_place(scope.root(), folder);
        let is_own =
            |folder: &&String| !is_named(folder) && !leads_to_checkout(folder) && !is_placeholder(folder);
        for folder in self.changes.new_folders.iter().filter(is_own) {
            if let Some(why) = why(folder, Access::CreateDir) {
                let undo = format!(
                    "if this call made it, `rmdir -- {}` removes it once it is empty",
                    quoted(folder)
                );
                drifts.add_folder(folder, format!("the folder was made or moved there. {why}"), undo);
            }
        }
        for folder in self.changes.changed_folders.iter().chain(&self.changes.folders) {
            let root = scope.root().as_path();
            let removed = before.and_then(|before| before.removed_from(folder, root)).unwrap_or_default();
            for path in removed.into_iter().filter(|path| !is_named(path) && !OURS.contains(&path.as_str())) {
                let Some(why) = why(&path, Access::Delete) else { continue };
                if !self.others.explains_removal(&path) {
                    let undo = restored(&path);
                    drifts.add_file(DriftedFile { why: deleted(&why), undo, file: path });
                }
            }
        }
        for folder in &self.changes.changed_folders {
            if let Some(why) = why(folder, Access::Write) {
                let undo = "restore its owner and rights with `chown` and `chmod`".to_owned();
                drifts.add_folder(folder, format!("the folder's rights or owner changed. {why}"), undo);
            }
        }
        for folder in &self.changes.folders {
            // A removed file is reported by its name.
            if before.is_some_and(|before| before.knows_names_in(folder)) {
                continue;
            }
            let is_explained = leads_to_checkout(folder) || self.is_explained(settling, before, folder);
            if is_explained || is_placeholder(folder) {
                continue;
            }
            let Some(why) = why(folder, Access::Write) else { continue };
            let undo = format!(
                "compare it with `git status -- {}`, restore what this call removed and remove what it added",
                quoted(if folder.is_empty() { "." } else { folder })
            );
            let why = format!("entries of the folder were added, removed or renamed. {why}");
            drifts.add_folder(folder, why, undo);
        }
    }

    /// Returns whether its changed entries explain that the entries of a folder changed: the scope includes some of
    /// them, or other writers made all of them.
    fn is_explained(&self, settling: &Settling<'_>, before: Option<&Watched>, folder: &str) -> bool {
        // The watched files are compared one by one, and steersman itself adds entries to their folders.
        if matches!(folder, ".ai" | ".orchestration") || (folder.is_empty() && before.is_none()) {
            return true;
        }
        if self.others.has_undone_in(folder) {
            return true;
        }
        let Some(intent) = self.search.intent else { return false };
        let parent_of = |path: &str| path.rsplit_once('/').map_or("", |(above, _)| above).to_owned();
        let changed = self.changes.files.iter().map(RepoPath::as_str);
        let new = changed.chain(self.changes.new_folders.iter().map(String::as_str));
        let new: Vec<&str> = new.filter(|path| parent_of(path) == folder).collect();
        let root = settling.scope.root();
        new.iter().any(|path| intent.owned_scope.iter().any(|pattern| pattern.matches(path)))
            || (!new.is_empty() && new.iter().all(|path| self.others.explains(root, path)))
    }

    /// Adds the tracked files out of scope to `drifts` that are missing from changed folders. A file that was deleted
    /// before the call looks the same as one that the call deleted, so each is reported once in a session.
    fn deleted(&self, settling: &Settling<'_>, sparse_changed: bool, drifts: &mut Drifts) {
        let scope = &settling.scope;
        let Changes { folders, changed_folders, ignored_folders, watched, .. } = self.changes;
        let folders: BTreeSet<String> =
            folders.iter().chain(changed_folders).chain(ignored_folders).cloned().collect();
        let left_out = sparse_changed || !watched.is_sparse_checkout();
        for file in self.others.git_index().missing(scope.root(), &folders, left_out) {
            let named = self.search.named.iter().any(|known| {
                let below = file.strip_prefix(known.real.as_str());
                below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            });
            if named {
                continue;
            }
            let target = Target::new(file, scope.root(), Access::Delete, Reach::Itself);
            let why = match self.search.intent {
                Some(intent) => match scope.check(&target, intent) {
                    Ok(_) => continue,
                    Err(violation) => violation.message(),
                },
                None => NO_INTENT.to_owned(),
            };
            if !self.others.explains_removal(file) {
                drifts.add_file(DriftedFile {
                    why: deleted(&why),
                    undo: restored(file),
                    file: file.to_owned(),
                });
            }
        }
    }

    /// Traces changed files in scope; returns those for which the time is not enough.
    fn trace<'f>(
        &self,
        settling: &mut Settling<'_>,
        files: &'f [RepoPath],
        starts: &[ScanStart],
        settled: &mut Settled,
    ) -> Vec<&'f RepoPath> {
        let Some(intent) = self.search.intent else { return Vec::new() };
        let deadline = settling.rules.context.deadline;
        let since = starts.iter().map(|start| start.since).min().unwrap_or(FileSystemTime::START);
        for (index, file) in files.iter().enumerate() {
            if deadline.left(Instant::now()) < MIN_LEFT {
                return files[index..].iter().collect();
            }
            self.trace_file(settling, intent, file, since, settled);
        }
        Vec::new()
    }

    fn trace_file(
        &self,
        settling: &mut Settling<'_>,
        intent: &Intent,
        file: &RepoPath,
        began: FileSystemTime,
        settled: &mut Settled,
    ) {
        let path = settling.scope.root().join(file.as_str());
        // A running call that named the file traces it itself, with its lines.
        if self.others.is_being_written(file.as_str()) {
            return;
        }
        // Another call of this or another session wrote it and reports it.
        let hash = ContentHash::of_small_file(&path).ok();
        if hash.is_some_and(|hash| self.others.has_traced(file.as_str(), &hash)) {
            return;
        }
        // Many programs write a new file and rename it over the old one.
        let is_new = began.saw_the_birth_of(&path) && !self.others.git_index().has(file.as_str());
        let before = if is_new { Before::Absent } else { Before::Unknown };
        let now = match file_change(&path, &before, None) {
            Ok(Some(now)) => now,
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                let (intent_id, file) = (intent.id.clone(), file.to_string());
                return settling.events.push(emitted(&FileUntraced { intent_id, file }));
            }
            _ => return,
        };
        settling.events.push(emitted(&FileWritten {
            intent_id: intent.id.clone(),
            file: file.as_str().to_owned(),
            class: now.mutation_class,
            before: None,
            after: now.content_hash.clone(),
            hunks: now.hunks.as_deref().and_then(FileWritten::kept),
            marks: now.marks.as_ref().and_then(LineMarks::kept),
        }));
        settled.records.push(settling.record(intent, file, self.search.tool, now));
    }
}

/// Returns the folders of files that are not traced yet, for the next search.
fn folders_of(files: &[&RepoPath], starts: &[ScanStart], changes: &Changes) -> Vec<ScanStart> {
    let since = starts.iter().map(|start| start.since).min().unwrap_or(FileSystemTime::START);
    let folder =
        |file: &&RepoPath| file.as_str().rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let folders: BTreeSet<String> = files.iter().map(folder).collect();
    let is_moved = |folder: &str| {
        let below = |new: &String| {
            folder.strip_prefix(new.as_str()).is_some_and(|it| it.is_empty() || it.starts_with('/'))
        };
        changes.new_folders.iter().any(below)
    };
    folders.into_iter().map(|folder| ScanStart { moved: is_moved(&folder), folder, since }).collect()
}

/// Returns whether a folder only holds the place of settings that a confined command must not create: it has such a
/// name, and nothing but empty folders in it. `steersman run` makes it, and removes it after the command.
fn only_holds_a_place(root: &AbsPath, folder: &str) -> bool {
    let has_name = folder.split('/').any(|part| part.starts_with('.') && part != ".git");
    has_name && is_hollow(root.join(folder).as_path(), MAX_HOLLOW)
}

/// How deep a placeholder is.
const MAX_HOLLOW: usize = 4;

/// Returns whether a folder is gone, or has nothing but empty folders in it.
fn is_hollow(folder: &Path, depth: usize) -> bool {
    match std::fs::read_dir(folder) {
        Err(error) => error.kind() == io::ErrorKind::NotFound,
        Ok(mut entries) => entries.all(|entry| {
            entry.is_ok_and(|entry| {
                depth > 0
                    && entry.file_type().is_ok_and(|kind| kind.is_dir())
                    && is_hollow(&entry.path(), depth - 1)
            })
        }),
    }
}

fn deleted(why: &str) -> String {
    format!("it was deleted, by this call or shortly before. {why}")
}

fn restored(path: &str) -> String {
    format!("`git restore -- {}` restores it", quoted(path))
}
