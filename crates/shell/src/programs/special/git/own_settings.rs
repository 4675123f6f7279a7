//! git: repositories other than the workspace's, whose settings an agent could have written.
//!
//! WHY: `git status` runs the programs of `core.fsmonitor` and other settings of the repository it is in. The
//! workspace's own `.git` is governed; a second one below it, or in a folder for temporary files, is not.

use super::globals::Globals;
use crate::path::normalise;
use crate::reading::Doubt;
use crate::walk::{Call, Walker};

/// Folders that every program may write to.
const TEMPORARY: [&str; 5] = ["/tmp", "/var/tmp", "/dev/shm", "/private/tmp", "/private/var/tmp"];

/// The maximum number of folders to search for a repository, from the one where git runs upwards. A folder deeper below the
/// workspace is a doubt: a repository may lie between.
const LEVELS: usize = 16;

/// Records a doubt if git takes its settings from a repository that the agent could have made.
pub(super) fn check(walker: &mut Walker<'_>, call: &Call, global: &Globals) {
    let workspace = walker.reading.workspace.clone();
    if let Some(git_dir) = &global.git_dir {
        let path = walker.resolve(git_dir).0;
        if path != format!("{workspace}/.git") {
            walker.doubt(Doubt::Effects, format!("--git-dir {}", git_dir.text), call.span);
        }
        return;
    }
    // The call is followed in the folder of `-C` already.
    let Some(folder) = walker.cwd().map(normalise).filter(|folder| *folder != workspace) else { return };
    if let Some(repository) = own_repository(walker, &folder, &workspace) {
        walker.doubt(Doubt::Effects, repository, call.span);
    }
}

/// Returns the nearest repository at or above `folder` if it lies inside of the workspace or among temporary files, or the
/// folder at which the search gave up.
fn own_repository(walker: &Walker<'_>, folder: &str, workspace: &str) -> Option<String> {
    let is_writable = |path: &str| {
        let is_below = |base: &str| path.strip_prefix(base).is_some_and(|rest| rest.starts_with('/'));
        is_below(workspace) || TEMPORARY.iter().any(|base| is_below(base))
    };
    let mut at = folder;
    for _ in 0..LEVELS {
        // The workspace's own repository is governed, wherever the workspace lies.
        if at == workspace || !is_writable(at) {
            return None;
        }
        let files = walker.place.files;
        let git = format!("{at}/.git");
        if files.exists(&git) {
            let is_module = || {
                // A submodule's `.git` is a file that leads into the governed folder.
                let content = files.read(&git, 512).unwrap_or_default();
                let content = String::from_utf8_lossy(&content);
                let target = known_files::git_dir_named(&content).map(|target| {
                    if target.starts_with('/') {
                        normalise(target)
                    } else {
                        normalise(&format!("{at}/{target}"))
                    }
                });
                target.is_some_and(|target| target.starts_with(&format!("{workspace}/.git/")))
            };
            return (files.is_dir(&git) || !is_module()).then_some(git);
        }
        if files.is_dir(&format!("{at}/objects")) && files.exists(&format!("{at}/HEAD")) {
            return Some(at.to_owned());
        }
        at = at.rsplit_once('/').map(|(parent, _)| parent)?;
    }
    Some(at.to_owned())
}
