//! Path types whose names state their base.

use std::fmt;
use std::path::{Component, Path, PathBuf};

/// An absolute path with no `.` or `..` in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AbsPath(PathBuf);

/// The path was not absolute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotAbsolute(pub PathBuf);

/// The path is not below the given folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotBelow(pub PathBuf);

impl AbsPath {
    /// Takes an absolute path and resolves `.` and `..` in its text.
    ///
    /// WHY: lexical only. `store`, which may access the disk, follows links.
    pub fn new(path: impl Into<PathBuf>) -> Result<Self, NotAbsolute> {
        let path = path.into();
        if path.is_absolute() { Ok(Self(without_dots(&path))) } else { Err(NotAbsolute(path)) }
    }

    /// Returns the root of the file system.
    pub fn root() -> Self {
        Self(PathBuf::from("/"))
    }

    /// Returns `other` resolved against this folder.
    #[must_use]
    pub fn join(&self, other: impl AsRef<Path>) -> Self {
        Self(without_dots(&self.0.join(other)))
    }

    /// Returns the file or folder with this plain name in this folder; the name may contain `/`,
    /// but no `.` or `..` component.
    #[must_use]
    pub fn child(&self, name: &str) -> Self {
        debug_assert!(
            name.split('/').all(|part| !matches!(part, "" | "." | "..")),
            "`{name}` is not a plain name"
        );
        Self(self.0.join(name))
    }

    /// Returns the path for the standard library.
    pub fn as_path(&self) -> &Path {
        &self.0
    }

    /// Returns the parent folder; `None` for the root.
    pub fn parent(&self) -> Option<Self> {
        self.0.parent().map(|parent| Self(parent.to_path_buf()))
    }

    /// Returns the path relative to `root`.
    pub fn below(&self, root: &Self) -> Result<RepoPath, NotBelow> {
        let rest = self.0.strip_prefix(&root.0).map_err(|_| NotBelow(self.0.clone()))?;
        let parts: Vec<_> = rest.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        Ok(RepoPath(parts.join("/")))
    }
}

impl fmt::Display for AbsPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.display().fmt(f)
    }
}

impl AsRef<Path> for AbsPath {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

/// A path relative to the workspace, with `/` on every system; the workspace itself is empty.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RepoPath(String);

impl RepoPath {
    /// Returns the path as a string for globs, journals and people.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "." } else { &self.0 })
    }
}

fn without_dots(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    fn abs(text: &str) -> AbsPath {
        AbsPath::new(text).unwrap()
    }

    #[test]
    fn dots_are_resolved_and_cannot_climb_above_the_root() {
        assert_eq!(abs("/a/./b/../c").to_string(), "/a/c");
        assert_eq!(abs("/../../etc").to_string(), "/etc");
        assert_eq!(abs("/w").join("../etc/passwd").to_string(), "/etc/passwd");
        assert_eq!(abs("/w").join("/etc").to_string(), "/etc");
        assert!(AbsPath::new("a/b").is_err());
    }

    #[test]
    fn what_lies_below_is_told_by_whole_names() {
        let root = abs("/home/app");
        assert_eq!(abs("/home/app/src/x.rs").below(&root).unwrap().as_str(), "src/x.rs");
        assert_eq!(root.below(&root).unwrap().to_string(), ".");
        assert!(abs("/home/app2/x").below(&root).is_err());
    }
}
