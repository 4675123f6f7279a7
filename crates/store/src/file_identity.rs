//! Which file it is, and which state of it.
//!
//! Device, number, size and times, which the file system changes with every write: what was made of a
//! file can be used as long as the file is still this one.

use std::fs;

use serde::{Deserialize, Serialize};

/// Names a file and a state of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Identity"))]
pub struct FileIdentity {
    /// The device it is on.
    device: u64,
    /// Its number there.
    inode: u64,
    /// How many bytes it has.
    size: u64,
    /// When it was last written, in nanoseconds since 1970.
    modified_ns: i64,
    /// When anything about it last changed, in nanoseconds since 1970.
    changed_ns: i64,
}

/// File systems count time in steps of up to ten milliseconds.
const SETTLED_NS: i64 = 50_000_000;

impl FileIdentity {
    /// Returns how many bytes the file has.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the name of the file with this metadata.
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

    /// A file has no name here that a writer could not choose.
    #[cfg(not(unix))]
    pub fn of(_meta: &fs::Metadata) -> Option<Self> {
        None
    }

    /// Says whether a file with this metadata was written some time after this one had last changed.
    /// Before that, a second change could have got the same time.
    pub fn had_settled_before(&self, later: &fs::Metadata) -> bool {
        let written = Self::of(later).map_or(0, |later| later.modified_ns);
        written.saturating_sub(self.modified_ns.max(self.changed_ns)) >= SETTLED_NS
    }
}
