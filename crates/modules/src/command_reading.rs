//! Parses the command line of an event's call once for all modules.

use std::cell::{Cell, OnceCell};

use ::intent::IntentId;
use event::{AbsPath, CommandLine};
use shell::Reading;

use crate::Context;
use crate::call_folder::real_folder;
use crate::shell_guard;

/// The parsed command line of a call and its working folder, each computed on first use.
#[derive(Debug, Default)]
pub struct CommandReading {
    reading: OnceCell<Reading>,
    earlier: OnceCell<String>,
    folder: OnceCell<AbsPath>,
    proof: OnceCell<WriteProof>,
    is_suggested_undo: Cell<bool>,
}

/// The findings of the module `intent` about the writes of a permitted call.
#[derive(Debug)]
pub struct WriteProof {
    /// The intent that permits it.
    pub intent_id: Option<IntentId>,
    /// Whether all its writes are known and in scope.
    pub knows_its_files: bool,
}

impl CommandReading {
    /// Returns the known writes of the call; `None` if it needs no intent.
    pub fn proof(&self) -> Option<&WriteProof> {
        self.proof.get()
    }

    /// Records that the call is exactly the undo that a drift report suggested.
    pub(crate) fn permit_undo(&self) {
        self.is_suggested_undo.set(true);
    }

    /// Returns whether the call is exactly the undo that a drift report suggested, and has not been used yet.
    pub fn is_suggested_undo(&self) -> bool {
        self.is_suggested_undo.get()
    }

    /// Records the known writes of the call.
    pub(crate) fn prove(&self, proof: WriteProof) {
        // The module judges a call once.
        let _ = self.proof.set(proof);
    }
}

impl Context<'_> {
    /// Reads the command line of the event's call.
    pub fn reading(&self, command: &CommandLine) -> &Reading {
        self.command.reading.get_or_init(|| {
            let folder = shell_guard::folder(self, command);
            shell::read(&command.text, &shell_guard::place(self, command, &folder))
        })
    }

    /// Returns the lines that the session's shell may have run before. Empty on hosts that start a shell for each command.
    pub fn earlier_lines(&self) -> &str {
        self.command.earlier.get_or_init(|| shell_guard::earlier_lines(self))
    }

    /// Returns the host's working folder, the base of a call's relative paths. It may be outside of the workspace,
    /// to which the session stays bound.
    pub fn folder(&self) -> &AbsPath {
        self.command.folder.get_or_init(|| {
            let root = self.workspace.root();
            real_folder(root, root, self.event.cwd.as_deref())
        })
    }
}
