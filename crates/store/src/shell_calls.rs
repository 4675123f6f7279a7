//! The records of shell calls that run confined, in the user's state folder: one file per call.
//!
//! The hook before a call writes a record; the program that starts the call's shell claims it by renaming it, which
//! only one process can do; the hook after the call removes it. A confined command can change nothing here, because
//! the state folder is read-only for it.

use std::fs::{self, File};
use std::io::{self, Write};

use event::AbsPath;

use crate::{create_folder, fingerprint, no_follow, plain_file, remove_file};

/// The records of one session's calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellCallFolder {
    folder: AbsPath,
}

/// How far a recorded call has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallStage {
    /// No process has claimed it.
    Announced,
    /// The host reported its end, and no process has claimed it: it may run in the background.
    Ended,
    /// A process has claimed it.
    Claimed,
}

/// A record as it is on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCall {
    /// How far it has come.
    pub stage: CallStage,
    /// The content: the hook's record, then a line of the process that claimed it.
    pub content: Vec<u8>,
    folder: AbsPath,
    /// The name without the stage: hex digits and `-`.
    id: String,
}

const FOLDER: &str = "shell-calls";

/// The first letters of names.
const STAGES: [(CallStage, &str); 3] =
    [(CallStage::Announced, "a-"), (CallStage::Ended, "e-"), (CallStage::Claimed, "c-")];

/// More records than a session has calls at once. The oldest ones beyond are leftovers.
const MOST: usize = 512;

impl ShellCallFolder {
    /// Returns the records of a host's session.
    pub fn of(user_state: &AbsPath, host: &str, session: &str) -> Self {
        let key = fingerprint([host.as_bytes(), session.as_bytes()]).short();
        Self { folder: user_state.child(FOLDER).child(&format!("{host}-{key}")) }
    }

    /// Returns the records of all sessions of a host.
    pub fn of_host(user_state: &AbsPath, host: &str) -> Vec<Self> {
        let all = user_state.child(FOLDER);
        let entries = fs::read_dir(all.as_path()).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let own = names.filter(|name| name.strip_prefix(host).is_some_and(|rest| rest.starts_with('-')));
        own.map(|name| Self { folder: all.child(&name) }).collect()
    }

    /// Returns the folder of all sessions' records.
    pub fn all_in(user_state: &AbsPath) -> AbsPath {
        user_state.child(FOLDER)
    }

    /// Adds a record; `key` identifies the call, and two records of one call may coexist.
    pub fn add(&self, key: &str, content: &[u8]) -> io::Result<()> {
        let key = fingerprint([key.as_bytes()]).short();
        let moment =
            crate::system_time().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_nanos();
        let name = format!("a-{key}-{moment:x}");
        let path = self.folder.child(&name);
        let create = || private().write(true).create_new(true).open(path.as_path());
        let mut file = match create() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                create_folder(self.folder.as_path())?;
                create()?
            }
            other => other?,
        };
        file.write_all(content)
    }

    /// Lists the records, the oldest first.
    pub fn list(&self) -> Vec<StoredCall> {
        let Ok(entries) = fs::read_dir(self.folder.as_path()) else { return Vec::new() };
        let mut calls: Vec<StoredCall> = entries
            .flatten()
            .take(MOST)
            .filter_map(|entry| {
                let name = entry.file_name().into_string().ok()?;
                let (stage, id) =
                    STAGES.iter().find_map(|(stage, letters)| Some((*stage, name.strip_prefix(letters)?)))?;
                let content = plain_file::read(&entry.path()).ok()?;
                Some(StoredCall { stage, content, folder: self.folder.clone(), id: id.to_owned() })
            })
            .collect();
        calls.sort_by_cached_key(StoredCall::moment);
        calls
    }

    /// Removes the folder if it has no records.
    pub fn remove_if_empty(&self) {
        #[expect(clippy::disallowed_methods, reason = "this crate removes folders")]
        let _ = fs::remove_dir(self.folder.as_path());
    }
}

