//! What the process was called with, and what its surroundings say.

use event::{AbsPath, Detail, Event};
use host::{Hints, Host};
use store::{NamedBy, SessionBinding, Whereabouts, Workspace};

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
    /// Finds the workspace of an event's session: the one named on the command line, else the one the session
    /// was bound to at its first event, which this may be.
    pub(crate) fn workspace_root(&self, host: Host, event: &Event) -> AbsPath {
        if let Some(named) = &self.workspace {
            return named.clone();
        }
        let session = event.session.as_deref().filter(|id| !id.is_empty());
        let binding = self.user_state.as_ref().zip(session);
        let binding = binding.map(|(state, session)| SessionBinding::of(state, host.name(), session));
        let bound = binding.as_ref().and_then(SessionBinding::read);
        let named_by = if begins(event) { NamedBy::Start } else { NamedBy::Agent };
        if let Some(bound) =
            bound.as_ref().filter(|bound| named_by == NamedBy::Agent && !self.has_moved(host, bound))
        {
            return bound.clone();
        }
        let named = event.cwd.as_deref().and_then(|cwd| AbsPath::new(cwd).ok());
        // A folder that is not there is not made: it may be another machine's.
        let named = named.filter(|cwd| cwd.as_path().is_dir());
        let root = Workspace::root_of_session(&self.whereabouts(named.as_ref(), named_by));
        // WHY not always: what the host says at every event needs no record, as long as nothing an agent makes
        // in between can change what follows from it.
        let is_said_again =
            self.project.as_ref().unwrap_or(&self.folder) == &root && !host.runs_hooks_where_calls_run();
        if let Some(binding) =
            binding.filter(|_| bound.as_ref().map_or(!is_said_again, |bound| *bound != root))
        {
            binding.write(&root);
        }
        root
    }

    /// Finds the workspace when there is no event to ask.
    pub(crate) fn workspace_without_event(&self) -> AbsPath {
        let unbound = || Workspace::root_of_session(&self.whereabouts(None, NamedBy::Agent));
        self.workspace.clone().unwrap_or_else(unbound)
    }

    fn whereabouts<'a>(&'a self, named: Option<&'a AbsPath>, named_by: NamedBy) -> Whereabouts<'a> {
        let differs = self.project.is_none() && named.is_some_and(|named| *named != self.folder);
        let is_registered = || {
            let mut plans = host::install::Plan::ALL.into_iter();
            self.home.as_ref() != Some(&self.folder)
                && plans.any(|plan| self.folder.child(plan.file).as_path().is_file())
        };
        Whereabouts {
            project: self.project.as_ref(),
            own: &self.folder,
            own_is_registered: differs && is_registered(),
            named,
            named_by,
        }
    }

    /// Returns whether the host works in another project than the one its session is bound to: an id was used
    /// for two sessions.
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

/// Returns whether a person has just started or resumed the session, so that nobody but them chose its folder.
/// A session also starts again after its context was shortened, in whatever folder the agent is by then.
fn begins(event: &Event) -> bool {
    let Detail::SessionStart { source } = &event.detail else { return false };
    !source.as_deref().is_some_and(|source| matches!(source, "compact" | "clear"))
}
