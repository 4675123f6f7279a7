//! Judging an event again, without answering anybody and without leaving a trace.
//!
//! The same steps, pipeline and merge as [`crate::run`]; what is left out is everything
//! that writes: the journal, the state, the debug logs, a person's permission.

use std::time::Instant;

use event::{AbsPath, Deadline, Event, Verdict};
use host::Wire;
use store::{SessionDir, Workspace};

use crate::command_reading::CommandReading;
use crate::context::{DebugLog, Ids, Recent};
use crate::fit::Fit;
use crate::steps::Finder;
use crate::{Config, Context, Manifest, Module, State, judgement, pipeline};

/// An event and everything it was, or would be, judged by.
#[derive(Clone, Copy)]
pub struct Rejudge<'a> {
    /// The modules of this build.
    pub modules: &'a [&'a dyn Module],
    /// Where the project's own modules lie.
    pub workspace: &'a Workspace,
    /// Where it is remembered which workspaces are trusted; scripts of others do not run.
    pub user_state: Option<&'a AbsPath>,
    /// The user's home.
    pub home: Option<&'a AbsPath>,
    /// The agent that `steersman agent run` started the host as.
    pub running_agent: Option<&'a str>,
    /// Which modules run, and how.
    pub manifest: &'a Manifest,
    /// Each module's own settings.
    pub config: &'a Config,
    /// Who waited for the answer.
    pub wire: &'a Wire,
    /// What happened.
    pub event: &'a Event,
    /// What the run was filed under.
    pub ids: Ids,
    /// Where the session is kept.
    pub session: &'a SessionDir,
    /// The state before the event.
    pub state: &'a State,
    /// The last lines of the journal before the event.
    pub recent: &'a str,
    /// Whether a person had permitted this very call.
    pub permission: Permission,
}

/// Whether a person had permitted a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// Nobody had.
    None,
    /// Somebody had, for this once.
    Once,
}

/// What would be answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Rejudged {
    /// What the host would be told.
    pub verdict: Verdict,
    /// The module whose word decides.
    pub decided_by: Option<String>,
}

/// Judges the event.
pub fn rejudge(case: &Rejudge<'_>) -> Rejudged {
    let deadline = Deadline::after(Instant::now(), case.manifest.budgets.of(case.event.name()));
    let context = Context {
        ids: case.ids,
        host: case.wire.host(),
        event: case.event,
        workspace: case.workspace,
        session: case.session,
        state: case.state,
        manifest: case.manifest,
        config: case.config,
        can_rewrite: host::can(case.wire, host::Verb::Rewrite),
        home: case.home,
        running_agent: case.running_agent,
        user_state: case.user_state,
        command: CommandReading::default(),
        recent: Recent::of(case.recent),
        deadline,
        log: DebugLog::default(),
    };
    let finder = Finder {
        builtins: case.modules,
        manifest: case.manifest,
        workspace: case.workspace,
        user_state: case.user_state,
        deadline,
    };
    let steps = finder.find(case.event.name());
    let deliberation = pipeline::run(&context, &steps.list);
    let mut judgement = judgement::of(case.event, case.manifest, &deliberation);
    judgement.verdict.warnings.extend(steps.warnings);
    let fit = Fit { wire: case.wire, manifest: case.manifest, run: case.ids.run };
    fit.apply(&mut judgement.verdict, || case.permission == Permission::Once);
    Rejudged { verdict: judgement.verdict, decided_by: judgement.decided_by }
}
