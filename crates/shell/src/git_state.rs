//! The questions about a git repository that a reading may ask, and their answers.

/// The state of a file, or of the files in a folder, in git.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GitStatus {
    /// git tracks some of it.
    pub tracked: bool,
    /// Some tracked file differs from the last commit.
    pub changed: bool,
    /// Some existing file is not tracked.
    pub untracked: bool,
}

/// A way in which git changes the files of a checkout, by the commits or files it takes them from.
///
/// Revisions are spelled as on the command line. They never start with `-`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GitChange {
    /// One tree replaces another: `switch`, `reset --hard`, `restore --source`. `None` is the empty tree.
    Between {
        /// The tree that is replaced.
        from: Option<String>,
        /// The tree that replaces it.
        to: String,
    },
    /// The changes of this commit since its common ancestor with `HEAD` arrive: `merge`, `pull`.
    Merge(String),
    /// Own commits move onto this one, which git checks out first unless `HEAD` contains it: `rebase`.
    Rebase(String),
    /// The changes of this commit against each of its parents are repeated or undone: `cherry-pick`, `revert`.
    Commit(String),
    /// The changes of any commit in `a..b` or `a...b`: a range of picks, `bisect`.
    Range(String),
    /// Tracked files that differ from the index leave the disk: `stash`.
    Changed,
    /// Untracked files leave the disk: `stash -u`, `clean`.
    Untracked,
    /// Untracked and ignored files leave the disk: `stash -a`, `clean -x`.
    Ignored,
}

/// The answer to a [`GitChange`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GitAnswer {
    /// The absolute paths of the governing files that change.
    Files(Vec<String>),
    /// The repository has no such revision: git will refuse the command, unless the line creates it first.
    NoRevision,
    /// git is not installed, takes too long, or refuses to read the repository.
    Unavailable,
}
