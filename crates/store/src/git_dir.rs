//! Finds the git folder of a checkout: `.git` itself, or the folder that a `.git` file names.
//!
//! WHY by hand: running git takes more than three milliseconds, as long as several hooks.

use std::fs;
use std::path::{Path, PathBuf};

use crate::plain_file;

/// Returns the git folder of the checkout whose `.git` this is. In a linked checkout or a submodule `.git`
/// is a file with the line `gitdir: <folder>`. Returns `None` if there is no such folder.
pub fn git_dir(dot_git: &Path) -> Option<PathBuf> {
    // One `stat` for the many folders without a `.git`.
    if fs::metadata(dot_git).ok()?.is_dir() {
        return Some(dot_git.to_path_buf());
    }
    let text = read(dot_git)?;
    Some(dot_git.parent()?.join(known_files::git_dir_named(&text)?)).filter(|folder| folder.is_dir())
}

/// Returns the git folder of the checkout that contains a folder.
pub fn git_dir_around(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().find_map(|folder| git_dir(&folder.join(".git")))
}

/// Returns the git folder that all checkouts of a repository share, with its branches and objects.
pub fn common_git_dir(git_dir: &Path) -> PathBuf {
    let common = read(&git_dir.join("commondir"));
    common.map_or_else(|| git_dir.to_path_buf(), |text| git_dir.join(text.trim()))
}

/// Returns the `.git` file of the linked checkout to which this git folder belongs. Returns `None` for another git folder.
pub fn dot_git_named_by(git_dir: &Path) -> Option<PathBuf> {
    read(&git_dir.join("gitdir")).map(|text| PathBuf::from(text.trim()))
}

fn read(path: &Path) -> Option<String> {
    String::from_utf8(plain_file::read(path).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkout_is_found_by_its_folder_its_file_and_from_below() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        let linked = root.join("main/.git/worktrees/side");
        fs::create_dir_all(&linked).unwrap();
        fs::create_dir_all(root.join("side/deep")).unwrap();
        fs::create_dir_all(root.join("broken")).unwrap();
        fs::write(linked.join("commondir"), "../..\n").unwrap();
        fs::write(root.join("side/.git"), "gitdir: ../main/.git/worktrees/side\n").unwrap();
        fs::write(root.join("broken/.git"), "gitdir: nowhere\n").unwrap();
        let side = root.join("side/../main/.git/worktrees/side");
        assert_eq!(git_dir(&root.join("main/.git")), Some(root.join("main/.git")));
        assert_eq!(git_dir(&root.join("side/.git")), Some(side.clone()));
        assert_eq!(git_dir_around(&root.join("side/deep")), Some(side.clone()));
        for absent in ["broken/.git", "none/.git"] {
            assert_eq!(git_dir(&root.join(absent)), None, "{absent}");
        }
        let shared = common_git_dir(&side).canonicalize().unwrap();
        assert_eq!(shared, root.join("main/.git").canonicalize().unwrap());
        assert_eq!(common_git_dir(&root.join("main/.git")), root.join("main/.git"));
        fs::write(linked.join("gitdir"), "/w/side/.git\n").unwrap();
        assert_eq!(dot_git_named_by(&side), Some(PathBuf::from("/w/side/.git")));
        assert_eq!(dot_git_named_by(&root.join("main/.git")), None);
    }
}
