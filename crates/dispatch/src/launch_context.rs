//! The command line and the environment of a hook process.

use std::path::PathBuf;
use std::time::Duration;

use event::{AbsPath, Detail, Event};
use host::{Hints, Host};
use session::{CheckOutcome, person};
use store::{Governed, NamedBy, SessionBinding, SessionFolders, UserConfig, Workspace};

use crate::{Fault, ShellEntryCheck};

/// The command line and the environment of a hook process.
#[derive(Debug, Clone)]
pub struct LaunchContext {
    /// The event on the command line.
    pub event: Option<String>,
    /// The host on the command line.
    pub host: Option<Host>,
    /// The workspace on the command line.
    pub workspace: Option<AbsPath>,
    /// The registration on the command line: each announces an event once.
    pub registration: Option<String>,
    /// The host's timeout for this hook, on the command line.
    pub timeout: Option<Duration>,
    /// Starts the notification that an ask waits, and returns at once.
    pub notify: fn(&asks::Ask),
    /// Runs one acceptance command to its end.
    pub run_check: fn(&CheckRequest<'_>) -> CheckResult,
    /// Starts the comparison of a session's transcript with its journal, and returns at once.
    pub check_coverage: fn(&Workspace, event::SessionId),
    /// Whether another registration judges shell calls (Cursor's `beforeShellExecution`).
    pub shell: ShellCalls,
    /// The working folder of the process.
    pub folder: AbsPath,
    /// The project that the agent program has opened, from its environment variables.
    pub project: Option<AbsPath>,
    /// The user's state folder.
    pub user_state: Option<AbsPath>,
    /// The settings of registrations for all folders, the user's first.
    pub user_configs: Vec<AbsPath>,
    /// The user's home.
    pub home: Option<AbsPath>,
    /// Where the user moved the settings of agent programs to.
    pub moved_settings: Vec<shell::guard::MovedSettings>,
    /// The agent that `steersman agent run` started the host as.
    pub running_agent: Option<String>,
    /// The environment variables that identify the host.
    pub hints: Hints,
    /// Tells whether steersman is in front of a host's shell.
    pub shell_entry: ShellEntryCheck,
    /// Returns the folders in which a shell looks for programs.
    pub program_folders: fn() -> Vec<PathBuf>,
    /// The automations that started the host, outermost first.
    pub automations: Vec<String>,
    /// Takes the records of an agent program that runs where hooks cannot write.
    pub records: Option<store::RecordRelay>,
}

/// An acceptance command to run.
#[derive(Debug, Clone, Copy)]
pub struct CheckRequest<'a> {
    /// The workspace.
    pub workspace: &'a Workspace,
    /// The command line.
    pub command: &'a str,
    /// The intent whose scope the command may write; without one it may write the workspace.
    pub intent: Option<&'a str>,
    /// The time that it may take.
    pub timeout: Duration,
}

/// The result of an acceptance command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckResult {
    /// Whether it passed.
    pub outcome: CheckOutcome,
    /// How it ended and the end of its output, or why it did not run.
    pub message: String,
}

/// Whether this registration judges shell calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ShellCalls {
    /// Yes.
    #[default]
    Judged,
    /// No: another event of the same host does. Here they pass unrecorded.
    JudgedElsewhere,
}

