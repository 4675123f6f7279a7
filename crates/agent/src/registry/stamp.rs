//! The size and time of a file or folder, which show whether it must be read again.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// A path with its size and time; `None` if it did not exist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stamp {
    /// The file or folder.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    path: PathBuf,
    /// The size and time.
    seen: Option<Seen>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Seen {
    /// The size in bytes.
    bytes: u64,
    /// The modification time, in nanoseconds since 1970.
    modified: u64,
}

/// A file that was changed more recently may change again with the same time.
const UNSETTLED: Duration = Duration::from_secs(2);

impl Stamp {
    /// Reads the size and time of a path.
    pub fn of(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let seen = look(&path);
        Self { path, seen }
    }

    /// Returns whether the path has not changed.
    pub fn is_current(&self) -> bool {
        look(&self.path) == self.seen
    }

    /// Returns whether the next change is certain to alter the stamp.
    pub fn is_settled(&self) -> bool {
        let now = nanos(store::system_time());
        let quiet = u64::try_from(UNSETTLED.as_nanos()).unwrap_or(u64::MAX);
        self.seen.is_none_or(|seen| now.saturating_sub(seen.modified) > quiet)
    }
}

fn look(path: &Path) -> Option<Seen> {
    let meta = fs::metadata(path).ok()?;
    Some(Seen { bytes: size(&meta), modified: meta.modified().map_or(0, nanos) })
}

/// Returns the size of a file; zero for a folder, whose size depends on the file system.
fn size(meta: &Metadata) -> u64 {
    if meta.is_file() { meta.len() } else { 0 }
}

fn nanos(at: SystemTime) -> u64 {
    let since = at.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
