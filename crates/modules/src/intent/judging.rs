//! Judges the changes that a search found: those out of scope are reported, those in scope traced.
//!
//! Changes that no pattern of the scope can include come first. When the time is up, the rest is returned, and the next
//! search continues with it.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;
use std::path::Path;
use std::time::Instant;

use event::{AbsPath, Access};
use intent::journal::{DriftedFile, FileDeleted, FileUntraced, FileWritten};
use intent::trace::{Before, LineMarks, file_change};
use intent::{Changes, FileSystemTime, Intent, LeftChanges, NO_INTENT, OwnFiles, Reach, Target, Watched};

use super::drift::{self, Drifts, quoted};
use super::emitted;
use super::other_writers::OtherWriters;
use super::settling::{Settled, Settling};

/// How many files that no pattern of the scope can include are judged even if the search took all the time: the model
/// learns at once that there are some.
const ALWAYS_JUDGED: usize = 8;

/// Which files are judged together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Urgency {
    /// Those that decide what steersman permits.
    Decisive,
    /// Those that no pattern of the scope can include.
    Outside,
    /// Those that a pattern may include.
    Possible,
}

impl Urgency {
    /// Returns how many of the files are judged even if it is late.
    fn n_always(self) -> usize {
        match self {
            Self::Decisive => usize::MAX,
            Self::Outside => ALWAYS_JUDGED,
            Self::Possible => 0,
        }
    }
}

/// The facts with which changes are judged.
pub(super) struct Judge<'a> {
    /// The intent of the call that made them.
    pub(super) intent: Option<&'a Intent>,
    /// The tool of that call, for the trace.
    pub(super) tool: &'a str,
    /// The files that the call names, which are reported already.
    pub(super) named: &'a HashSet<&'a str>,
    /// The watched files before the call.
    pub(super) before: Option<&'a Watched>,
    /// The search that just found the changes; `None` for changes that an earlier search left.
    pub(super) changes: Option<&'a Changes>,
    /// Whether the call changed what a sparse checkout leaves out.
    pub(super) sparse_changed: bool,
    /// Whether changes in scope are traced.
    pub(super) traces: bool,
    pub(super) others: &'a OtherWriters<'a>,
    /// The new entries of each folder.
    pub(super) entries: OnceCell<HashMap<String, Vec<String>>>,
}

