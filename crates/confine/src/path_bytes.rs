//! Relations between paths, by their bytes.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};

/// Returns whether a path is a folder or lies in it. Both are absolute and without links, so their bytes tell.
///
/// WHY not [`Path::starts_with`]: comparing the parts of paths takes ten times as long, and a plan compares hundreds.
pub fn is_within(path: &Path, folder: &Path) -> bool {
    let (path, folder) = (path.as_os_str().as_encoded_bytes(), folder.as_os_str().as_encoded_bytes());
    let Some((start, rest)) = path.split_at_checked(folder.len()) else { return false };
    // Paths of one workspace start alike, so what differs comes last.
    start.last() == folder.last()
        && (rest.is_empty() || rest[0] == b'/' || folder.ends_with(b"/"))
        && first_difference(start, folder).is_none()
}

/// Returns whether an absolute path has no empty, `.` or `..` parts and does not end with a slash.
pub(crate) fn is_clean(path: &Path) -> bool {
    let Some(rest) = path.as_os_str().as_encoded_bytes().strip_prefix(b"/") else { return false };
    // A part that starts with a dot may be one of these, and seldom is.
    rest.is_empty() || rest.split(|byte| *byte == b'/').all(|part| !matches!(part, b"" | b"." | b".."))
}

/// Returns the place of the first byte in which two slices differ, if both have it. Compares eight bytes at a time: the
/// C library of the static binary compares one.
fn first_difference(one: &[u8], other: &[u8]) -> Option<usize> {
    let (chunks, _) = one.as_chunks::<8>();
    let (others, _) = other.as_chunks::<8>();
    let n_equal = 8 * chunks.iter().zip(others).take_while(|(a, b)| a == b).count();
    let rest = one.iter().zip(other).skip(n_equal).position(|(a, b)| a != b)?;
    Some(n_equal + rest)
}

/// Returns whether a path lies in a folder and is not the folder itself.
pub(crate) fn is_below(path: &Path, folder: &Path) -> bool {
    path.as_os_str().len() > folder.as_os_str().len() && is_within(path, folder)
}

/// Compares two absolute paths so that what lies in a folder follows it at once, as comparing their parts would.
pub(crate) fn compare(one: &Path, other: &Path) -> Ordering {
    let (one, other) = (one.as_os_str().as_encoded_bytes(), other.as_os_str().as_encoded_bytes());
    match first_difference(one, other).map(|at| (one[at], other[at])) {
        None => one.len().cmp(&other.len()),
        Some((b'/', _)) => Ordering::Less,
        Some((_, b'/')) => Ordering::Greater,
        Some((a, b)) => a.cmp(&b),
    }
}

/// A path as the key of a map, in that order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PathKey(pub(crate) PathBuf);

impl Ord for PathKey {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(&self.0, &other.0)
    }
}

impl PartialOrd for PathKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_the_parts_of_paths() {
        let paths = [
            "/",
            "/a",
            "/a/b",
            "/long/folder/a",
            "/long/folder/a/b",
            "/long/folder/a-b",
            "/long/folder/b",
            "/a/b/c",
            "/a-b",
            "/a-b/c",
            "/a.b",
            "/ab",
            "/b",
        ]
        .map(Path::new);
        for one in paths {
            for other in paths {
                assert_eq!(compare(one, other), one.cmp(other), "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn a_clean_path_is_the_only_way_to_write_it() {
        for clean in ["/", "/a", "/a/.b/..c/d."] {
            assert!(is_clean(Path::new(clean)), "{clean}");
        }
        for other in ["", "a", "//", "/a/", "/a//b", "/a/./b", "/a/..", "/."] {
            assert!(!is_clean(Path::new(other)), "{other}");
        }
    }

    #[test]
    fn a_path_lies_in_the_folders_around_it_and_in_no_other() {
        for (path, folder, expected) in [
            ("/a/b", "/a", (true, true)),
            ("/a/b", "/a/b", (true, false)),
            ("/a", "/", (true, true)),
            ("/", "/", (true, false)),
            ("/ab", "/a", (false, false)),
            ("/a", "/a/b", (false, false)),
            ("/long/folder/a/b", "/long/folder/a", (true, true)),
            ("/long/folder/b/b", "/long/folder/a", (false, false)),
            ("/lang/folder/a/b", "/long/folder/a", (false, false)),
        ] {
            let (path, folder) = (Path::new(path), Path::new(folder));
            assert_eq!((is_within(path, folder), is_below(path, folder)), expected, "{path:?} {folder:?}");
        }
    }
}
