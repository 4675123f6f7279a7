//! The command line of a call, read once for all modules that ask.

use std::cell::OnceCell;

use event::{AbsPath, CommandLine};
use shell::Reading;

use crate::Context;
use crate::modules::shell_guard;

/// What the one command line of an event says.
#[derive(Debug, Default)]
pub struct CommandReading(OnceCell<Reading>);

impl Context<'_> {
    /// Reads the command line of the event's call.
    pub fn reading(&self, command: &CommandLine) -> &Reading {
        self.command.0.get_or_init(|| {
            let folder = shell_guard::folder(self, command);
            shell::read(&command.text, &shell_guard::place(self, command, &folder))
        })
    }

    /// Returns the folder the host works in, which relative paths of a call start from.
    pub fn folder(&self) -> AbsPath {
        let root = self.workspace.root();
        self.event.cwd.as_ref().map_or_else(|| root.clone(), |cwd| root.join(cwd))
    }
}
