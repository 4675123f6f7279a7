//! The session of a subagent whose host gives it its own session id, recorded in the user's state folder while
//! the subagent runs.
//!
//! WHY there: as for [`crate::SessionBinding`], an agent must not be able to move itself into another session.

use event::AbsPath;

use crate::{create_folder, fingerprint, plain_file, remove_file, write_shared};

/// The record of one subagent, which may not exist.
#[derive(Debug)]
pub struct SubagentRecord {
    file: AbsPath,
}

impl SubagentRecord {
    /// Returns the record of a host's subagent.
    pub fn of(user_state: &AbsPath, host: &str, agent: &str) -> Self {
        let key = fingerprint([host.as_bytes(), agent.as_bytes()]);
        Self { file: user_state.child("subagents").child(&key.short()) }
    }

    /// Reads the host's id of the session. Returns `None` without a record.
    pub fn read(&self) -> Option<String> {
        let text = String::from_utf8(plain_file::read(self.file.as_path()).ok()?).ok()?;
        text.strip_suffix('\n').map(str::to_owned)
    }

    /// Records the host's id of the session. Ignores errors: without a record only a nested subagent is a session of
    /// its own.
    pub fn write(&self, session: &str) {
        if session.contains('\n') {
            return;
        }
        if let Some(folder) = self.file.parent() {
            let _ = create_folder(folder.as_path());
        }
        let _ = write_shared(self.file.as_path(), format!("{session}\n").as_bytes());
    }

    /// Removes the record. Ignores errors.
    pub fn remove(&self) {
        let _ = remove_file(self.file.as_path());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subagent_has_its_session_from_its_start_to_its_end() {
        let dir = tempfile::tempdir().unwrap();
        let state = AbsPath::new(dir.path()).unwrap();
        let record = SubagentRecord::of(&state, "copilot-cli", "agent");
        assert_eq!(record.read(), None);
        record.write("session");
        assert_eq!(record.read().as_deref(), Some("session"));
        assert_eq!(SubagentRecord::of(&state, "cursor", "agent").read(), None);
        record.remove();
        assert_eq!(record.read(), None);
    }
}
