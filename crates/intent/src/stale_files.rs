//! What a session last saw of each file, so that it does not write over what it has not seen.
//!
//! One line per look, appended to a file in the session's folder; the newest line of a file
//! counts. Sessions do not share it: what one agent reads, another has not seen.
//!
//! INVARIANT: a file this session never looked at, or that is gone, is not stale. Only a
//! denial can come from here, never a permission.

use std::fs;
use std::io;
use std::time::{Duration, UNIX_EPOCH};

use event::AbsPath;
use memchr::memmem;
use serde::{Deserialize, Serialize};
use store::{Batch, Journal, JournalError, Recordable};

use crate::ContentHash;

/// What one session saw.
#[derive(Debug, Clone)]
pub struct StaleFiles {
    journal: AbsPath,
}

/// A file that is not as the session last saw it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{STALE_FILE}\nhint: `{path}` is not as this session last saw it; read it again, then make the change anew"
)]
pub struct Stale {
    /// The file, as people know it.
    pub path: String,
}

/// The document's words.
pub const STALE_FILE: &str = "Stale File: File was modified by another process. Please re-read and retry.";

/// Up to here a file is always hashed; above, only if its size or time differ.
const ALWAYS_HASHED: u64 = 1024 * 1024;

/// Above this a file is told by its size and time alone.
const NEVER_HASHED: u64 = 64 * 1024 * 1024;

/// How much of the memory is looked at. What lies further back is forgotten: thirty thousand looks.
const MEMORY: u64 = 4 * 1024 * 1024;

/// One look at a file. The path is a hash: no text of a payload is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct LookRecord {
    file: String,
    size: u64,
    modified_ns: u128,
    /// Absent for files too large to hash, and for a file that is to be forgotten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<ContentHash>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    forgotten: bool,
}

impl Recordable for LookRecord {}

impl StaleFiles {
    /// Keeps the memory in this file of the session's folder.
    pub fn in_file(journal: AbsPath) -> Self {
        Self { journal }
    }

    /// Remembers files as they are now: after the agent read them or wrote them.
    pub fn remember(&self, files: &[AbsPath]) -> Result<(), JournalError> {
        let known = self.known();
        let mut batch = Batch::default();
        for file in files {
            let Ok(Some(look)) = look(file) else { continue };
            if newest(&known, &look.file).as_ref() != Some(&look) {
                batch.push(&look);
            }
        }
        self.append(&batch)
    }

    /// Forgets a file: after the agent deleted it.
    pub fn forget(&self, file: &AbsPath) -> Result<(), JournalError> {
        let mut batch = Batch::default();
        batch.push(&LookRecord { file: key(file), size: 0, modified_ns: 0, hash: None, forgotten: true });
        self.append(&batch)
    }

    /// Says whether a file is as the session last saw it. `shown` is its name for the message.
    pub fn check(&self, file: &AbsPath, shown: &str) -> Result<(), Stale> {
        let Some(seen) = newest(&self.known(), &key(file)).filter(|seen| !seen.forgotten) else {
            return Ok(());
        };
        let Ok(Some(meta)) = ordinary(file) else { return Ok(()) };
        let untouched = meta == (seen.size, seen.modified_ns);
        let same = match &seen.hash {
            _ if untouched && meta.0 > ALWAYS_HASHED => true,
            Some(_) if meta.0 != seen.size => false,
            Some(hash) => ContentHash::of_file(file).is_ok_and(|now| now == *hash),
            None => untouched,
        };
        if same { Ok(()) } else { Err(Stale { path: shown.to_owned() }) }
    }

    fn known(&self) -> String {
        // A session that has seen nothing has no file.
        if !self.journal.as_path().exists() {
            return String::new();
        }
        Journal::open(&self.journal).and_then(|journal| journal.tail(MEMORY)).unwrap_or_default()
    }

    fn append(&self, batch: &Batch) -> Result<(), JournalError> {
        if batch.is_empty() {
            return Ok(());
        }
        let journal = Journal::create(&self.journal)?;
        match journal.lock(Duration::from_millis(20)) {
            Some(held) => held.append(batch).map(|_| ()),
            None => journal.append_unlocked(batch),
        }
    }
}

/// Returns the newest look at a file among these lines.
fn newest(lines: &str, key: &str) -> Option<LookRecord> {
    let needle = format!("\"file\":\"{key}\"");
    let at = memmem::rfind(lines.as_bytes(), needle.as_bytes())?;
    let start = lines[..at].rfind('\n').map_or(0, |at| at + 1);
    serde_json::from_str(lines[start..].lines().next()?).ok()
}

fn look(file: &AbsPath) -> io::Result<Option<LookRecord>> {
    let Some((size, modified_ns)) = ordinary(file)? else { return Ok(None) };
    let hash = if size <= NEVER_HASHED { Some(ContentHash::of_file(file)?) } else { None };
    Ok(Some(LookRecord { file: key(file), size, modified_ns, hash, forgotten: false }))
}

/// Returns size and time of an ordinary file.
fn ordinary(file: &AbsPath) -> io::Result<Option<(u64, u128)>> {
    let meta = match fs::metadata(file.as_path()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other?,
    };
    let modified = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    Ok(meta.is_file().then(|| (meta.len(), modified.unwrap_or_default().as_nanos())))
}

fn key(file: &AbsPath) -> String {
    store::fingerprint([file.to_string().as_bytes()]).short()
}
