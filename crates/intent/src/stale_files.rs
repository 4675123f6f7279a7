//! What an agent last saw of each file, so that it does not write over what it has not seen.
//!
//! One small file per file that was looked at, in a folder of the agent within its session.
//! Neither sessions nor agents share it: what one reads, another has not seen. However much was
//! looked at before, a question costs the reading of one such file.
//!
//! INVARIANT: a file this agent never looked at, or that is gone, is not stale. Only a denial
//! can come from here, never a permission.

use std::fs;
use std::io::{self, Write};
use std::time::UNIX_EPOCH;

use event::AbsPath;
use serde::{Deserialize, Serialize};
use store::{no_follow, plain_file};

use crate::ContentHash;

/// What one agent saw.
#[derive(Debug, Clone)]
pub struct StaleFiles {
    folder: AbsPath,
}

/// A file that is not as the agent last saw it.
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

/// Every look takes exactly this much room, so that a newer one replaces an older without
/// the file ever being shorter in between.
const LOOK_BYTES: usize = 192;

/// One look at a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "seen-file"))]
pub(crate) struct LookRecord {
    /// The format of the file.
    version: u32,
    /// How many bytes it had.
    size: u64,
    /// When it was last written, in nanoseconds since 1970.
    modified_ns: u64,
    /// Absent for files too large to hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<ContentHash>,
}

const FORMAT: u32 = 1;

impl StaleFiles {
    /// Keeps the memory in this folder, which is made when something is remembered.
    pub fn in_folder(folder: AbsPath) -> Self {
        Self { folder }
    }

    /// Remembers a file as it is now: after the agent read it or wrote it.
    pub fn remember(&self, file: &AbsPath) -> io::Result<()> {
        match look(file)? {
            Some(look) => self.keep(file, &look),
            None => Ok(()),
        }
    }

    /// Remembers a file with a content the agent meant it to have, whatever it holds.
    pub fn remember_as(&self, file: &AbsPath, hash: ContentHash) -> io::Result<()> {
        let Some((size, modified_ns)) = ordinary(file)? else { return Ok(()) };
        self.keep(file, &LookRecord { version: FORMAT, size, modified_ns, hash: Some(hash) })
    }

    /// Forgets a file: after the agent deleted it.
    pub fn forget(&self, file: &AbsPath) -> io::Result<()> {
        match fs::remove_file(self.path_of(file).as_path()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Says whether a file is as the agent last saw it. `shown` is its name for the message.
    pub fn check(&self, file: &AbsPath, shown: &str) -> Result<(), Stale> {
        let Some(seen) = self.seen(file) else { return Ok(()) };
        let Ok(Some(meta)) = ordinary(file) else { return Ok(()) };
        let untouched = meta == (seen.size, seen.modified_ns);
        let same = match &seen.hash {
            _ if untouched && meta.0 > ALWAYS_HASHED => true,
            Some(hash) => ContentHash::of_file(file).is_ok_and(|now| now == *hash),
            None => untouched,
        };
        if same { Ok(()) } else { Err(Stale { path: shown.to_owned() }) }
    }

    /// Returns the last look at a file; what cannot be read was never seen.
    fn seen(&self, file: &AbsPath) -> Option<LookRecord> {
        let bytes = plain_file::read(self.path_of(file).as_path()).ok()?;
        serde_json::from_slice(&bytes).ok().filter(|look: &LookRecord| look.version == FORMAT)
    }

    fn keep(&self, file: &AbsPath, look: &LookRecord) -> io::Result<()> {
        if self.seen(file).as_ref() == Some(look) {
            return Ok(());
        }
        let mut text = serde_json::to_string(look).unwrap_or_default();
        text.push_str(&" ".repeat(LOOK_BYTES.saturating_sub(text.len() + 1)));
        text.push('\n');
        let path = self.path_of(file);
        // WHY not truncated: ext4 flushes a file that was emptied and written, which takes longer
        // than everything else here. Blanks after JSON mean nothing.
        let open = || no_follow::options().write(true).create(true).truncate(false).open(path.as_path());
        let mut opened = match open() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(self.folder.as_path())?;
                open()?
            }
            other => other?,
        };
        opened.write_all(text.as_bytes())
    }

    /// WHY a hash: no text of a payload may become part of a path of ours.
    fn path_of(&self, file: &AbsPath) -> AbsPath {
        self.folder.child(&store::fingerprint([file.to_string().as_bytes()]).short())
    }
}

fn look(file: &AbsPath) -> io::Result<Option<LookRecord>> {
    let Some((size, modified_ns)) = ordinary(file)? else { return Ok(None) };
    let hash = if size <= NEVER_HASHED { Some(ContentHash::of_file(file)?) } else { None };
    Ok(Some(LookRecord { version: FORMAT, size, modified_ns, hash }))
}

/// Returns size and time of an ordinary file.
fn ordinary(file: &AbsPath) -> io::Result<Option<(u64, u64)>> {
    let meta = match fs::metadata(file.as_path()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other?,
    };
    let modified = meta.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let modified_ns = u64::try_from(modified.unwrap_or_default().as_nanos()).unwrap_or(u64::MAX);
    Ok(meta.is_file().then_some((meta.len(), modified_ns)))
}
