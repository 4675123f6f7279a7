//! Resolves a path that need not exist yet.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The maximum number of links in one path, as in the kernel.
const MAX_LINKS: usize = 40;

/// Resolves an absolute path as the kernel does: link by link, `..` relative to a link's target.
/// Keeps missing parts as written.
///
/// WHY by hand: libraries that resolve missing paths apply `..` to the text before the links, so
/// `link/../new.txt` becomes a file next to the link, while the kernel writes next to the link's
/// target.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    real_path_from(PathBuf::new(), path)
}

/// Resolves a relative path from a resolved folder.
pub(super) fn real_path_from(folder: PathBuf, path: &Path) -> io::Result<PathBuf> {
    let mut real = folder;
    let mut rest: VecDeque<OsString> = VecDeque::new();
    let mut n_links = 0;
    queue(&mut rest, path);
    while let Some(part) = rest.pop_front() {
        match Path::new(&part).components().next() {
            None | Some(Component::CurDir) => {}
            Some(Component::ParentDir) => {
                real.pop();
            }
            Some(Component::RootDir | Component::Prefix(_)) => real.push(&part),
            Some(Component::Normal(name)) => {
                real.push(name);
                let Ok(meta) = fs::symlink_metadata(&real) else { continue };
                if !meta.is_symlink() {
                    continue;
                }
                n_links += 1;
                if n_links > MAX_LINKS {
                    return Err(io::Error::other("too many links"));
                }
                let target = fs::read_link(&real)?;
                real.pop();
                queue(&mut rest, &target);
            }
        }
    }
    as_spelled_on_disk(real)
}

/// Prepends the parts of a path to the queue.
fn queue(rest: &mut VecDeque<OsString>, path: &Path) {
    for part in path.components().rev() {
        rest.push_front(part.as_os_str().to_owned());
    }
}

/// Returns the path unchanged: names are case-sensitive here.
#[cfg(target_os = "linux")]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere this asks the disk")]
fn as_spelled_on_disk(real: PathBuf) -> io::Result<PathBuf> {
    Ok(real)
}

/// Spells existing parts as the disk does, on systems where a name has several spellings.
#[cfg(not(target_os = "linux"))]
fn as_spelled_on_disk(real: PathBuf) -> io::Result<PathBuf> {
    for above in real.ancestors() {
        if let Ok(spelled) = fs::canonicalize(above) {
            let missing = real.strip_prefix(above).unwrap_or(Path::new(""));
            return Ok(if missing.as_os_str().is_empty() { spelled } else { spelled.join(missing) });
        }
    }
    Ok(real)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_are_followed_before_dots() {
        let dir = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(dir.path()).unwrap();
        fs::create_dir_all(root.join("w/src")).unwrap();
        fs::create_dir_all(root.join("out/deep")).unwrap();
        symlink("../out/deep", root.join("w/link")).unwrap();
        symlink("nowhere/x", root.join("w/dangling")).unwrap();
        symlink("loop", root.join("w/loop")).unwrap();
        for (path, leads_to) in [
            ("w/src/new.txt", "w/src/new.txt"),
            ("w/link/new.txt", "out/deep/new.txt"),
            ("w/link/../new.txt", "out/new.txt"),
            ("w/dangling", "w/nowhere/x"),
            ("w/missing/../src/a", "w/src/a"),
            ("w/./src//a", "w/src/a"),
        ] {
            assert_eq!(real_path(&root.join(path)).unwrap(), root.join(leads_to), "{path}");
            assert_eq!(real_path_from(root.clone(), Path::new(path)).unwrap(), root.join(leads_to), "{path}");
        }
        assert!(real_path(&root.join("w/loop/x")).is_err());
    }
}
