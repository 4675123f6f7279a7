//! Opens one of our files and fails if it is a link.
//!
//! WHY: a process that can create a link in the state folder (a repository that contains one, a tool
//! that an agent runs) could otherwise choose the file to which we append our next line.

use std::fs::OpenOptions;
use std::path::Path;

use event::AbsPath;

/// Returns options with which opening a link fails, and opening a pipe or a device does not block.
#[expect(clippy::disallowed_methods, reason = "the options that every other crate uses")]
pub fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY,
    );
    options
}

/// Returns whether a link on the way from `root` to `path` leads out of `root`.
///
/// A link that stays inside is allowed. A missing path leads nowhere; a link to a missing path could
/// lead anywhere, so it counts as outside.
pub fn leads_outside(root: &AbsPath, path: &AbsPath) -> bool {
    let way = || path.as_path().ancestors().take_while(|step| *step != root.as_path());
    if !way().any(Path::is_symlink) {
        return false;
    }
    let Ok(root) = root.as_path().canonicalize() else { return true };
    let nearest = way().find(|step| step.symlink_metadata().is_ok()).map(Path::canonicalize);
    !matches!(nearest, Some(Ok(real)) if real.starts_with(&root))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_links_that_leave_are_found() {
        let dir = tempfile::tempdir().unwrap();
        let abs = |path: &str| AbsPath::new(dir.path().join(path)).unwrap();
        for folder in ["root/inside/real", "outside"] {
            fs::create_dir_all(dir.path().join(folder)).unwrap();
        }
        symlink(dir.path().join("outside"), dir.path().join("root/away")).unwrap();
        symlink(dir.path().join("root/inside"), dir.path().join("root/near")).unwrap();
        symlink(dir.path().join("nowhere"), dir.path().join("root/dangling")).unwrap();
        for (path, leads) in [
            ("root/inside/real", false),
            ("root/not/there/yet", false),
            ("root/near/real", false),
            ("root/near/new/file", false),
            ("root/away", true),
            ("root/away/new/file", true),
            ("root/dangling", true),
            ("root/dangling/x", true),
        ] {
            assert_eq!(leads_outside(&abs("root"), &abs(path)), leads, "{path}");
        }
    }

    #[test]
    fn a_link_in_place_of_a_file_is_not_opened() {
        let dir = tempfile::tempdir().unwrap();
        let (target, link) = (dir.path().join("target"), dir.path().join("link"));
        symlink(&target, &link).unwrap();
        assert!(options().append(true).create(true).open(&link).is_err());
        assert!(!target.exists());
    }
}
