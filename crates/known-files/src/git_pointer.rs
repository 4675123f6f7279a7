//! The `.git` file of a linked checkout or a submodule, which names the git folder.

/// Returns the git folder that the content of a `.git` file names (`gitdir: <folder>`), relative to the folder of that
/// file. Returns `None` if it names no folder.
pub fn git_dir_named(content: &str) -> Option<&str> {
    content.trim().strip_prefix("gitdir:").map(str::trim).filter(|folder| !folder.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_follows_the_key_with_or_without_spaces() {
        for content in ["gitdir: ../main/.git/worktrees/side\n", "gitdir:../main/.git/worktrees/side"] {
            assert_eq!(git_dir_named(content), Some("../main/.git/worktrees/side"), "{content:?}");
        }
        for content in ["", "gitdir:\n", "../main/.git", "gitfile: x"] {
            assert_eq!(git_dir_named(content), None, "{content:?}");
        }
    }
}
