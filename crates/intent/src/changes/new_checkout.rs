//! A linked checkout (`git worktree add`) that was made since a call began.
//!
//! Its files are new, and yet the repository's own, as long as they are as git wrote them: the checkout's index says
//! how. A file that another program added or changed there counts.

use event::AbsPath;

use super::folder_entries::EntryState;
use crate::trace::GitIndex;

/// A checkout with its index.
#[derive(Debug)]
pub(super) struct NewCheckout {
    /// The folder, relative to the workspace, with a final slash.
    prefix: String,
    index: GitIndex,
}

impl NewCheckout {
    /// Reads the index of the checkout in a folder of the workspace.
    pub(super) fn of(workspace: &AbsPath, folder: &str) -> Self {
        Self { prefix: format!("{folder}/"), index: GitIndex::of(&workspace.join(folder)) }
    }

    /// Returns whether a file is as git wrote it.
    pub(super) fn has_in_place(&self, path: &str, state: &EntryState) -> bool {
        path.strip_prefix(&self.prefix).is_some_and(|path| {
            path == ".git" || self.index.is_in_place(path, state.inode, state.size, state.content_ns)
        })
    }
}
