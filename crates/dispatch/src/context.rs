//! What a module may know about the event it judges (contract §6).

use std::cell::{OnceCell, RefCell};

use event::{AbsPath, AgentId, Deadline, Event, RunId, SessionId, TurnId, WorkId};
use host::Host;
use store::{Journal, SessionDir, Workspace};

use crate::command_reading::CommandReading;
use crate::{Config, Manifest, State};

/// Everything one run of the dispatcher stands on. Modules read it; what they want
/// changed they return.
#[derive(Debug)]
pub struct Context<'a> {
    /// What this run is filed under.
    pub ids: Ids,
    /// Which program asks.
    pub host: Host,
    /// What happened.
    pub event: &'a Event,
    /// Where it happened.
    pub workspace: &'a Workspace,
    /// Where this session is kept.
    pub session: &'a SessionDir,
    /// The session so far.
    pub state: &'a State,
    /// Which modules run, and how.
    pub manifest: &'a Manifest,
    /// Each module's own settings.
    pub config: &'a Config,
    /// The host that waits can be told to run a tool with another input.
    pub can_rewrite: bool,
    /// The user's home, where it is known.
    pub home: Option<&'a AbsPath>,
    /// The agent that `steersman agent run` started the host as.
    pub running_agent: Option<&'a str>,
    /// Where the user's own state is kept, where it is known.
    pub user_state: Option<&'a AbsPath>,
    /// What the command of the call does, read when somebody asks.
    pub command: CommandReading,
    /// The last lines of the session's journal, read when somebody asks.
    pub recent: Recent<'a>,
    /// By when the answer has to be out.
    pub deadline: Deadline,
    /// What modules say to their own debug logs.
    pub log: DebugLog,
}

/// The ids of one run (contract §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ids {
    /// The session.
    pub session: SessionId,
    /// The piece of work within it.
    pub work: WorkId,
    /// The agent within it.
    pub agent: AgentId,
    /// The turn within it.
    pub turn: TurnId,
    /// This run.
    pub run: RunId,
}

/// The end of a journal.
#[derive(Debug)]
pub struct Recent<'a> {
    journal: Option<&'a Journal>,
    lines: OnceCell<String>,
}

impl<'a> Recent<'a> {
    /// How much of the journal's end is looked at.
    pub(crate) const BYTES: u64 = 16 * 1024;

    /// Returns the end of this journal; `read` if somebody has read it already.
    pub(crate) fn new(journal: Option<&'a Journal>, read: Option<String>) -> Self {
        Self { journal, lines: read.map(OnceCell::from).unwrap_or_default() }
    }

    /// Returns the end of a text that was read from byte `start` on: whole lines, not too many.
    pub(crate) fn end_of(mut text: String, start: u64) -> String {
        let surplus = text.len().saturating_sub(usize::try_from(Self::BYTES).unwrap_or(0));
        if start > 0 || surplus > 0 {
            let after_line = |at: usize| text.as_bytes()[at..].iter().position(|byte| *byte == b'\n');
            let first_whole = after_line(surplus).map_or(text.len(), |at| surplus + at + 1);
            text.drain(..first_whole);
        }
        text
    }

    /// Returns lines that were read already, newest last.
    pub fn of(lines: &str) -> Self {
        Self { journal: None, lines: OnceCell::from(lines.to_owned()) }
    }

    /// Returns its last lines, newest last; none if it cannot be read.
    pub fn lines(&self) -> &str {
        let read = || self.journal.and_then(|journal| journal.tail(Self::BYTES).ok()).unwrap_or_default();
        self.lines.get_or_init(read)
    }
}

/// Lines for the debug logs, kept until the run is recorded.
#[derive(Debug, Default)]
pub struct DebugLog(RefCell<Vec<DebugLine>>);

/// One line for one module's debug log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DebugLine {
    /// Whose log.
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

    /// Hands out what was said so far.
    pub fn take(&self) -> Vec<DebugLine> {
        self.0.take()
    }
}
