//! A linked checkout (`git worktree add`) that was made since a call began.
//!
//! Its files are new, and yet the repository's own, as long as they are as git wrote them: the checkout's index says
//! how. A file that another program added or changed there counts, also if git then recorded it.
//!
//! WHY the birth of the index tells: git creates the new index before it writes the files of a checkout, and creates
//! another one each time it records a change. So a file older than the index was recorded afterwards, with whatever
//! content it had. One as old as the index, in the steps of the file system's clock, may have been.

use event::AbsPath;
use store::{creation_time, git_dir};

use super::folder_entries::EntryState;
use crate::trace::GitIndex;

/// A checkout with its index.
#[derive(Debug)]
pub(super) struct NewCheckout {
    /// The folder, relative to the workspace, with a final slash.
    prefix: String,
    index: GitIndex,
    /// When the index was created, in nanoseconds. `None` if the file system does not record it.
    index_born: Option<u128>,
    /// The index of the workspace.
    of_workspace: GitIndex,
}

impl NewCheckout {
    /// Reads the index of the checkout in a folder of the workspace.
    pub(super) fn of(workspace: &AbsPath, folder: &str) -> Self {
        let checkout = workspace.join(folder);
        let index = git_dir(checkout.child(".git").as_path()).map(|git| git.join("index"));
        let index = index.and_then(|index| AbsPath::new(index).ok());
        Self {
            prefix: format!("{folder}/"),
            index: GitIndex::of(&checkout),
            index_born: index.and_then(|index| creation_time(&index)),
            of_workspace: GitIndex::of(workspace),
        }
    }

    /// Returns whether a file is as git wrote it: while it made the checkout, or with the content that the workspace has at
    /// this path, too.
    pub(super) fn has_in_place(&self, path: &str, state: &EntryState) -> bool {
        let Some(path) = path.strip_prefix(&self.prefix) else { return false };
        if path == ".git" {
            return true;
        }
        let is_of_checkout = self.index_born.is_some_and(|born| state.newest_ns > born);
        let is_in_workspace = || {
            let blob = self.index.blob(path);
            blob.is_some() && blob == self.of_workspace.blob(path)
        };
        self.index.is_in_place(path, state.inode, state.size, state.content_ns)
            && (is_of_checkout || is_in_workspace())
    }
}
