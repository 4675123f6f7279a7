//! The context in which a module judges an event (contract §6).

use std::fs::Metadata;

use event::{AbsPath, Deadline, Event};
use host::Host;
use project_config::{Config, Manifest};
use session::{Ids, JournalTail, State};
use store::{SessionDir, Workspace};

use crate::command_reading::CommandReading;
use crate::debug_log::DebugLog;

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
    /// Where the user moved the settings of agent programs to.
    pub moved_settings: &'a [shell::guard::MovedSettings],
    /// The agent that `steersman agent run` started the host as.
    pub running_agent: Option<&'a str>,
    /// The user's state folder; `None` if it is unknown.
    pub user_state: Option<&'a AbsPath>,
    /// The parsed command line of the call, on first use.
    pub command: CommandReading,
    /// The last lines of the session's journal, read on first use.
    pub journal_tail: JournalTail<'a>,
    /// The intents file when the run began; `None` if the workspace has none. One `stat` answers every question about it.
    pub intents_file: Option<&'a Metadata>,
    /// The deadline of the answer.
    pub deadline: Deadline,
    /// The lines for the modules' debug logs.
    pub log: DebugLog,
}
