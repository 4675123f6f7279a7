//! The real files and git repositories, for commands that run scripts or move checkouts.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use event::Detail;
use shell::{GitAnswer, GitChange};

use super::git_changes;
use crate::Context;
use crate::call_folder::followed;

/// How long git may take for one answer to a command of the user.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// Reads regular files only: opening a pipe or a device could block forever.
#[derive(Debug, Clone, Copy)]
pub struct Disk;

impl shell::Files for Disk {
    fn read(&self, path: &str, limit: usize) -> Option<Vec<u8>> {
        let is_file = std::fs::metadata(path).is_ok_and(|meta| meta.is_file());
        let file = is_file.then(|| File::open(path).ok()).flatten()?;
        let mut bytes = Vec::new();
        file.take(limit as u64).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    fn is_dir(&self, path: &str) -> bool {
        Path::new(path).is_dir()
    }

    fn exists(&self, path: &str) -> bool {
        Path::new(path).symlink_metadata().is_ok()
    }

    fn behind_links(&self, path: &str) -> Option<String> {
        let real = followed(Path::new(path));
        real.to_str().filter(|real| *real != path).map(str::to_owned)
    }

    fn git_status(&self, path: &str) -> Option<shell::GitStatus> {
        intent::trace::git_status(Path::new(path))
    }
}

impl shell::Git for Disk {
    fn changes(&self, folder: &str, change: &GitChange) -> Option<GitAnswer> {
        Some(git_changes::answer(Path::new(folder), change, MAX_WAIT))
    }
}

/// During an event git may take half of the time that the run has left, and is not asked once the call has run.
impl shell::Git for Context<'_> {
    fn changes(&self, folder: &str, change: &GitChange) -> Option<GitAnswer> {
        let time = self.deadline.left(Instant::now()) / 2;
        matches!(self.event.detail, Detail::PreToolUse { .. })
            .then(|| git_changes::answer(Path::new(folder), change, time))
    }
}