impl StoredCall {
    /// Claims the record for this process. Returns the file for the line that says how it went.
    ///
    /// Fails if another process claimed it, or if this process cannot write the state folder.
    pub fn claim(&self) -> io::Result<File> {
        let to = self.path(CallStage::Claimed);
        self.rename(CallStage::Claimed)?;
        no_follow::options().append(true).open(to.as_path())
    }

    /// Records that the host reported the end of a call that no process has claimed.
    pub fn end(&self) -> io::Result<()> {
        self.rename(CallStage::Ended)
    }

    /// Removes the record. Ignores errors: the next event tries again.
    pub fn remove(&self) {
        let _ = remove_file(self.path(self.stage).as_path());
        if self.has_note() {
            let _ = remove_file(&self.note());
        }
    }

    /// Leaves a note in the folder for temporary files that a process found the record and cannot claim it, because a
    /// sandbox of the host keeps it from writing here. The note proves nothing: any command can leave one.
    pub fn leave_note(&self) {
        let _ = no_follow::options().write(true).create_new(true).open(self.note());
    }

    /// Returns whether there is such a note.
    pub fn has_note(&self) -> bool {
        self.note().symlink_metadata().is_ok()
    }

    /// WHY this folder: it is writable in every host's sandbox.
    fn note(&self) -> std::path::PathBuf {
        std::path::Path::new("/tmp").join(format!("steersman-{}", self.id))
    }

    fn rename(&self, to: CallStage) -> io::Result<()> {
        #[expect(clippy::disallowed_methods, reason = "this crate writes files")]
        fs::rename(self.path(self.stage).as_path(), self.path(to).as_path())
    }

    fn path(&self, stage: CallStage) -> AbsPath {
        let letters = STAGES.iter().find(|(known, _)| *known == stage).map_or("", |(_, letters)| letters);
        self.folder.child(&format!("{letters}{}", self.id))
    }

    /// Returns the moment at which it was added, as fixed-width digits.
    fn moment(&self) -> String {
        format!("{:0>32}", self.id.rsplit('-').next().unwrap_or_default())
    }
}

/// The record holds the text of a command: only the user may read it.
fn private() -> fs::OpenOptions {
    let mut options = no_follow::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, AbsPath, ShellCallFolder) {
        let dir = tempfile::tempdir().unwrap();
        let state = AbsPath::new(dir.path().join("state")).unwrap();
        let calls = ShellCallFolder::of(&state, "codex", "s");
        (dir, state, calls)
    }

    #[test]
    fn a_call_is_claimed_once_and_each_of_two_equal_calls() {
        let (_dir, state, calls) = folder();
        assert!(calls.list().is_empty());
        calls.add("make", b"one").unwrap();
        calls.add("make", b"two").unwrap();
        let list = calls.list();
        assert_eq!(list.iter().map(|it| it.content.as_slice()).collect::<Vec<_>>(), [b"one", b"two"]);
        list[0].claim().unwrap().write_all(b"\nhere").unwrap();
        assert!(list[0].claim().is_err(), "only one process claims a call");
        list[1].end().unwrap();
        let list = calls.list();
        assert_eq!(
            list.iter().map(|it| (it.stage, it.content.as_slice())).collect::<Vec<_>>(),
            [(CallStage::Claimed, b"one\nhere".as_slice()), (CallStage::Ended, b"two")]
        );
        calls.remove_if_empty();
        list.iter().for_each(StoredCall::remove);
        assert!(calls.list().is_empty());
        assert_eq!(ShellCallFolder::of_host(&state, "codex"), std::slice::from_ref(&calls));
        assert!(ShellCallFolder::of_host(&state, "code").is_empty());
        calls.remove_if_empty();
        assert!(ShellCallFolder::of_host(&state, "codex").is_empty());
    }

    #[test]
    fn what_others_put_there_is_no_record() {
        let (_dir, _state, calls) = folder();
        calls.add("x", b"one").unwrap();
        fs::write(calls.folder.child("x-1").as_path(), "two").unwrap();
        fs::create_dir(calls.folder.child("a-1").as_path()).unwrap();
        assert_eq!(calls.list().len(), 1);
    }
}
