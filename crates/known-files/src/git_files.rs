//! The files of a git folder that decide which programs git runs, which files it hides and what it reads.
//!
//! The checked-out commit and the branches (`HEAD`, `refs`) are not among them: git moves these at every commit, and logs
//! each move.

/// The files that all checkouts of a repository share. Of a folder every file in it counts.
pub const GIT_SHARED: [&str; 9] = [
    "branches",
    "config",
    "hooks",
    "info/attributes",
    "info/exclude",
    "info/grafts",
    "objects/info/alternates",
    "objects/info/http-alternates",
    "remotes",
];

/// The files that each checkout has of its own. `commondir` makes git take all shared files from another folder, in the
/// main checkout, too.
pub const GIT_OF_CHECKOUT: [&str; 3] = ["commondir", "config.worktree", "gitdir"];

/// The names at the top of a git folder that git itself, its hooks or its large-file programs use, besides those above
/// and names that end with `.lock`.
///
/// `description` is not among them: git writes it only when it creates the repository.
const GIT_NAMES: [&str; 59] = [
    "ADD_EDIT.patch",
    "AUTO_MERGE",
    "BISECT_ANCESTORS_OK",
    "BISECT_EXPECTED_REV",
    "BISECT_FIRST_PARENT",
    "BISECT_HEAD",
    "BISECT_LOG",
    "BISECT_NAMES",
    "BISECT_RUN",
    "BISECT_START",
    "BISECT_TERMS",
    "CHERRY_PICK_HEAD",
    "COMMIT_EDITMSG",
    "EDIT_DESCRIPTION",
    "FETCH_HEAD",
    "GITGUI_BCK",
    "GITGUI_EDITMSG",
    "GITGUI_MSG",
    "HEAD",
    "MERGE_AUTOSTASH",
    "MERGE_HEAD",
    "MERGE_MODE",
    "MERGE_MSG",
    "MERGE_RR",
    "NOTES_EDITMSG",
    "NOTES_MERGE_PARTIAL",
    "NOTES_MERGE_REF",
    "NOTES_MERGE_WORKTREE",
    "ORIG_HEAD",
    "PREPARE_COMMIT_MSG",
    "REBASE_HEAD",
    "REVERT_HEAD",
    "SQUASH_MSG",
    "TAG_EDITMSG",
    "addp-hunk-edit.diff",
    "annex",
    "filter-repo",
    "fsmonitor--daemon",
    "fsmonitor--daemon.ipc",
    "gc.log",
    "gc.pid",
    "gitk.cache",
    "index",
    "info",
    "lfs",
    "logs",
    "modules",
    "objects",
    "packed-refs",
    "rebase-apply",
    "rebase-merge",
    "refs",
    "reftable",
    "rr-cache",
    "sequencer",
    "shallow",
    "subtree-cache",
    "svn",
    "worktrees",
];

/// Returns whether git uses this name at the top of its folder.
pub fn is_git_name(name: &str) -> bool {
    let watched = || GIT_SHARED.into_iter().chain(GIT_OF_CHECKOUT).any(|known| known == name);
    GIT_NAMES.binary_search(&name).is_ok()
        || watched()
        || name.strip_suffix(".lock").is_some()
        || name.starts_with("sharedindex.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_git_uses_are_known_and_others_are_not() {
        assert!(GIT_NAMES.is_sorted());
        for name in ["HEAD", "config", "hooks", "worktrees", "index.lock", "sharedindex.0123", "commondir"] {
            assert!(is_git_name(name), "{name}");
        }
        for name in ["description", "payload.sh", "head", "EVIL", "lock"] {
            assert!(!is_git_name(name), "{name}");
        }
    }
}
