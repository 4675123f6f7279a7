//! The version of each file that an agent last saw, so that it does not overwrite changes it has not
//! seen.
//!
//! One small file per seen file, in a folder for the agent within its session. Neither sessions nor
//! agents share it: a file that one has read, another has not seen. A check reads one such file,
//! however many were seen.
//!
//! INVARIANT: a file that this agent never saw, or that does not exist, is not stale. This module can
//! only deny a write, never permit one.

use std::fs;
use std::io::{self, Write};
use std::time::UNIX_EPOCH;

use event::AbsPath;
use serde::{Deserialize, Serialize};
use store::{no_follow, plain_file};

use crate::{ContentHash, MAX_HASHED};

/// The files that one agent saw.
#[derive(Debug, Clone)]
pub struct StaleFiles {
    folder: AbsPath,
}

/// A file that changed since the agent last saw it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{STALE_FILE}\nhint: `{path}` changed since this session last saw it; read it again, then repeat the change"
)]
pub struct Stale {
    /// The file, as users know it.
    pub path: String,
}

/// The specification's message.
pub const STALE_FILE: &str = "Stale File: File was modified by another process. Please re-read and retry.";

/// A file up to this size is always hashed; above, only if its size or time differ.
const ALWAYS_HASHED: u64 = 1024 * 1024;

/// Every record has exactly this size, so that a newer one replaces an older one without the file
/// being shorter in between.
const LOOK_BYTES: usize = 192;

/// The record of one seen version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "seen-file"))]
pub(crate) struct SeenFileRecord {
    /// The format of the file.
    version: u32,
    /// The size in bytes.
    size: u64,
    /// The modification time, in nanoseconds since 1970.
    modified_ns: u64,
    /// Absent for files too large to hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<ContentHash>,
}

const FORMAT: u32 = 1;

impl StaleFiles {
    /// Stores the records in this folder, which is created for the first record.
    pub fn in_folder(folder: AbsPath) -> Self {
        Self { folder }
    }

    /// Records a file as it is now, after the agent read or wrote it.
    pub fn remember(&self, file: &AbsPath) -> io::Result<()> {
        match look(file)? {
            Some(look) => self.keep(file, &look),
            None => Ok(()),
        }
    }

    /// Records a file with the content that the agent meant to write, regardless of its actual
    /// content.
    pub fn remember_as(&self, file: &AbsPath, hash: ContentHash) -> io::Result<()> {
        let Some((size, modified_ns)) = ordinary(file)? else { return Ok(()) };
        self.keep(file, &SeenFileRecord { version: FORMAT, size, modified_ns, hash: Some(hash) })
    }

    /// Removes the record of a file, after the agent deleted it.
    pub fn forget(&self, file: &AbsPath) -> io::Result<()> {
        store::remove_file(self.path_of(file).as_path()).map(drop)
    }

    /// Checks whether a file is as the agent last saw it. `shown` is its name for the message.
    pub fn check(&self, file: &AbsPath, shown: &str) -> Result<(), Stale> {
        let Some(seen) = self.seen(file) else { return Ok(()) };
        let Ok(Some(meta)) = ordinary(file) else { return Ok(()) };
        let untouched = meta == (seen.size, seen.modified_ns);
        let same = match &seen.hash {
            _ if untouched && meta.0 > ALWAYS_HASHED => true,
            Some(hash) => ContentHash::of_small_file(file).is_ok_and(|now| now == *hash),
            None => untouched,
        };
        if same { Ok(()) } else { Err(Stale { path: shown.to_owned() }) }
    }

    /// Returns the record of a file. Returns `None` if it cannot be read.
    fn seen(&self, file: &AbsPath) -> Option<SeenFileRecord> {
        let bytes = plain_file::read(self.path_of(file).as_path()).ok()?;
        serde_json::from_slice(&bytes).ok().filter(|look: &SeenFileRecord| look.version == FORMAT)
    }

    fn keep(&self, file: &AbsPath, look: &SeenFileRecord) -> io::Result<()> {
        if self.seen(file).as_ref() == Some(look) {
            return Ok(());
        }
        let mut text = serde_json::to_string(look).unwrap_or_default();
        text.push_str(&" ".repeat(LOOK_BYTES.saturating_sub(text.len() + 1)));
        text.push('\n');
        let path = self.path_of(file);
        // WHY not truncated: ext4 flushes a file that was emptied and written, which takes longer
        // than everything else here. Spaces after JSON are insignificant.
        let open = || no_follow::options().write(true).create(true).truncate(false).open(path.as_path());
        let mut opened = match open() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                store::create_folder(self.folder.as_path())?;
                open()?
            }
            other => other?,
        };
        opened.write_all(text.as_bytes())
    }

    /// WHY a hash: no text of a payload may become part of our paths.
    fn path_of(&self, file: &AbsPath) -> AbsPath {
        self.folder.child(&store::fingerprint([file.to_string().as_bytes()]).short())
    }
}

fn look(file: &AbsPath) -> io::Result<Option<SeenFileRecord>> {
    let Some((size, modified_ns)) = ordinary(file)? else { return Ok(None) };
    let hash = if size <= MAX_HASHED { Some(ContentHash::of_file(file)?) } else { None };
    Ok(Some(SeenFileRecord { version: FORMAT, size, modified_ns, hash }))
}

/// Returns size and time of a regular file.
fn ordinary(file: &AbsPath) -> io::Result<Option<(u64, u64)>> {
    let meta = match fs::metadata(file.as_path()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other?,
    };
    let modified = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified_ns = u64::try_from(modified.unwrap_or_default().as_nanos()).unwrap_or(u64::MAX);
    Ok(meta.is_file().then_some((meta.len(), modified_ns)))
}
