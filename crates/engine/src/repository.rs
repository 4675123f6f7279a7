//! A git repository as its files show it, for those who wait for its commits.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns the folder in which git keeps the repository that a folder is the work tree of, or a part of.
pub fn git_dir_around(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().find_map(git_dir)
}

/// Returns git's journal of where HEAD has been: a line for every commit, and how it came about.
pub fn journal(git_dir: &Path) -> PathBuf {
    git_dir.join("logs/HEAD")
}

/// Returns whether git keeps no journal although there are commits to tell of.
pub fn is_untold(git_dir: &Path) -> bool {
    if journal(git_dir).is_file() {
        return false;
    }
    let common = common_dir(git_dir);
    let has_branches = fs::read_dir(common.join("refs/heads")).is_ok_and(|mut it| it.next().is_some());
    has_branches || common.join("reftable").is_dir() || common.join("packed-refs").is_file()
}

fn git_dir(folder: &Path) -> Option<PathBuf> {
    let dot_git = folder.join(".git");
    if dot_git.is_dir() {
        return Some(dot_git);
    }
    // A worktree or submodule: a file that says where its repository is.
    let text = fs::read_to_string(&dot_git).ok()?;
    Some(folder.join(text.trim().strip_prefix("gitdir:")?.trim()))
}

/// Returns where the branches are: a worktree shares them with its repository.
fn common_dir(git_dir: &Path) -> PathBuf {
    let shared = fs::read_to_string(git_dir.join("commondir")).ok();
    shared.map_or_else(|| git_dir.to_path_buf(), |text| git_dir.join(text.trim()))
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
        assert_eq!(git_dir_around(&dir.path().join("deep/er")), Some(git.clone()));
        assert!(!is_untold(&git), "nothing was committed yet");
        fs::write(git.join("refs/heads/main"), "1").unwrap();
        assert!(is_untold(&git));
        let side = git.join("worktrees/side");
        fs::create_dir_all(&side).unwrap();
        fs::write(side.join("commondir"), "../..\n").unwrap();
        assert!(is_untold(&side), "its branches are those of its repository");
        for git_dir in [&git, &side] {
            fs::create_dir_all(git_dir.join("logs")).unwrap();
            fs::write(journal(git_dir), "line\n").unwrap();
            assert!(!is_untold(git_dir));
        }
    }
}
