//! Identifies a file and its state.
//!
//! Device, inode, size and times, which the file system changes with every write: a value derived
//! from a file is valid while the file's identity is the same.

use std::fs;

use serde::{Deserialize, Serialize};

/// A file and its state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Identity"))]
pub struct FileIdentity {
    /// The device number.
    device: u64,
    /// The inode number.
    inode: u64,
    /// The size in bytes.
    size: u64,
    /// When it was last written, in nanoseconds since 1970.
    modified_ns: i64,
    /// When its content or metadata last changed, in nanoseconds since 1970.
    changed_ns: i64,
}

/// The resolution of file times is up to ten milliseconds.
const SETTLED_NS: i64 = 50_000_000;

impl FileIdentity {
    /// Returns the size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the identity of the file with this metadata.
    #[cfg(unix)]
    pub fn of(meta: &fs::Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let nanos = |seconds: i64, nanos: i64| seconds.saturating_mul(1_000_000_000).saturating_add(nanos);
        Some(Self {
            device: meta.dev(),
            inode: meta.ino(),
            size: meta.size(),
            modified_ns: nanos(meta.mtime(), meta.mtime_nsec()),
            changed_ns: nanos(meta.ctime(), meta.ctime_nsec()),
        })
    }

    /// Returns `None`: on this system a writer could forge every part of an identity.
    #[cfg(not(unix))]
    pub fn of(_meta: &fs::Metadata) -> Option<Self> {
        None
    }

    /// Returns whether `later` was written some time after this file last changed. Before that, a
    /// second change could have the same time.
    pub fn had_settled_before(&self, later: &fs::Metadata) -> bool {
        let written = Self::of(later).map_or(0, |later| later.modified_ns);
        written.saturating_sub(self.modified_ns.max(self.changed_ns)) >= SETTLED_NS
    }
}
