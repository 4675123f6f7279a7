//! What the process was called with, and what its surroundings say.

use event::{AbsPath, Event};
use host::{Hints, Host};
use store::Workspace;

/// How the process was called.
#[derive(Debug, Clone)]
pub struct Invocation {
    /// The event named on the command line.
    pub event: Option<String>,
    /// The host named on the command line.
    pub host: Option<Host>,
    /// The workspace named on the command line.
    pub workspace: Option<AbsPath>,
    /// Shell calls are judged at an event of their own (Cursor's `beforeShellExecution`).
    pub shell: ShellCalls,
    /// The folder the process runs in.
    pub folder: AbsPath,
    /// The project the agent program says it was opened in.
    pub project: Option<AbsPath>,
    /// Where the user's own state is kept.
    pub user_state: Option<AbsPath>,
    /// The user's home.
    pub home: Option<AbsPath>,
    /// The agent that `steersman agent run` started the host as.
    pub running_agent: Option<String>,
    /// What the environment says about the host.
    pub hints: Hints,
    /// The automations that led to the process that asks, the first first.
    pub automations: Vec<String>,
}

/// Whether this registration judges shell calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ShellCalls {
    /// Here.
    #[default]
    Judged,
    /// At another event of the same host; here they pass unrecorded.
    JudgedElsewhere,
}

impl Invocation {
    /// Finds the workspace: named, or the host's project, or around the payload's folder, or around our own.
    pub(crate) fn workspace_root(&self, event: Option<&Event>) -> AbsPath {
        if let Some(named) = &self.workspace {
            return named.clone();
        }
        let folder = event
            .and_then(|event| event.cwd.as_deref())
            .and_then(|cwd| AbsPath::new(cwd).ok())
            // A folder that is not there is not made: it may be another machine's.
            .filter(|cwd| cwd.as_path().is_dir());
        Workspace::root_of_session(self.project.as_ref(), folder.as_ref().unwrap_or(&self.folder))
    }
}
