//! The calls that were let through and have not ended yet, with what their files held before.
//!
//! One file per call in a folder of the session: a line of JSON, then the contents one after the
//! other. The time the file system gave it is the moment the call began.
//!
//! A call ends when its host says so. One whose end is never told (the host was killed, a person
//! said no, our own process was) is found again when its agent's turn ends.
//!
//! INVARIANT: a call is settled by whoever holds its claim, and is gone only after that.

use std::fs::{self, File};
use std::io::{self, Read, Write};

use event::{AbsPath, Access};
use serde::{Deserialize, Serialize};
use store::no_follow;

use super::Before;
use crate::{IntentId, Moment};

/// A call that has not ended yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingCall {
    /// The intent it was let through for; none if it needed none.
    pub intent_id: Option<IntentId>,
    /// Our id of the agent.
    pub agent: String,
    /// The tool, in the host's spelling.
    pub tool: String,
    /// Whether it may change more than the files that are listed.
    pub changes_more: bool,
    /// The files it is going to touch.
    pub files: Vec<PendingFile>,
}

/// A file that a call is going to touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingFile {
    /// As the call names it, relative to the workspace.
    pub written: String,
    /// Where that really led, relative to the workspace.
    pub real: String,
    /// What is done there.
    pub access: Access,
    /// What it held.
    pub before: Before,
}

/// The pending calls of a session.
#[derive(Debug, Clone)]
pub struct PendingCalls {
    folder: AbsPath,
}

/// A pending call that was found.
#[derive(Debug)]
pub struct Found {
    /// The call.
    pub call: PendingCall,
    /// When it began.
    pub began: Moment,
}

/// The right to settle a call: nobody else does while this lives.
#[derive(Debug)]
pub struct Claim {
    /// Holds the lock.
    _file: File,
    path: AbsPath,
}

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

/// No call is followed in more files than this.
const MAX_FILES: usize = 1000;

/// How much of all the files of one call is kept; the rest is not known then.
const MAX_TOTAL: usize = 8 * 1024 * 1024;

impl PendingCalls {
    /// Keeps calls in this folder, which is made when the first is kept.
    pub fn in_folder(folder: AbsPath) -> Self {
        Self { folder }
    }

    /// Keeps a call under a key of hex digits.
    pub fn keep(&self, key: &str, call: &PendingCall) -> io::Result<()> {
        let path = self.path_of(key);
        let bytes = encoded(call);
        let write = || no_follow::options().write(true).create(true).truncate(true).open(path.as_path());
        let mut file = match write() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(self.folder.as_path())?;
                write()?
            }
            other => other?,
        };
        file.write_all(&bytes)
    }

    /// Finds a call; one that is half written is not there.
    pub fn find(&self, key: &str) -> Option<Found> {
        let mut file = no_follow::options().read(true).open(self.path_of(key).as_path()).ok()?;
        let began = Moment::of_file(&file).ok()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).ok()?;
        Some(Found { call: decoded(&bytes)?, began })
    }

    /// Returns the keys of every call that has not ended.
    pub fn keys(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.as_path()).into_iter().flatten().flatten();
        let mut keys: Vec<String> = entries
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|it| is_key(it))
            .collect();
        keys.sort();
        keys
    }

    /// Takes the right to settle a call; none if it is settled or somebody else does it.
    pub fn claim(&self, key: &str) -> Option<Claim> {
        let path = self.path_of(key);
        let file = no_follow::options().read(true).open(path.as_path()).ok()?;
        file.try_lock().ok()?;
        // Whoever held it before has taken it away in the meantime.
        fs::symlink_metadata(path.as_path()).ok()?;
        Some(Claim { _file: file, path })
    }

    fn path_of(&self, key: &str) -> AbsPath {
        let plain: String = key.chars().filter(char::is_ascii_hexdigit).collect();
        self.folder.join(plain)
    }
}

impl Claim {
    /// Lets go of a call that is settled.
    pub fn settled(self) {
        // One that cannot be removed is settled once more later: twice is better than never.
        let _ = fs::remove_file(self.path.as_path());
    }
}

fn is_key(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn encoded(call: &PendingCall) -> Vec<u8> {
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
        files,
    };
    // Texts, numbers and lists always serialize.
    let mut bytes = serde_json::to_vec(&header).unwrap_or_default();
    bytes.push(b'\n');
    bytes.append(&mut contents);
    bytes
}

fn decoded(bytes: &[u8]) -> Option<PendingCall> {
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
    let HeaderRecord { intent_id, agent, tool, changes_more, .. } = header;
    Some(PendingCall { intent_id, agent, tool, changes_more, files })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(files: Vec<PendingFile>) -> PendingCall {
        PendingCall {
            intent_id: IntentId::parse("INT-001").ok(),
            agent: "u00".into(),
            tool: "Write\nx".into(),
            changes_more: false,
            files,
        }
    }

    fn file(name: &str, before: Before) -> PendingFile {
        PendingFile { written: name.into(), real: name.into(), access: Access::Write, before }
    }

    fn folder() -> (tempfile::TempDir, PendingCalls) {
        let dir = tempfile::tempdir().unwrap();
        let calls = PendingCalls::in_folder(AbsPath::new(dir.path().join("deep/calls")).unwrap());
        (dir, calls)
    }

    #[test]
    fn a_call_is_found_as_it_was_kept_until_it_is_settled() {
        let (_dir, calls) = folder();
        assert!(calls.find("ab").is_none() && calls.keys().is_empty());
        let kept = call(vec![
            file("a", Before::Absent),
            file("b\n", Before::Content(b"one\ntwo".to_vec())),
            file("c", Before::Unknown),
            file("d", Before::Content(Vec::new())),
        ]);
        calls.keep("ab", &kept).unwrap();
        assert_eq!(calls.find("ab").unwrap().call, kept);
        assert_eq!(calls.keys(), ["ab"]);
        let claim = calls.claim("ab").unwrap();
        assert!(calls.claim("ab").is_none(), "one settles it");
        drop(claim);
        calls.claim("ab").unwrap().settled();
        assert!(calls.find("ab").is_none() && calls.claim("ab").is_none());
    }

    #[test]
    fn a_call_in_pieces_is_not_there() {
        let (_dir, calls) = folder();
        calls.keep("ab", &call(vec![file("b", Before::Content(b"one\ntwo".to_vec()))])).unwrap();
        let path = calls.path_of("ab");
        let whole = fs::read(path.as_path()).unwrap();
        for end in 0..whole.len() {
            fs::write(path.as_path(), &whole[..end]).unwrap();
            assert!(calls.find("ab").is_none(), "{end}");
        }
    }

    #[test]
    fn what_is_too_much_to_keep_is_not_known() {
        let (_dir, calls) = folder();
        let large = || Before::Content(vec![b'x'; 1024 * 1024]);
        calls.keep("ab", &call((0..9).map(|n| file(&n.to_string(), large())).collect())).unwrap();
        let found = calls.find("ab").unwrap().call;
        assert_eq!(found.files.iter().filter(|it| it.before == Before::Unknown).count(), 1);
    }

    #[test]
    fn no_key_leads_out_of_the_folder() {
        let (dir, calls) = folder();
        calls.keep("../../ab", &call(Vec::new())).unwrap();
        assert!(dir.path().join("deep/calls/ab").is_file());
    }
}
