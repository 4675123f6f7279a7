//! Reads and changes the intents of a workspace, for users and the MCP server.
//!
//! INVARIANT: an edit is based on the content of the file under the lock, and is written as a whole.
//! Two concurrent edits both succeed.

use std::fs::File;
use std::io;

use event::AbsPath;
use store::{Workspace, WriteError, no_follow, plain_file, replace_file};

use crate::compiled_intents::read_bounded;
use crate::{
    ContentHash, EditError, Intent, IntentId, IntentsFile, LoadError, NewIntent, NotSelectable, Status,
};

/// The intents of one workspace.
#[derive(Debug, Clone)]
pub struct WorkspaceIntents<'a> {
    workspace: &'a Workspace,
}

/// Why the intents cannot be changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// The intents file does not exist.
    #[error("cannot find {file}: this workspace has no intents", file = IntentsFile::PATH)]
    Missing,
    /// The file is invalid.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The change is not possible.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The intent cannot be selected.
    #[error(transparent)]
    NotSelectable(#[from] NotSelectable),
    /// The file cannot be read or written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl ChangeError {
    /// Returns whether the cause is the disk, not the request.
    pub fn is_of_the_disk(&self) -> bool {
        matches!(self, Self::Write(_) | Self::Load(LoadError::Read { .. }))
    }
}

impl<'a> WorkspaceIntents<'a> {
    /// Creates the accessor of this workspace's intents.
    pub fn of(workspace: &'a Workspace) -> Self {
        Self { workspace }
    }

    /// Returns the path of the file.
    pub fn file(&self) -> AbsPath {
        self.workspace.root().join(IntentsFile::PATH)
    }

    /// Reads the intents. Returns `None` if the file does not exist; then nothing governs.
    pub fn read(&self) -> Result<Option<IntentsFile>, LoadError> {
        let Some(bytes) = self.bytes()? else { return Ok(None) };
        Ok(Some(IntentsFile::parse(&bytes)?))
    }

    /// Adds an intent and returns it. Creates the file if necessary.
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

    /// Changes the status of an intent; returns it, and its previous status.
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

    /// Starts work on an intent: sets a PENDING one to `IN_PROGRESS`.
    ///
    /// A file that cannot be edited safely or that is write-protected does not prevent work; its
    /// status then stays unchanged.
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
            // The parser reports where it is not UTF-8.
            Err(error) => Err(IntentsFile::parse(error.as_bytes()).err()),
        });
        let before = match before.transpose() {
            Ok(text) => text,
            Err(Some(invalid)) => return Err(LoadError::from(invalid).into()),
            Err(None) => None,
        };
        let after = change(before.as_deref())?;
        if before.as_ref() != Some(&after) {
            self.record_edit(&after);
            replace_file(self.file().as_path(), after.as_bytes())?;
        }
        Ok(())
    }

    /// Returns whether the file is as one of steersman's own commands left it.
    pub fn is_own_edit(&self) -> bool {
        let recorded = plain_file::read(self.workspace.intents_edit_file().as_path()).unwrap_or_default();
        let now = self.bytes().ok().flatten().map(|bytes| ContentHash::of(&bytes));
        now.is_some_and(|now| now.as_str().as_bytes() == recorded)
    }

    /// Records the content that an edit is about to write. Ignores errors: a command of an agent that runs at the
    /// same time is then blamed for the edit.
    fn record_edit(&self, content: &str) {
        let hash = ContentHash::of(content.as_bytes());
        let file = self.workspace.intents_edit_file();
        if self.workspace.make_tmp_dir().is_ok() {
            let _ = store::write_shared(file.as_path(), hash.as_str().as_bytes());
        }
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

    /// Waits for other editors. Without a lock file the edit proceeds: a state folder that cannot be
    /// written must not block a user.
    fn lock(&self) -> Option<File> {
        self.workspace.make_tmp_dir().ok()?;
        let path = self.workspace.intents_lock();
        let file = no_follow::options().write(true).create(true).open(path.as_path()).ok()?;
        file.lock().ok()?;
        Some(file)
    }
}

impl IntentsFile {
    /// The content of a new intents file.
    pub const STARTER: &'static str = include_str!("starter.yaml");
}
