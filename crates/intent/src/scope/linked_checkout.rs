//! Linked checkouts (`git worktree`) of the workspace's own repository that lie inside the workspace.
//!
//! WHY: agent programs make them for a task (`.claude/worktrees/NAME`) and continue the session there. A file in one
//! is the same file of the repository, so the patterns of an intent apply to its path in the checkout.

use std::fs;
use std::path::Path;

use event::AbsPath;
use store::{common_git_dir, dot_git_named_by, git_dir, git_dir_around};

/// The folder of linked checkouts in a repository's git folder.
const WORKTREES: &str = "worktrees";

/// Returns the path of a file in the linked checkout that contains it, relative to where the workspace's root would
/// be in that checkout. `path` is relative to `root`. Returns `None` if no linked checkout contains the file.
pub(super) fn path_in_checkout(root: &AbsPath, path: &str) -> Option<String> {
    let mut splits = path.match_indices('/').map(|(at, _)| (&path[..at], &path[at + 1..]));
    let (_, inside) = splits.find(|(folder, _)| is_linked_checkout(root, folder))?;
    match root_in_repository(root)?.as_str() {
        "" => Some(inside.to_owned()),
        folder => inside.strip_prefix(folder)?.strip_prefix('/').map(str::to_owned),
    }
}

/// Returns whether a folder, relative to the workspace, is a linked checkout of the workspace's repository.
pub(crate) fn is_linked_checkout(root: &AbsPath, folder: &str) -> bool {
    let dot_git = root.join(folder).as_path().join(".git");
    // In a linked checkout `.git` is a file. One `stat` for all other folders.
    if !fs::symlink_metadata(&dot_git).is_ok_and(|meta| meta.is_file()) {
        return false;
    }
    let Some(own) = git_dir(&dot_git) else { return false };
    let shared = |git: &Path| common_git_dir(git).canonicalize().ok();
    let repository = git_dir_around(root.as_path()).and_then(|git| shared(&git));
    // Only git creates a folder there, and it names the checkout back.
    let registered = own.canonicalize().ok().and_then(|own| own.parent().map(Path::to_path_buf));
    repository.is_some()
        && registered == repository.map(|git| git.join(WORKTREES))
        && names_back(&own, &dot_git)
}

/// Returns whether the repository's record of a checkout names this checkout.
fn names_back(git_dir: &Path, dot_git: &Path) -> bool {
    let named = dot_git_named_by(git_dir).and_then(|path| path.canonicalize().ok());
    named.is_some() && named == dot_git.canonicalize().ok()
}

/// Returns the workspace's root relative to the checkout it lies in; empty if it is the checkout's root.
fn root_in_repository(root: &AbsPath) -> Option<String> {
    let top = root.as_path().ancestors().find(|folder| git_dir(&folder.join(".git")).is_some())?;
    root.as_path().strip_prefix(top).ok()?.to_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a repository with a linked checkout as git lays them out.
    fn repository(root: &Path, checkout: &str) {
        let record = root.join(".git/worktrees/side");
        let checkout = root.join(checkout);
        fs::create_dir_all(&record).unwrap();
        fs::create_dir_all(checkout.join("src")).unwrap();
        fs::write(record.join("commondir"), "../..\n").unwrap();
        fs::write(record.join("gitdir"), format!("{}\n", checkout.join(".git").display())).unwrap();
        fs::write(checkout.join(".git"), format!("gitdir: {}\n", record.display())).unwrap();
    }

    #[test]
    fn a_file_in_a_linked_checkout_has_its_path_in_the_repository() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        repository(&top, ".claude/worktrees/x");
        fs::create_dir_all(top.join("fake/.git")).unwrap();
        fs::create_dir_all(top.join("false")).unwrap();
        fs::write(top.join("false/.git"), format!("gitdir: {}\n", top.join(".git/worktrees/side").display()))
            .unwrap();
        let root = AbsPath::new(&top).unwrap();
        for (path, expected) in [
            (".claude/worktrees/x/src/a.js", Some("src/a.js")),
            (".claude/worktrees/x/new/deep/b.js", Some("new/deep/b.js")),
            (".claude/worktrees/x", None),
            (".claude/worktrees/y/src/a.js", None),
            ("src/a.js", None),
            ("fake/src/a.js", None),
            ("false/src/a.js", None),
        ] {
            assert_eq!(path_in_checkout(&root, path).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn a_workspace_within_a_repository_has_its_own_folder_in_the_checkout() {
        let dir = tempfile::tempdir().unwrap();
        let top = dir.path().canonicalize().unwrap();
        repository(&top, "pkg/.claude/worktrees/x");
        let root = AbsPath::new(top.join("pkg")).unwrap();
        for (path, expected) in
            [(".claude/worktrees/x/pkg/src/a.js", Some("src/a.js")), (".claude/worktrees/x/src/a.js", None)]
        {
            assert_eq!(path_in_checkout(&root, path).as_deref(), expected, "{path}");
        }
    }
}
