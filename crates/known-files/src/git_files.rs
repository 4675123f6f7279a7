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