impl LaunchContext {
    /// Finds the workspace of an event's session: the one on the command line, else the one that the session was
    /// bound to at its first event, which this may be.
    ///
    /// Returns [`Fault::Unbound`] if the payload has no session id and only the agent's choice of a folder would
    /// name a workspace.
    pub(crate) fn workspace_root(&self, host: Host, event: &Event) -> Result<AbsPath, Fault> {
        if let Some(named) = &self.workspace {
            return Ok(named.clone());
        }
        let session = event.session.as_deref().filter(|id| !id.is_empty());
        if session.is_none() && self.project.is_none() && host.runs_hooks_where_calls_run() {
            return Err(Fault::Unbound(host));
        }
        let binding = self.user_state.as_ref().zip(session);
        let binding = binding.map(|(state, session)| SessionBinding::of(state, host.name(), session));
        let bound = binding.as_ref().and_then(SessionBinding::read);
        // A command of the agent may announce the start of its own session, to bind it to a folder without rules.
        let is_forged = begins(event) && self.is_sent_by_agents_command(None);
        let named_by = if begins(event) && !is_forged { NamedBy::Start } else { NamedBy::Agent };
        if let Some(bound) =
            bound.as_ref().filter(|bound| named_by == NamedBy::Agent && !self.has_moved(host, bound))
        {
            return Ok(bound.clone());
        }
        let named = event.cwd.as_deref().and_then(|cwd| AbsPath::new(cwd).ok());
        // Never created: a folder that does not exist may be on another machine.
        let named = named.filter(|cwd| cwd.as_path().is_dir());
        let root = Workspace::root_of_session(&self.whereabouts(named.as_ref(), named_by));
        // WHY not always: a folder that the host names at every event needs no record, as long as an agent cannot
        // change which workspace follows from it.
        let is_named_again =
            self.project.as_ref().unwrap_or(&self.folder) == &root && !host.runs_hooks_where_calls_run();
        if let Some(binding) =
            binding.filter(|_| !is_forged && bound.as_ref().map_or(!is_named_again, |bound| *bound != root))
        {
            binding.write(&root);
        }
        Ok(root)
    }

    /// Returns whether a program that an agent started sends this event, not an agent program.
    pub(crate) fn is_sent_by_agents_command(&self, workspace: Option<&Workspace>) -> bool {
        self.user_state.as_ref().is_some_and(|state| person::is_sent_by_agents_command(workspace, state))
    }

    /// Opens the workspace of an event's session.
    pub(crate) fn open_workspace(&self, host: Host, event: &Event) -> Result<Governed, Fault> {
        Ok(self.open(self.workspace_root(host, event)?))
    }

    /// Opens the workspace without an event.
    pub(crate) fn open_without_event(&self) -> Governed {
        let unbound = || Workspace::root_of_session(&self.whereabouts(None, NamedBy::Agent));
        self.open(self.workspace.clone().unwrap_or_else(unbound))
    }

    /// A workspace on the command line is registered by that.
    fn open(&self, root: AbsPath) -> Governed {
        let user_state = self.user_state.as_ref().filter(|_| self.workspace.is_none());
        UserConfig::open(root, user_state, &self.user_configs)
    }

    fn whereabouts<'a>(&'a self, named: Option<&'a AbsPath>, named_by: NamedBy) -> SessionFolders<'a> {
        let differs = self.project.is_none() && named.is_some_and(|named| *named != self.folder);
        let is_registered = || {
            let mut plans = host::install::HookPlan::ALL.into_iter();
            self.home.as_ref() != Some(&self.folder)
                && plans.any(|plan| self.folder.child(plan.file).as_path().is_file())
        };
        SessionFolders {
            project: self.project.as_ref(),
            own: &self.folder,
            own_is_registered: differs && is_registered(),
            named,
            named_by,
        }
    }

    /// Returns whether the host works in another project than the one its session is bound to: two sessions share
    /// an id.
    fn has_moved(&self, host: Host, bound: &AbsPath) -> bool {
        match &self.project {
            Some(project) => Workspace::is_unrelated(bound, project),
            None => {
                !host.runs_hooks_where_calls_run()
                    && Workspace::is_unrelated(bound, &self.folder)
                    && Workspace::has_rules(&Workspace::root_of(&self.folder))
            }
        }
    }
}

/// Returns whether a user has just started or resumed the session and so chose its folder. A session also starts after
/// its context was compacted, in the agent's current folder.
fn begins(event: &Event) -> bool {
    let Detail::SessionStart { source } = &event.detail else { return false };
    !source.as_deref().is_some_and(|source| matches!(source, "compact" | "clear"))
}
