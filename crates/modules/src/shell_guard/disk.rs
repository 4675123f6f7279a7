//! The real files and git repositories, for commands that run scripts or move checkouts.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

use automation::{ServedWorkspace, ServerRecord};
use event::{AbsPath, Detail};
use shell::{GitAnswer, GitChange};
use store::Workspace;

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

    fn list(&self, folder: &str, limit: usize) -> Vec<String> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().take(limit);
        let name = |entry: std::fs::DirEntry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder { format!("{name}/") } else { name }
        };
        entries.map(name).collect()
    }

    fn behind_links(&self, path: &str) -> Option<String> {
        let real = followed(Path::new(path));
        real.to_str().filter(|real| *real != path).map(str::to_owned)
    }

    fn git_status(&self, path: &str) -> Option<shell::GitStatus> {
        intent::trace::git_status(Path::new(path))
    }

    fn page_ports(&self, workspace: &str, user_state: Option<&str>) -> Vec<u16> {
        let own = AbsPath::new(workspace)
            .ok()
            .and_then(|root| ServerRecord::of_holder(&Workspace::at(root).automation_server()));
        let state = user_state.and_then(|state| AbsPath::new(state).ok());
        let served = state.map(|state| ServedWorkspace::all(&state)).unwrap_or_default();
        let mut ports: Vec<u16> =
            own.into_iter().chain(served.into_iter().map(|it| it.server)).filter_map(|it| it.port).collect();
        ports.sort_unstable();
        ports.dedup();
        ports
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
