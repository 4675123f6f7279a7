//! What a file or folder looked like from outside, so that it need not be read again.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// A path and how it looked; `None` when there was nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Stamp {
    /// The file or folder.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    path: PathBuf,
    /// How it looked.
    seen: Option<Seen>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Seen {
    /// How many bytes it had.
    bytes: u64,
    /// Nanoseconds since 1970.
    modified: u64,
}

/// A file that was changed this short a time ago may change again without its time telling.
const UNSETTLED: Duration = Duration::from_secs(2);

impl Stamp {
    /// Looks at a path.
    pub fn of(path: impl Into<PathBuf>) -> Self {
        let path = path.into();
        let seen = look(&path);
        Self { path, seen }
    }

    /// Returns whether the path still looks like this.
    pub fn is_current(&self) -> bool {
        look(&self.path) == self.seen
    }

    /// Returns whether the next change can be told from this one.
    pub fn is_settled(&self) -> bool {
        let now = nanos(SystemTime::now());
        let quiet = u64::try_from(UNSETTLED.as_nanos()).unwrap_or(u64::MAX);
        self.seen.is_none_or(|seen| now.saturating_sub(seen.modified) > quiet)
    }
}

fn look(path: &Path) -> Option<Seen> {
    let meta = fs::metadata(path).ok()?;
    Some(Seen { bytes: size(&meta), modified: meta.modified().map_or(0, nanos) })
}

/// The size of a folder is the file system's own affair and says nothing.
fn size(meta: &Metadata) -> u64 {
    if meta.is_file() { meta.len() } else { 0 }
}

fn nanos(at: SystemTime) -> u64 {
    let since = at.duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
