//! Judges an event again without answering a host or writing a file.
//!
//! It uses the same steps, pipeline and merge as [`crate::run`], and omits everything that writes: the journal, the
//! state, the debug logs, a user's permission.

use std::time::Instant;

use event::{AbsPath, Deadline, Event, Verdict};
use host::ReplyTarget;
use modules::command_reading::CommandReading;
use modules::debug_log::DebugLog;
use modules::intent::is_own_tool;
use modules::{Context, Module};
use project_config::{Config, Manifest};
use session::{Ids, JournalTail, State};
use store::{SessionDir, Workspace};

use crate::decision_fallback::DecisionFallback;
use crate::steps::Finder;
use crate::stop_limit::StopLimit;
use crate::{approval, merged_verdict, output_filter, pipeline};

/// An event and the inputs of its judgement.
#[derive(Clone, Copy)]
pub struct Rejudge<'a> {
    /// The modules of this build.
    pub modules: &'a [&'a dyn Module],
    /// The workspace, which has the project's own modules.
    pub workspace: &'a Workspace,
    /// The user's state folder, which lists the trusted workspaces; scripts of others do not run.
    pub user_state: Option<&'a AbsPath>,
    /// The user's home.
    pub home: Option<&'a AbsPath>,
    /// The agent that `steersman agent run` started the host as.
    pub running_agent: Option<&'a str>,
    /// The manifest.
    pub manifest: &'a Manifest,
    /// Each module's own settings.
    pub config: &'a Config,
    /// The host and its event.
    pub target: &'a ReplyTarget,
    /// The event.
    pub event: &'a Event,
    /// The ids of the run.
    pub ids: Ids,
    /// The folder of the session.
    pub session: &'a SessionDir,
    /// The state before the event.
    pub state: &'a State,
    /// The last lines of the journal before the event.
    pub journal_tail: &'a str,
    /// Whether a user had permitted this call.
    pub permission: Permission,
}

/// Whether a user had permitted a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// No.
    None,
    /// Yes, once.
    Once,
}

/// The verdict of the second judgement.
#[derive(Debug, Clone, PartialEq)]
pub struct Rejudged {
    /// The answer.
    pub verdict: Verdict,
    /// The module that decided.
    pub decided_by: Option<String>,
}

/// Judges the event.
pub fn rejudge(case: &Rejudge<'_>) -> Rejudged {
    let deadline = Deadline::after(Instant::now(), case.manifest.budgets.of(case.event.name()));
    let intents_file = case.workspace.intents_file().as_path().symlink_metadata().ok();
    let context = Context {
        ids: case.ids,
        host: case.target.host(),
        event: case.event,
        workspace: case.workspace,
        session: case.session,
        state: case.state,
        manifest: case.manifest,
        config: case.config,
        can_rewrite: host::can(case.target, host::Verb::Rewrite),
        home: case.home,
        moved_settings: &[],
        running_agent: case.running_agent,
        user_state: case.user_state,
        command: CommandReading::default(),
        journal_tail: JournalTail::of(case.journal_tail),
        intents_file: intents_file.as_ref(),
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
    let mut reports = pipeline::run(&context, &steps.list);
    reports.modules.extend(output_filter::judge(&context, case.target));
    let mut merged = merged_verdict::of(case.event, case.manifest, &reports);
    merged.verdict.warnings.extend(steps.warnings);
    let basis = approval::of_event(&context, &merged, &reports, approval::Question::Call, false, Vec::new);
    let fallback = DecisionFallback {
        target: case.target,
        manifest: case.manifest,
        run: case.ids.run,
        is_own_tool: case.event.call().is_some_and(is_own_tool),
    };
    fallback.apply(&mut merged.verdict, || case.permission == Permission::Once);
    if let Some(basis) = basis {
        approval::apply(basis, &mut merged, &mut reports);
    }
    let limit = StopLimit {
        event: case.event,
        target: case.target,
        manifest: case.manifest,
        ids: case.ids,
        state: case.state,
    };
    limit.apply(&mut merged);
    Rejudged { verdict: merged.verdict, decided_by: merged.decided_by }
}
