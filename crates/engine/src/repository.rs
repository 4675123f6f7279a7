//! Reads a git repository's files to find its reflog, which lists its commits.

use std::fs;
use std::path::{Path, PathBuf};

use store::common_git_dir;

/// Returns the path of HEAD's reflog, which has a line for every commit and the command that made it.
pub fn reflog(git_dir: &Path) -> PathBuf {
    git_dir.join("logs/HEAD")
}

/// Returns whether the repository has commits but no reflog.
pub fn lacks_reflog(git_dir: &Path) -> bool {
    if reflog(git_dir).is_file() {
        return false;
    }
    let common = common_git_dir(git_dir);
    let has_branches = fs::read_dir(common.join("refs/heads")).is_ok_and(|mut it| it.next().is_some());
    has_branches || common.join("reftable").is_dir() || common.join("packed-refs").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_without_a_journal_is_noticed_once_there_are_commits() {
        let dir = tempfile::tempdir().unwrap();
        let git = dir.path().join(".git");
        fs::create_dir_all(git.join("refs/heads")).unwrap();
        fs::create_dir_all(dir.path().join("deep/er")).unwrap();
        assert_eq!(store::git_dir_around(&dir.path().join("deep/er")), Some(git.clone()));
        assert!(!lacks_reflog(&git), "nothing was committed yet");
        fs::write(git.join("refs/heads/main"), "1").unwrap();
        assert!(lacks_reflog(&git));
        let side = git.join("worktrees/side");
        fs::create_dir_all(&side).unwrap();
        fs::write(side.join("commondir"), "../..\n").unwrap();
        assert!(lacks_reflog(&side), "its branches are those of its repository");
        for git_dir in [&git, &side] {
            fs::create_dir_all(git_dir.join("logs")).unwrap();
            fs::write(reflog(git_dir), "line\n").unwrap();
            assert!(!lacks_reflog(git_dir));
        }
    }
}
