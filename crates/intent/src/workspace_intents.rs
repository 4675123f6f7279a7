//! The intents of a workspace as a person or the MCP server changes them: read, edit, write.
//!
//! INVARIANT: an edit is made of what the file says under the lock, and is written as a whole.
//! Two that edit at once both get their way.

use std::fs::File;
use std::io;

use event::AbsPath;
use store::{Workspace, WriteError, no_follow, replace_file};

use crate::compiled::read_bounded;
use crate::{EditError, Intent, IntentId, IntentsFile, LoadError, NewIntent, NotSelectable, Status};

/// The intents of one workspace.
#[derive(Debug, Clone)]
pub struct WorkspaceIntents<'a> {
    workspace: &'a Workspace,
}

/// Why the intents were not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// There is no file of intents.
    #[error("there are no intents here: {file} is missing", file = IntentsFile::PATH)]
    Missing,
    /// The file cannot be used.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The file cannot be changed like that.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The intent cannot be worked on.
    #[error(transparent)]
    NotSelectable(#[from] NotSelectable),
    /// The disk said no.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl ChangeError {
    /// Returns whether the disk is to blame, not what was asked for.
    pub fn is_of_the_disk(&self) -> bool {
        matches!(self, Self::Write(_) | Self::Load(LoadError::Read { .. }))
    }
}

impl<'a> WorkspaceIntents<'a> {
    /// Looks after the intents of this workspace.
    pub fn of(workspace: &'a Workspace) -> Self {
        Self { workspace }
    }

    /// Returns where the file is.
    pub fn file(&self) -> AbsPath {
        self.workspace.root().join(IntentsFile::PATH)
    }

    /// Reads the intents; nothing if there is no file, and nothing governs.
    pub fn read(&self) -> Result<Option<IntentsFile>, LoadError> {
        let Some(bytes) = self.bytes()? else { return Ok(None) };
        Ok(Some(IntentsFile::parse(&bytes)?))
    }

    /// Adds an intent and returns it; without a file one is begun.
    pub fn add(&self, new: &NewIntent) -> Result<Intent, ChangeError> {
        let mut added = None;
        self.edit(|text| {
            let (edited, id) = IntentsFile::add(text.unwrap_or(IntentsFile::STARTER), new)?;
            added = Some(id);
            Ok(edited)
        })?;
        let id = added.ok_or(ChangeError::Missing)?;
        self.get(&id)
    }

    /// Puts an intent into another state; returns it, and the state it was in.
    pub fn set_status(&self, id: &IntentId, to: Status) -> Result<(Intent, Status), ChangeError> {
        let before = self.get(id)?.status;
        self.edit(|text| Ok(IntentsFile::set_status(text.ok_or(ChangeError::Missing)?, id, to)?))?;
        Ok((self.get(id)?, before))
    }

    /// Adds a pattern to the scope of an intent and returns the intent.
    pub fn expand(&self, id: &IntentId, pattern: &str) -> Result<Intent, ChangeError> {
        self.edit(|text| Ok(IntentsFile::expand(text.ok_or(ChangeError::Missing)?, id, pattern)?))?;
        self.get(id)
    }

    /// Takes up work on an intent: one that is PENDING is `IN_PROGRESS` from then on.
    ///
    /// A file that cannot be edited safely or that is write-protected does not keep anybody from
    /// working; only the word in it stays the old one.
    pub fn take_up(&self, id: &IntentId) -> Result<Intent, ChangeError> {
        let intents = self.read()?.ok_or(ChangeError::Missing)?;
        let intent = intents.selectable(id)?.clone();
        if intent.status != Status::Pending {
            return Ok(intent);
        }
        match self.set_status(id, Status::InProgress) {
            Ok((intent, _)) => Ok(intent),
            Err(ChangeError::Edit(EditError::Layout) | ChangeError::Write(_)) => Ok(intent),
            Err(error) => Err(error),
        }
    }

    fn get(&self, id: &IntentId) -> Result<Intent, ChangeError> {
        let intents = self.read()?.ok_or(ChangeError::Missing)?;
        let found = intents.intents.into_iter().find(|intent| intent.id == *id);
        found.ok_or_else(|| EditError::Unknown(id.clone()).into())
    }

    fn edit(
        &self,
        change: impl FnOnce(Option<&str>) -> Result<String, ChangeError>,
    ) -> Result<(), ChangeError> {
        let _lock = self.lock();
        let before = self.bytes()?.map(|bytes| match String::from_utf8(bytes) {
            Ok(text) => Ok(text),
            // The reader says where it is not UTF-8.
            Err(error) => Err(IntentsFile::parse(error.as_bytes()).err()),
        });
        let before = match before.transpose() {
            Ok(text) => text,
            Err(Some(invalid)) => return Err(LoadError::from(invalid).into()),
            Err(None) => None,
        };
        let after = change(before.as_deref())?;
        if before.as_ref() != Some(&after) {
            replace_file(self.file().as_path(), after.as_bytes())?;
        }
        Ok(())
    }

    fn bytes(&self) -> Result<Option<Vec<u8>>, LoadError> {
        match read_bounded(&self.file()) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Ok(None)
            }
            Err(source) => Err(LoadError::Read { source }),
        }
    }

    /// Waits for others that edit. Without a place for the lock the edit is made all the same: a
    /// state folder that cannot be written is no reason to refuse a person.
    fn lock(&self) -> Option<File> {
        self.workspace.make_tmp_dir().ok()?;
        let path = self.workspace.intents_lock();
        let file = no_follow::options().write(true).create(true).open(path.as_path()).ok()?;
        file.lock().ok()?;
        Some(file)
    }
}

impl IntentsFile {
    /// A file of intents to begin with.
    pub const STARTER: &'static str = include_str!("starter.yaml");
}
