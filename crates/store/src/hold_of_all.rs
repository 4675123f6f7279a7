//! A person's order to hold every session of a workspace, also those that start later, or one session.
//!
//! The record is in the user's state folder, outside every workspace, where no agent may write.

use std::io;

use event::{AbsPath, SessionId};
use serde::{Deserialize, Serialize};

use crate::{Format, Workspace, WriteError, create_folder, plain_file, write_atomic};

/// The order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct HoldOfAll {
    /// The format of this file; 1.
    version: u64,
    /// When the person gave it, in milliseconds.
    pub ts: u64,
    /// How many more calls each session may make.
    pub after: u64,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

const FORMAT: Format = Format(1);

impl HoldOfAll {
    /// Returns an order.
    pub fn new(ts: u64, after: u64, reason: Option<&str>) -> Self {
        Self { version: FORMAT.0, ts, after, reason: reason.map(str::to_owned) }
    }

    /// Reads the order. Returns `None` if there is no order. A file that cannot be read holds every session: a person
    /// wanted them held.
    pub fn load(workspace: &Workspace, user_state: &AbsPath) -> Option<Self> {
        Self::read(&workspace.hold_file(user_state))
    }

    /// Reads the order about one session, like [`Self::load`].
    ///
    /// WHY besides the session's journal: a program that the agent left running can edit that.
    pub fn load_one(workspace: &Workspace, session: SessionId, user_state: &AbsPath) -> Option<Self> {
        Self::read(&workspace.hold_file_of(session, user_state))
    }

    fn read(path: &AbsPath) -> Option<Self> {
        match plain_file::read(path.as_path()) {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                None
            }
            Err(_) => Some(Self::unreadable()),
            Ok(bytes) => Some(serde_json::from_slice(&bytes).unwrap_or_else(|_| Self::unreadable())),
        }
    }

    /// Writes the order.
    pub fn save(&self, workspace: &Workspace, user_state: &AbsPath) -> Result<(), WriteError> {
        self.write(&workspace.hold_file(user_state))
    }

    /// Writes the order about one session.
    pub fn save_one(
        &self,
        workspace: &Workspace,
        session: SessionId,
        user_state: &AbsPath,
    ) -> Result<(), WriteError> {
        self.write(&workspace.hold_file_of(session, user_state))
    }

    fn write(&self, path: &AbsPath) -> Result<(), WriteError> {
        if let Some(folder) = path.as_path().parent() {
            create_folder(folder)
                .map_err(|source| WriteError::Write { path: folder.to_path_buf(), source })?;
        }
        let text = serde_json::to_string(self).unwrap_or_default() + "\n";
        write_atomic(path.as_path(), text.as_bytes())
    }

    /// Removes the order. Returns whether there was one.
    pub fn remove(workspace: &Workspace, user_state: &AbsPath) -> io::Result<bool> {
        crate::remove_file(workspace.hold_file(user_state).as_path())
    }

    /// Removes the order about one session. Returns whether there was one.
    pub fn remove_one(workspace: &Workspace, session: SessionId, user_state: &AbsPath) -> io::Result<bool> {
        crate::remove_file(workspace.hold_file_of(session, user_state).as_path())
    }

    fn unreadable() -> Self {
        Self::new(u64::MAX, 0, Some("steersman cannot read the order to hold it"))
    }
}
