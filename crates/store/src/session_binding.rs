//! The workspace to which a session was bound at its first event, recorded in the user's state
//! folder.
//!
//! WHY there: a hook process handles one event, and some hosts report, and run it in, the folder that
//! the agent chose for that call. The record is outside of every workspace, and the guard protects
//! the user's state folder as it protects trust: an agent cannot bind itself to another workspace.

use std::fs;
use std::io::Write;

use event::{AbsPath, SessionId};

use crate::{
    Fingerprint, Workspace, create_folder, fingerprint, no_follow, plain_file, remove_file, write_shared,
};

/// The record of one session, which may not exist.
#[derive(Debug)]
pub struct SessionBinding {
    file: AbsPath,
}

impl SessionBinding {
    /// Returns the record of a host's session. Sessions of two hosts never share one.
    pub fn of(user_state: &AbsPath, host: &str, session: &str) -> Self {
        let key: Fingerprint = fingerprint([host.as_bytes(), session.as_bytes()]);
        Self { file: folder_in(user_state).child(&key.short()) }
    }

    /// Reads the root of the workspace. Returns `None` if the record or the folder does not exist.
    pub fn read(&self) -> Option<AbsPath> {
        let bytes = plain_file::read(self.file.as_path()).ok()?;
        let root = AbsPath::new(std::str::from_utf8(&bytes).ok()?.strip_suffix('\n')?).ok()?;
        root.as_path().is_dir().then_some(root)
    }

    /// Records the root of the workspace. Ignores errors: without a record each event determines its
    /// own workspace, as on a machine without a state folder.
    pub fn write(&self, root: &AbsPath) {
        let Some(text) = root.as_path().to_str().filter(|text| !text.contains('\n')) else { return };
        let line = format!("{text}\n");
        let create = || no_follow::options().write(true).create_new(true).open(self.file.as_path());
        let created = create().or_else(|error| match error.kind() {
            std::io::ErrorKind::NotFound => {
                self.file.parent().map_or(Ok(()), |folder| create_folder(folder.as_path()))?;
                create()
            }
            _ => Err(error),
        });
        match created {
            // One write of one line: a reader sees all of it or nothing.
            Ok(mut file) => drop(file.write_all(line.as_bytes())),
            Err(_) => drop(write_shared(self.file.as_path(), line.as_bytes())),
        }
    }
}

/// Removes the record of a removed session of the workspace at `root`. Ignores errors.
pub fn forget_session(user_state: &AbsPath, id: SessionId, root: &AbsPath) {
    let _ = remove_file(Workspace::at(root.clone()).governed_session(user_state, id).as_path());
    let Ok(entries) = fs::read_dir(folder_in(user_state).as_path()) else { return };
    let begin = id.to_string();
    for entry in entries.flatten() {
        // A session's id is a prefix of the same hash.
        let Some(name) =
            entry.file_name().to_str().filter(|name| name.starts_with(&begin)).map(str::to_owned)
        else {
            continue;
        };
        let record = SessionBinding { file: folder_in(user_state).child(&name) };
        if record.read().as_ref() == Some(root) {
            let _ = remove_file(record.file.as_path());
        }
    }
}

/// Returns the folder of all records in the user's state.
fn folder_in(user_state: &AbsPath) -> AbsPath {
    user_state.child("sessions")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_finds_the_workspace_it_was_bound_to() {
        let dir = tempfile::tempdir().unwrap();
        let state = AbsPath::new(dir.path().join("state")).unwrap();
        let (one, other) = (AbsPath::new(dir.path()).unwrap(), AbsPath::new(dir.path().join("b")).unwrap());
        fs::create_dir(other.as_path()).unwrap();
        let binding = SessionBinding::of(&state, "codex", "s");
        assert_eq!(binding.read(), None);
        binding.write(&one);
        assert_eq!(binding.read(), Some(one));
        binding.write(&other);
        assert_eq!(binding.read(), Some(other.clone()));
        assert_eq!(SessionBinding::of(&state, "qwen", "s").read(), None);
        fs::remove_dir(other.as_path()).unwrap();
        assert_eq!(binding.read(), None, "a folder that is gone binds nobody");
    }

    #[test]
    fn a_session_that_was_removed_leaves_no_record() {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path()).unwrap();
        let state = root.child("state");
        let id = |session: &str| {
            SessionId::from_hash(fingerprint([b"codex".as_slice(), session.as_bytes()]).word(0))
        };
        for session in ["one", "other"] {
            SessionBinding::of(&state, "codex", session).write(&root);
        }
        forget_session(&state, id("one"), &root);
        forget_session(&state, id("other"), &state);
        assert_eq!(SessionBinding::of(&state, "codex", "one").read(), None);
        assert_eq!(SessionBinding::of(&state, "codex", "other").read(), Some(root), "another workspace's");
    }

    #[test]
    fn a_record_that_is_torn_or_not_a_path_is_no_record() {
        let dir = tempfile::tempdir().unwrap();
        let state = AbsPath::new(dir.path()).unwrap();
        let binding = SessionBinding::of(&state, "codex", "s");
        fs::create_dir(folder_in(&state).as_path()).unwrap();
        for text in ["", "/", "tmp\n", "\n", "{}\n"] {
            fs::write(binding.file.as_path(), text).unwrap();
            assert_eq!(binding.read(), None, "{text:?}");
        }
    }
}