impl Judge<'_> {
    /// Judges the changes of a call; returns those for which the time was not enough.
    pub(super) fn run(
        &self,
        mut work: LeftChanges,
        settling: &mut Settling<'_>,
        settled: &mut Settled,
        drifts: &mut Drifts,
    ) -> LeftChanges {
        self.entries.get_or_init(|| entries_by_folder(&work));
        let mut rest = LeftChanges::none(work.by, work.since_ns);
        let decisive = drift::decisive_files(settling.rules.context.workspace);
        let decisive = decisive.map(|file| file.below(settling.scope.root()).ok());
        let is_decisive = |file: &str| decisive.iter().flatten().any(|known| known.as_str() == file);
        let (decisive, others): (Vec<_>, Vec<_>) = work.files.into_iter().partition(|file| is_decisive(file));
        let (possible, outside): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|file| self.is_possible(file));
        let mut in_scope = work.untraced;
        self.files(decisive, Urgency::Decisive, settling, drifts, &mut in_scope, &mut rest);
        self.files(outside, Urgency::Outside, settling, drifts, &mut in_scope, &mut rest);
        self.folders_with_removed_files(&work.changed_folders, &work.folders, settling, drifts);
        rest.new_folders = until_late(settling, work.new_folders, |it| self.new_folder(it, settling, drifts));
        rest.changed_folders =
            until_late(settling, work.changed_folders, |it| self.changed_folder(it, settling, drifts));
        rest.folders = until_late(settling, std::mem::take(&mut work.folders), |it| {
            self.folder_with_other_entries(it, settling, drifts);
        });
        self.deleted(settling, drifts, &mut rest);
        self.files(possible, Urgency::Possible, settling, drifts, &mut in_scope, &mut rest);
        if self.traces {
            let since = FileSystemTime::at_nanoseconds(rest.since_ns.into());
            rest.untraced = self.trace(settling, in_scope, since, settled);
        }
        rest
    }

    /// Returns whether a pattern of the scope may include a path.
    fn is_possible(&self, path: &str) -> bool {
        self.intent.is_some_and(|intent| {
            intent.owned_scope.iter().any(|pattern| pattern.matches(path)) || path.contains("worktrees/")
        })
    }

    /// Adds the files out of scope to `drifts`, and those in scope to `in_scope`.
    fn files(
        &self,
        files: Vec<String>,
        urgency: Urgency,
        settling: &Settling<'_>,
        drifts: &mut Drifts,
        in_scope: &mut Vec<String>,
        rest: &mut LeftChanges,
    ) {
        let scope = &settling.scope;
        let mut files = files.into_iter();
        let mut always = urgency.n_always();
        let is_decisive = urgency == Urgency::Decisive;
        while let Some(path) = files.next() {
            if always == 0 && settling.is_late() {
                rest.files.push(path);
                rest.files.extend(files);
                return;
            }
            always = always.saturating_sub(1);
            // The text names the first ones; for the others the patterns are enough.
            if drifts.only_counts() && !is_decisive && !self.is_possible(&path) {
                if !self.others.explains(scope.root(), &path) {
                    drifts.count();
                }
                continue;
            }
            let target = Target::new(&path, scope.root(), Access::Write, Reach::Itself);
            let why = match self.intent.map(|intent| scope.check(&target, intent)) {
                Some(Ok(_)) => {
                    in_scope.push(path);
                    continue;
                }
                Some(Err(violation)) => violation.to_string(),
                None => NO_INTENT.to_owned(),
            };
            if self.others.explains(scope.root(), &path) {
                continue;
            }
            let is_gone = scope.root().join(&path).as_path().symlink_metadata().is_err();
            let file = if is_gone {
                DriftedFile { why: deleted(&why), undo: restored(&path), file: path }
            } else {
                // The record adds how to undo it.
                DriftedFile { why, undo: String::new(), file: path }
            };
            if is_decisive { drifts.add_first(file) } else { drifts.add_file(file) }
        }
    }

    /// Returns why a folder or file is out of scope. Returns `None` if it is in scope.
    fn why(&self, settling: &Settling<'_>, path: &str, access: Access) -> Option<String> {
        let scope = &settling.scope;
        match self.intent {
            Some(intent) => {
                let target = Target::new(path, scope.root(), access, Reach::Itself);
                scope.check(&target, intent).err().map(|violation| violation.to_string())
            }
            None => Some(NO_INTENT.to_owned()),
        }
    }

    fn leads_to_checkout(&self, folder: &str) -> bool {
        let mut made = self.changes.iter().flat_map(|changes| &changes.checkouts);
        made.any(|made| made.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
    }

    /// Adds a folder out of scope that was made or moved to its path.
    fn new_folder(&self, folder: &str, settling: &Settling<'_>, drifts: &mut Drifts) {
        if self.named.contains(folder)
            || self.leads_to_checkout(folder)
            || only_holds_a_place(settling.scope.root(), folder)
        {
            return;
        }
        if let Some(why) = self.why(settling, folder, Access::CreateDir) {
            let undo =
                format!("if this call made it, `rmdir -- {}` removes it once it is empty", quoted(folder));
            drifts.add_folder(folder, format!("the folder was made or moved there. {why}"), undo);
        }
    }

    /// Adds a folder out of scope whose rights changed.
    fn changed_folder(&self, folder: &str, settling: &Settling<'_>, drifts: &mut Drifts) {
        if let Some(why) = self.why(settling, folder, Access::Write) {
            let undo = "restore its owner and rights with `chown` and `chmod`".to_owned();
            drifts.add_folder(folder, format!("the folder's rights or owner changed. {why}"), undo);
        }
    }

    /// Adds the files out of scope that are gone from folders whose names are known.
    fn folders_with_removed_files(
        &self,
        changed: &BTreeSet<String>,
        folders: &BTreeSet<String>,
        settling: &Settling<'_>,
        drifts: &mut Drifts,
    ) {
        let root = settling.scope.root().as_path();
        let Some(before) = self.before else { return };
        let own = OwnFiles::of(settling.rules.context.workspace);
        for folder in changed.iter().chain(folders) {
            let removed = before.removed_from(folder, root).unwrap_or_default();
            let is_unnamed = |path: &String| !self.named.contains(path.as_str()) && !own.has(path);
            for path in removed.into_iter().filter(is_unnamed) {
                let Some(why) = self.why(settling, &path, Access::Delete) else { continue };
                if !self.others.explains_removal(&path) {
                    let undo = restored(&path);
                    drifts.add_file(DriftedFile { why: deleted(&why), undo, file: path });
                }
            }
        }
    }

    /// Adds a folder out of scope in which entries were added or removed.
    fn folder_with_other_entries(&self, folder: &str, settling: &Settling<'_>, drifts: &mut Drifts) {
        // A removed file is reported by its name.
        if self.before.is_some_and(|before| before.knows_names_in(folder)) {
            return;
        }
        let is_explained = self.leads_to_checkout(folder) || self.is_explained(settling, folder);
        if is_explained || only_holds_a_place(settling.scope.root(), folder) {
            return;
        }
        let Some(why) = self.why(settling, folder, Access::Write) else { return };
        let undo = format!(
            "compare it with `git status -- {}`, restore what this call removed and remove what it added",
            quoted(if folder.is_empty() { "." } else { folder })
        );
        let why = format!("entries of the folder were added, removed or renamed. {why}");
        drifts.add_folder(folder, why, undo);
    }

    /// Returns whether its changed entries explain that the entries of a folder changed: the scope includes some of
    /// them, or other writers made all of them.
    fn is_explained(&self, settling: &Settling<'_>, folder: &str) -> bool {
        // The watched files are compared one by one, and steersman itself adds entries to their folders.
        if matches!(folder, ".ai" | ".orchestration") || (folder.is_empty() && self.before.is_none()) {
            return true;
        }
        if self.others.has_undone_in(folder) {
            return true;
        }
        let Some(intent) = self.intent else { return false };
        let Some(new) = self.entries.get().and_then(|entries| entries.get(folder)) else { return false };
        let root = settling.scope.root();
        new.iter().any(|path| intent.owned_scope.iter().any(|pattern| pattern.matches(path)))
            || new.iter().all(|path| self.others.explains(root, path))
    }

    /// Adds the tracked files out of scope to `drifts` that are missing from changed folders. A file that was deleted
    /// before the call looks the same as one that the call deleted, so each is reported once in a session.
    fn deleted(&self, settling: &Settling<'_>, drifts: &mut Drifts, rest: &mut LeftChanges) {
        let Some(Changes { folders, changed_folders, ignored_folders, watched, .. }) = self.changes else {
            return;
        };
        let scope = &settling.scope;
        let folders: BTreeSet<String> =
            folders.iter().chain(changed_folders).chain(ignored_folders).cloned().collect();
        if folders.is_empty() {
            return;
        }
        let left_out = self.sparse_changed || !watched.is_sparse_checkout();
        let is_named = |file: &str| {
            let mut above = file.match_indices('/').map(|(at, _)| &file[..at]);
            self.named.contains(file) || above.any(|folder| self.named.contains(folder))
        };
        for file in self.others.git_index().missing(scope.root(), &folders, left_out) {
            if is_named(file) {
                continue;
            }
            if settling.is_late() {
                rest.files.push(file.to_owned());
                continue;
            }
            let why = if drifts.only_counts() && !self.is_possible(file) {
                String::new()
            } else {
                match self.why(settling, file, Access::Delete) {
                    Some(why) => why.lines().next().unwrap_or_default().to_owned(),
                    None => continue,
                }
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
    fn trace(
        &self,
        settling: &mut Settling<'_>,
        files: Vec<String>,
        since: FileSystemTime,
        settled: &mut Settled,
    ) -> Vec<String> {
        let Some(intent) = self.intent else { return Vec::new() };
        let mut files = files.into_iter();
        while let Some(file) = files.next() {
            if settling.is_late() {
                return [file].into_iter().chain(files).collect();
            }
            let began = Instant::now();
            self.trace_file(settling, intent, &file, since, settled);
            settling.traced_for += began.elapsed();
        }
        Vec::new()
    }

    fn trace_file(
        &self,
        settling: &mut Settling<'_>,
        intent: &Intent,
        file: &str,
        began: FileSystemTime,
        settled: &mut Settled,
    ) {
        let path = settling.scope.root().join(file);
        // A running call that named the file traces it itself, with its lines.
        if self.others.is_being_written(file) {
            return;
        }
        // Many programs write a new file and rename it over the old one.
        let is_new = began.saw_the_birth_of(&path) && !self.others.git_index().has(file);
        let before = if is_new { Before::Absent } else { Before::Unknown };
        let now = match file_change(&path, &before, None) {
            Ok(Some(now)) => now,
            Ok(None) => {
                if path.as_path().symlink_metadata().is_err() {
                    let (intent_id, file) = (intent.id.clone(), file.to_owned());
                    settling.events.push(emitted(&FileDeleted { intent_id, file, before: None }));
                }
                return;
            }
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                let (intent_id, file) = (intent.id.clone(), file.to_owned());
                return settling.events.push(emitted(&FileUntraced { intent_id, file }));
            }
            Err(_) => return,
        };
        // Another call of this or another session wrote it and reports it.
        if self.others.has_traced(file, &now.content_hash) {
            return;
        }
        let Ok(real) = path.below(settling.scope.root()) else { return };
        let (hunks, marks) = (now.hunks.as_deref().and_then(FileWritten::kept), now.marks.clone());
        let record = settling.record(intent, &real, self.tool, now);
        settling.events.push(emitted(&FileWritten {
            intent_id: intent.id.clone(),
            file: file.to_owned(),
            class: record.mutation_class,
            before: None,
            after: record.content_hash.clone(),
            hunks,
            marks: marks.as_ref().and_then(LineMarks::kept),
            line: Some(record.line_hash()),
        }));
        settled.records.push(record);
    }
}

/// Judges folders until the time is up; returns the rest.
fn until_late(
    settling: &Settling<'_>,
    folders: BTreeSet<String>,
    mut judge: impl FnMut(&str),
) -> BTreeSet<String> {
    let mut folders = folders.into_iter();
    while let Some(folder) = folders.next() {
        if settling.is_late() {
            return [folder].into_iter().chain(folders).collect();
        }
        judge(&folder);
    }
    BTreeSet::new()
}

/// Returns the changed files and new folders by the folder they are in.
fn entries_by_folder(changes: &LeftChanges) -> HashMap<String, Vec<String>> {
    let mut entries: HashMap<String, Vec<String>> = HashMap::new();
    for path in changes.files.iter().chain(&changes.new_folders) {
        let folder = path.rsplit_once('/').map_or("", |(above, _)| above);
        // Most files share their folder.
        match entries.get_mut(folder) {
            Some(known) => known.push(path.clone()),
            None => drop(entries.insert(folder.to_owned(), vec![path.clone()])),
        }
    }
    entries
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
