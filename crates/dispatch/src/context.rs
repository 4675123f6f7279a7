//! The context in which a module judges an event (contract §6).

use std::cell::RefCell;

use event::{AbsPath, Deadline, Event};
use host::Host;
use project_config::{Config, Manifest};
use session::{Ids, JournalTail, State};
use store::{SessionDir, Workspace};

use crate::command_reading::CommandReading;

/// The inputs of one run. Modules read them and return changes as an [`crate::Action`].
#[derive(Debug)]
pub struct Context<'a> {
    /// The ids of the run.
    pub ids: Ids,
    /// The agent program.
    pub host: Host,
    /// The event.
    pub event: &'a Event,
    /// The workspace of the session.
    pub workspace: &'a Workspace,
    /// The folder of the session.
    pub session: &'a SessionDir,
    /// The state of the session before the event.
    pub state: &'a State,
    /// Which modules run, and how.
    pub manifest: &'a Manifest,
    /// Each module's own settings.
    pub config: &'a Config,
    /// Whether the host can run the tool with another input.
    pub can_rewrite: bool,
    /// The user's home; `None` if it is unknown.
    pub home: Option<&'a AbsPath>,
    /// The agent that `steersman agent run` started the host as.
    pub running_agent: Option<&'a str>,
    /// The user's state folder; `None` if it is unknown.
    pub user_state: Option<&'a AbsPath>,
    /// The parsed command line of the call, on first use.
    pub command: CommandReading,
    /// The last lines of the session's journal, read on first use.
    pub journal_tail: JournalTail<'a>,
    /// The deadline of the answer.
    pub deadline: Deadline,
    /// The lines for the modules' debug logs.
    pub log: DebugLog,
}

/// Lines for the debug logs, buffered until the run is recorded.
#[derive(Debug, Default)]
pub struct DebugLog(RefCell<Vec<DebugLine>>);

/// One line for one module's debug log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DebugLine {
    /// The module.
    pub module: String,
    /// `debug`, `info`, `warn` or `error`.
    pub level: String,
    /// The line.
    pub text: String,
}

impl DebugLog {
    /// Adds a line.
    pub fn add(&self, module: &str, level: &str, text: String) {
        self.0.borrow_mut().push(DebugLine { module: module.into(), level: level.into(), text });
    }

    /// Takes the lines.
    pub fn take(&self) -> Vec<DebugLine> {
        self.0.take()
    }
}
