//! What the one call of an event says, worked out once for all modules that ask.

use std::cell::OnceCell;

use event::{AbsPath, CommandLine};
use shell::Reading;

use crate::Context;
use crate::call_folder::real_folder;
use crate::modules::shell_guard;

/// The command line of a call and the folder it starts in, once they were asked for.
#[derive(Debug, Default)]
pub struct CommandReading {
    reading: OnceCell<Reading>,
    folder: OnceCell<AbsPath>,
}

impl Context<'_> {
    /// Reads the command line of the event's call.
    pub fn reading(&self, command: &CommandLine) -> &Reading {
        self.command.reading.get_or_init(|| {
            let folder = shell_guard::folder(self, command);
            shell::read(&command.text, &shell_guard::place(self, command, &folder))
        })
    }

    /// Returns the folder the host works in, which relative paths of a call start from. It may lie outside of
    /// the workspace: the session is bound to that, wherever the agent goes.
    pub fn folder(&self) -> &AbsPath {
        self.command.folder.get_or_init(|| {
            let root = self.workspace.root();
            real_folder(root, root, self.event.cwd.as_deref())
        })
    }
}
