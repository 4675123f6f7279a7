//! Waits while a process deletes the server's records: `git clean`, or a deletion of the whole workspace.
//!
//! WHY the server waits: `rm -rf` fails if a file appears in a folder that it is emptying. Nothing tells
//! the two apart before the workspace is gone, so the server creates no file until the deletions have
//! stopped and a program writes in the workspace again.

use std::path::Path;
use std::time::{Duration, Instant};

use store::Workspace;

use super::Server;
use crate::editor_files::is_editor_file;

/// How long no file must have been deleted.
const QUIET: Duration = Duration::from_secs(2);
/// When the server recreates its records although nothing was written. A large folder may take this long to
/// delete, and the watcher does not see deletions in ignored folders.
const AT_LATEST: Duration = Duration::from_secs(30);

/// A deletion of the records.
#[derive(Debug)]
pub(super) struct Deletion {
    since: Instant,
    last_removal: Instant,
    has_writes: bool,
}

impl Deletion {
    fn noticed(now: Instant) -> Self {
        Self { since: now, last_removal: now, has_writes: false }
    }

    fn note(&mut self, has_removals: bool, has_writes: bool, now: Instant) {
        if has_removals {
            self.last_removal = now;
        }
        self.has_writes |= has_writes;
    }

    /// Returns whether the server may recreate its records; `has_queue` if another process created a queue.
    fn is_over(&self, now: Instant, has_queue: bool) -> bool {
        let is_in_use = has_queue || self.has_writes || now >= self.since + AT_LATEST;
        now >= self.last_removal + QUIET && is_in_use
    }
}

impl Server<'_> {
    /// Returns whether the server must not create a file now because its records were deleted. After the
    /// deletion it recreates them and returns `false`.
    pub(super) fn waits_for_deletion(&mut self, now: Instant) -> bool {
        if are_in_place(&self.workspace) {
            self.deletion = None;
            return false;
        }
        let mut deletion = self.deletion.take().unwrap_or_else(|| Deletion::noticed(now));
        let changes = self.changes.take();
        // A save is a sign that a user or a program uses the workspace, and so is the queue of an `emit`; the server's
        // own last writes and those of git are not.
        let has_writes = changes.written.iter().any(|path| self.is_save(path));
        // An editor removes its own files at every save.
        let has_removals = changes.gone.iter().any(|path| !is_editor_file(path));
        self.apply_file_changes(changes, now);
        // A file that was saved just before the deletion and is still there was not meant by it.
        let has_writes = has_writes || self.saves.unsettled().any(|path| path.is_file());
        deletion.note(has_removals, has_writes, now);
        let is_over = deletion.is_over(now, self.workspace.automation_queue().as_path().exists());
        self.deletion = Some(deletion);
        if is_over {
            // If this fails, as on a full disk, the next step tries again.
            let _ = self.workspace.make_tmp_dir();
            self.engine.recreate_queue();
        }
        !is_over
    }

    /// Returns whether the folder in which the server started was deleted, also before the start was complete, or
    /// replaced by another one.
    pub(super) fn is_workspace_gone(&self) -> bool {
        self.root_id.is_none() || file_id(self.workspace.root().as_path()) != self.root_id
    }
}

/// Returns whether all files exist that the server keeps in the workspace.
fn are_in_place(workspace: &Workspace) -> bool {
    let files = [workspace.automation_server(), workspace.automation_queue(), workspace.tmp_ignore_file()];
    files.iter().all(|file| file.as_path().exists())
}

/// The device and the number of a file or folder.
pub(super) type FileId = (u64, u64);

/// Returns which file or folder a path leads to. Returns `None` if it does not exist.
#[cfg(unix)]
pub(super) fn file_id(path: &Path) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt;
    let meta = std::fs::metadata(path).ok()?;
    Some((meta.dev(), meta.ino()))
}

/// Returns a constant for an existing file or folder: this system has no number for it.
#[cfg(not(unix))]
pub(super) fn file_id(path: &Path) -> Option<FileId> {
    path.exists().then_some((0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_recreated_two_seconds_after_the_last_removal_once_somebody_writes() {
        let start = Instant::now();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let mut deletion = Deletion::noticed(start);
        deletion.note(true, false, at(1));
        assert!(!deletion.is_over(at(10), false), "nothing was written");
        assert!(deletion.is_over(at(10), true), "`emit` created a queue");
        deletion.note(false, true, at(10));
        assert!(deletion.is_over(at(10), false));
        deletion.note(true, false, at(10));
        assert!(!deletion.is_over(at(11), false));
        assert!(deletion.is_over(at(12), false));
    }

    #[test]
    fn without_a_write_they_are_recreated_after_half_a_minute() {
        let start = Instant::now();
        let deletion = Deletion::noticed(start);
        assert!(!deletion.is_over(start + Duration::from_secs(29), false));
        assert!(deletion.is_over(start + Duration::from_secs(30), false));
    }
}
