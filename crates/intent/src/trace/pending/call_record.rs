//! The body of a frame: a line of JSON about the call, then the contents of its files, one after the
//! other.

use event::Access;
use serde::{Deserialize, Serialize};

use super::{Before, PendingCall, PendingFile};
use crate::{IntentId, Watched};

#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(title = "pending-call"))]
#[serde(rename_all = "camelCase")]
pub(crate) struct HeaderRecord {
    /// The format of the file.
    version: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    intent_id: Option<IntentId>,
    agent: String,
    tool: String,
    changes_more: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    background: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    lost_records: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    watched: Option<Watched>,
    files: Vec<FileRecord>,
}

#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FileRecord {
    written: String,
    real: String,
    access: AccessRecord,
    before: BeforeRecord,
}

#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum AccessRecord {
    Write,
    Delete,
    CreateDir,
}

#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
enum BeforeRecord {
    Absent,
    Unknown,
    Bytes(usize),
}

const FORMAT: u32 = 1;

/// The maximum number of files per call; the others are searched for afterwards.
pub(super) const MAX_FILES: usize = 1000;

/// The maximum total size of stored contents per call; the rest is unknown.
const MAX_TOTAL: usize = 8 * 1024 * 1024;

/// Returns the bytes of a call.
pub(super) fn encoded(call: &PendingCall) -> Vec<u8> {
    let mut contents = Vec::new();
    let mut files = Vec::new();
    for file in call.files.iter().take(MAX_FILES) {
        let before = match &file.before {
            Before::Absent => BeforeRecord::Absent,
            Before::Content(content) if contents.len() + content.len() <= MAX_TOTAL => {
                contents.extend_from_slice(content);
                BeforeRecord::Bytes(content.len())
            }
            Before::Content(_) | Before::Unknown => BeforeRecord::Unknown,
        };
        let access = match file.access {
            Access::Delete => AccessRecord::Delete,
            Access::CreateDir => AccessRecord::CreateDir,
            Access::Read | Access::Write => AccessRecord::Write,
        };
        files.push(FileRecord { written: file.written.clone(), real: file.real.clone(), access, before });
    }
    let header = HeaderRecord {
        version: FORMAT,
        intent_id: call.intent_id.clone(),
        agent: call.agent.clone(),
        tool: call.tool.clone(),
        changes_more: call.changes_more || call.files.len() > MAX_FILES,
        background: call.background,
        lost_records: call.lost_records,
        watched: call.watched.clone(),
        files,
    };
    // Strings, numbers and arrays always serialize.
    let mut bytes = serde_json::to_vec(&header).unwrap_or_default();
    bytes.push(b'\n');
    bytes.append(&mut contents);
    bytes
}

/// Parses the bytes of a call. Returns `None` if they are incomplete.
pub(super) fn decoded(bytes: &[u8]) -> Option<PendingCall> {
    let end = memchr::memchr(b'\n', bytes)?;
    let header: HeaderRecord = serde_json::from_slice(&bytes[..end]).ok()?;
    if header.version != FORMAT {
        return None;
    }
    let mut rest = &bytes[end + 1..];
    let mut files = Vec::new();
    for file in header.files {
        let before = match file.before {
            BeforeRecord::Absent => Before::Absent,
            BeforeRecord::Unknown => Before::Unknown,
            BeforeRecord::Bytes(n_bytes) => {
                let (content, after) = rest.split_at_checked(n_bytes)?;
                rest = after;
                Before::Content(content.to_vec())
            }
        };
        let access = match file.access {
            AccessRecord::Write => Access::Write,
            AccessRecord::Delete => Access::Delete,
            AccessRecord::CreateDir => Access::CreateDir,
        };
        files.push(PendingFile { written: file.written, real: file.real, access, before });
    }
    let HeaderRecord { intent_id, agent, tool, changes_more, background, lost_records, watched, .. } = header;
    Some(PendingCall { intent_id, agent, tool, changes_more, background, lost_records, watched, files })
}
