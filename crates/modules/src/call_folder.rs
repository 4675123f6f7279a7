//! Resolves the working folder of a call as the system will.
//!
//! WHY links are followed: the folder that an agent names may be a link out of the workspace, and `link/..` is not the
//! folder that has the link. Judged by its text alone, a command in it would seem to change files of the workspace.

use std::path::{Path, PathBuf};

use event::AbsPath;

/// Resolves `named` relative to `from`. Below the workspace the result keeps the workspace's own spelling. Of a missing
/// folder only the existing part is resolved.
pub fn real_folder(root: &AbsPath, from: &AbsPath, named: Option<&str>) -> AbsPath {
    let Some(named) = named else { return from.clone() };
    let written = from.as_path().join(named);
    if written == root.as_path() {
        return root.clone();
    }
    let real = followed(&written);
    let Ok(found) = AbsPath::new(&real) else { return from.join(named) };
    if found.as_path().starts_with(root.as_path()) {
        return found;
    }
    let below = root.as_path().canonicalize().ok();
    match below.and_then(|below| found.as_path().strip_prefix(below).ok().map(Path::to_owned)) {
        Some(rest) => root.join(rest),
        None => found,
    }
}

/// Resolves the links and the dots of a path as the kernel does; parts that do not exist stay as written.
#[cfg(unix)]
pub fn followed(written: &Path) -> PathBuf {
    ::intent::real_path(written).unwrap_or_else(|_| written.to_owned())
}

/// WHY not resolved: canonical paths on Windows have a form that no other program uses.
#[cfg(not(unix))]
pub fn followed(written: &Path) -> PathBuf {
    written.to_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed_and_the_workspace_keeps_its_spelling() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().canonicalize().unwrap();
        for folder in ["p/src", "away/deep"] {
            fs::create_dir_all(base.join(folder)).unwrap();
        }
        symlink(base.join("p"), base.join("alias")).unwrap();
        symlink(base.join("away/deep"), base.join("p/out")).unwrap();
        let check = |root: &str, named: &str, expected: &str| {
            let root = AbsPath::new(base.join(root)).unwrap();
            let found = real_folder(&root, &root, Some(named));
            assert_eq!(found, AbsPath::new(base.join(expected)).unwrap(), "{named}");
        };
        check("p", "src", "p/src");
        check("p", "out", "away/deep");
        check("p", "out/..", "away");
        check("p", "out/not/there", "away/deep/not/there");
        check("p", "no/such", "p/no/such");
        check("p", base.join("alias/src").to_str().unwrap(), "p/src");
        check("alias", base.join("p/src").to_str().unwrap(), "alias/src");
        check("alias", "src", "alias/src");
        check("p", "..", "");
    }
}
