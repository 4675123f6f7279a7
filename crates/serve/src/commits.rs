//! Commits, read off the repository's own journal of where HEAD has been.
//!
//! WHY the reflog: git writes a line for every way a commit can come about and says which it
//! was; no hook has to be installed, and worktrees have one each.

use std::fs;
use std::path::{Path, PathBuf};

use automation::{CommitKind, What};

/// A repository, from its journal's end on.
#[derive(Debug)]
pub(crate) struct Commits {
    repo_root: PathBuf,
    git_dir: PathBuf,
    offset: u64,
}

/// What happened to HEAD.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Moves {
    /// Commits that were made.
    pub(crate) commits: Vec<What>,
    /// Whether git itself has written files: another branch, a reset, a merge.
    pub(crate) wrote_files: bool,
}

impl Commits {
    /// Finds the repository whose work tree this is; commits from now on count.
    pub(crate) fn of(root: &Path) -> Option<Self> {
        let dot_git = root.join(".git");
        let git_dir = if dot_git.is_dir() {
            dot_git
        } else {
            // A worktree or submodule: a file that says where its repository is.
            let text = fs::read_to_string(&dot_git).ok()?;
            root.join(text.trim().strip_prefix("gitdir:")?.trim())
        };
        let mut commits = Self { repo_root: root.to_path_buf(), git_dir, offset: 0 };
        commits.offset = fs::metadata(commits.journal()).map_or(0, |meta| meta.len());
        Some(commits)
    }

    /// Returns the folder to watch for new lines.
    pub(crate) fn folder(&self) -> PathBuf {
        self.git_dir.join("logs")
    }

    /// Returns whether git is at work on the files right now.
    pub(crate) fn is_busy(&self) -> bool {
        let lock = fs::metadata(self.git_dir.join("index.lock")).and_then(|meta| meta.modified());
        lock.is_ok_and(|since| since.elapsed().is_ok_and(|age| age.as_secs() < 60))
    }

    /// Reads the lines that were added since the last look.
    pub(crate) fn look(&mut self) -> Moves {
        let Ok(bytes) = fs::read(self.journal()) else {
            self.offset = 0;
            return Moves::default();
        };
        // A journal that was cut (gc, a new clone in its place) begins anew.
        let from = usize::try_from(self.offset).unwrap_or(usize::MAX).min(bytes.len());
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        self.offset = whole as u64;
        let text = String::from_utf8_lossy(bytes.get(from..whole).unwrap_or_default()).into_owned();
        let mut moves = Moves::default();
        for line in text.lines() {
            self.read(line, &mut moves);
        }
        moves
    }

    fn read(&self, line: &str, moves: &mut Moves) {
        let Some((head, action)) = line.split_once('\t') else { return };
        let Some(commit) = head.split(' ').nth(1) else { return };
        let kind = kind_of(action);
        moves.wrote_files |= writes_files(action);
        if let Some(how) = kind {
            moves.commits.push(What::Commit {
                repo_root: self.repo_root.display().to_string(),
                commit: commit.to_owned(),
                how,
                branch: self.branch(),
            });
        }
    }

    fn branch(&self) -> Option<String> {
        let head = fs::read_to_string(self.git_dir.join("HEAD")).ok()?;
        head.trim().strip_prefix("ref: refs/heads/").map(str::to_owned)
    }

    fn journal(&self) -> PathBuf {
        self.folder().join("HEAD")
    }
}

/// Tells how a commit came about; what only moves HEAD makes none.
fn kind_of(action: &str) -> Option<CommitKind> {
    let verb = action.split(':').next().unwrap_or_default();
    match verb {
        "commit" | "commit (initial)" | "cherry-pick" | "revert" | "commit (cherry-pick)" => {
            Some(CommitKind::Commit)
        }
        "commit (amend)" => Some(CommitKind::Amend),
        "commit (merge)" => Some(CommitKind::Merge),
        _ if verb.starts_with("merge ") || verb.starts_with("pull") => {
            (!action.contains("Fast-forward") && action.contains("Merge made")).then_some(CommitKind::Merge)
        }
        // A rebase is told once, when it is finished, not for each commit it picks.
        _ if verb.ends_with("(finish)") && verb.contains("rebase") => Some(CommitKind::Rebase),
        _ => None,
    }
}

fn writes_files(action: &str) -> bool {
    !(action.starts_with("commit") || action.starts_with("branch") || action.starts_with("Branch"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ways_a_commit_comes_about_are_told_apart() {
        for (action, kind, files) in [
            ("commit: add x", Some(CommitKind::Commit), false),
            ("commit (initial): begin", Some(CommitKind::Commit), false),
            ("commit (amend): add x", Some(CommitKind::Amend), false),
            ("commit (merge): Merge branch 'a'", Some(CommitKind::Merge), false),
            ("merge a: Merge made by the 'ort' strategy.", Some(CommitKind::Merge), true),
            ("merge a: Fast-forward", None, true),
            ("pull: Fast-forward", None, true),
            ("rebase (start): checkout main", None, true),
            ("rebase (pick): add x", None, true),
            ("rebase (finish): returning to refs/heads/a", Some(CommitKind::Rebase), true),
            ("rebase -i (finish): returning to refs/heads/a", Some(CommitKind::Rebase), true),
            ("cherry-pick: add x", Some(CommitKind::Commit), true),
            ("checkout: moving from main to a", None, true),
            ("reset: moving to HEAD~1", None, true),
        ] {
            assert_eq!((kind_of(action), writes_files(action)), (kind, files), "{action}");
        }
    }
}
