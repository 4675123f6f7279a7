//! The run of one parsed event: judge, record, commit, answer.

use std::fs::Metadata;
use std::time::{Duration, Instant};

use event::{Deadline, Decision, Event, RunId, Verdict};
use host::{Host, Rendered, ReplyTarget};
use modules::command_reading::CommandReading;
use modules::debug_log::{self, DebugLog};
use modules::intent::{NAME as INTENT, needs_intent};
use modules::{Context, Module};
use project_config::{Config, Manifest};
use session::allowance::Allowance;
use session::{
    Commit, Committed, Ids, JournalTail, LOCK_TIMEOUT, LineWriter, OpenSession, RepeatKey, allowance,
};
use store::Workspace;
use watchdog::{Alarm, WatchdogAnswer};

use super::ask_run::PersonRuling;
use super::earlier_prompt::{continues_turn, decision_on_prompt};
use super::{forged_permission, rejected_settings};
use super::{out_of_time, rules_of, silence_on};
use crate::approval::{self, Basis, Question};
use crate::confinement::{self, Confinement};
use crate::merged_verdict::MergedVerdict;
use crate::person_order::PersonOrder;
use crate::pipeline::{self, PipelineReport};
use crate::recording::{self, Recording};
use crate::steps::{Finder, Steps};
use crate::stop_limit::StopLimit;
use crate::{Fault, LaunchContext, dispatch_log, loop_breaker, merged_verdict, output_filter, outputs};

/// How much longer than its budget a run may take to record an event that it has answered already.
const RECORD_GRACE: Duration = Duration::from_secs(1);

/// The run of a parsed event.
pub(super) struct EventRun<'a> {
    pub(super) launch: &'a LaunchContext,
    pub(super) modules: &'a [&'a dyn Module],
    pub(super) event: &'a Event,
    pub(super) host: Host,
    pub(super) target: ReplyTarget,
    pub(super) alarm: Alarm,
    pub(super) workspace: Workspace,
    pub(super) manifest: Manifest,
    pub(super) config: Config,
    pub(super) session: OpenSession,
    pub(super) deadline: Deadline,
    pub(super) ids: Ids,
    /// The decision about this prompt, if the host announced it before.
    pub(super) repeated_prompt: Option<Decision>,
    /// Whether the prompt is the reason for which a hook kept the agent from stopping.
    pub(super) continues_turn: bool,
    /// The intents file; `None` if the workspace has none.
    pub(super) intents_file: Option<Metadata>,
    /// Whether the call may write and the workspace has intents: then it does not pass unjudged.
    pub(super) needs_intent: bool,
    /// A person's order to stop, if there is one.
    pub(super) order: Option<PersonOrder>,
    /// Where the host waits.
    pub(super) question: Question,
    pub(super) faults: Vec<Fault>,
}

/// The workspace of an event, and the problems of opening it.
pub(super) struct OpenedWorkspace {
    pub(super) workspace: Workspace,
    pub(super) faults: Vec<Fault>,
}

/// The modules' reports and the verdict merged from them.
pub(super) struct Judged<'a> {
    steps: Steps<'a>,
    reports: PipelineReport,
    pub(super) merged: MergedVerdict,
    repeat_key: Option<RepeatKey>,
    confinement: Option<Confinement>,
    pub(super) approval: Option<Basis>,
}

/// A run that is ready to be committed.
struct Recorded<'a> {
    steps: Steps<'a>,
    commit: Commit,
    verdict: Verdict,
    rendered: Rendered,
    /// The actions of modules after the verdict.
    conclusion: PipelineReport,
    /// Why the session is held from now on.
    hold: Option<String>,
}

impl<'a> EventRun<'a> {
    /// Opens the session of an event and takes its ids.
    pub(super) fn prepare(
        launch: &'a LaunchContext,
        modules: &'a [&'a dyn Module],
        target: ReplyTarget,
        event: &'a Event,
        opened: OpenedWorkspace,
        started: Instant,
        alarm: Alarm,
    ) -> Self {
        let host = target.host();
        let OpenedWorkspace { workspace, mut faults } = opened;
        let settings = rules_of(&workspace, &mut faults);
        let deadline = Deadline::after(started, settings.0.budgets.of(event.name()));
        let (mut session, session_faults) = OpenSession::open(&workspace, host, event);
        let user_state = launch.user_state.as_ref();
        let (manifest, config) =
            rejected_settings::accepted(settings, modules, &workspace, user_state, &session, event);
        // Without a journal the records go elsewhere, so that is no fault.
        if session.journal.is_some() || launch.records.is_none() {
            faults.extend(session_faults.into_iter().map(Fault::Session));
        }
        let lock_timeout = deadline.left(Instant::now()) / 2;
        let agent = session.agent(event, lock_timeout);
        let last_turn = session.state.core.last_turn_id;
        let registration = launch.registration.as_deref();
        let starts_turn = session::starts_turn(event.name());
        // Before a turn is taken: a prompt that the host announces again does not start another one.
        let repeated_prompt =
            if starts_turn { decision_on_prompt(&session, host, event, registration) } else { None };
        let continues_turn = continues_turn(&session, event);
        let turn = if starts_turn && repeated_prompt.is_none() && !continues_turn {
            let key = RepeatKey::of(event, host, last_turn, registration);
            session.take_turn(event.name(), key.as_ref(), lock_timeout)
        } else {
            last_turn
        };
        let run = RunId { event: event.name(), turn, at_ms: store::now().as_millis() };
        let work = match repeated_prompt {
            Some(_) => session.state.core.work(),
            None => session::work_of(event.name(), &session.state.core),
        };
        let ids = Ids { session: session.id, work, agent, turn, run };
        let intents_file = workspace.intents_file().as_path().symlink_metadata().ok();
        let needs_intent = needs_intent(event, intents_file.as_ref(), &config);
        let key = || RepeatKey::of(event, host, turn, registration);
        let place = (&workspace, launch.user_state.as_ref());
        let order = PersonOrder::about(event, turn, key, &mut session, place, lock_timeout);
        Self {
            launch,
            modules,
            event,
            host,
            target,
            alarm,
            workspace,
            manifest,
            config,
            session,
            deadline,
            ids,
            repeated_prompt,
            continues_turn,
            intents_file,
            needs_intent,
            order,
            question: Question::Call,
            faults,
        }
    }

    /// Judges the event, then records, commits and answers. If another process holds the journal's lock for too
    /// long, the answer goes out before the commit.
    pub(super) fn finish(mut self, reply: &mut dyn FnMut(&str)) {
        self.alarm.set(self.deadline.left(Instant::now()), self.watchdog_answer());
        if self.continues_turn {
            // A module wrote this prompt, so there is nothing to judge, and no user started a turn.
            reply(&silence_on(&self.target));
            return self.alarm.leave();
        }
        let tail = self.session.tail.take();
        let mut context = self.context(tail);
        pipeline::recover(&context, self.modules);
        let done = self.check_done(&mut context);
        let mut judged = self.judge(&context);
        if let Some(done) = done {
            done.apply(&mut judged.merged);
        }
        if let Some(decision) = self.earlier_decision(&judged, &context) {
            let verdict = Verdict { decision, ..judged.merged.verdict };
            reply(&host::render(&self.target, &verdict).stdout);
            self.record_host();
            return self.alarm.leave();
        }
        let ruling = self.ask_person(&mut context, &judged.merged.verdict.decision);
        let (reports, recorded) = self.record(&context, judged, ruling);
        let committed = recorded.commit.write(&self.session, LOCK_TIMEOUT);
        if let (None, Some(relay)) = (&self.session.journal, &self.launch.records) {
            // If the agent program has closed its end of the pipe, it needs no answer.
            let Commit { events, registry, prompts, .. } = &recorded.commit;
            let _ = relay.send(self.session.id, events, registry, prompts);
        }
        self.answer(&context, &recorded, committed, reply);
        // The host has its answer: what follows delays only this process.
        if let Some(reason) = &recorded.hold {
            // Without a journal there is no session to hold.
            let _ = session::hold::hold(
                (&self.workspace, self.launch.user_state.as_ref()),
                self.session.id,
                0,
                Some(reason),
            );
        }
        let queue_fault =
            outputs::enqueue(&self.workspace, [&reports, &recorded.conclusion], &self.launch.automations);
        self.record_host();
        self.check_coverage();
        self.withdraw_asks();
        debug_log::write(&self.workspace, &self.session.dir, context.log.take());
        let faults = self.faults.iter().chain(&queue_fault);
        dispatch_log::write(&self.workspace, self.event.name().as_str(), faults);
        self.alarm.leave();
    }

    pub(super) fn context(&self, tail: Option<String>) -> Context<'_> {
        Context {
            ids: self.ids,
            host: self.host,
            event: self.event,
            workspace: &self.workspace,
            session: &self.session.dir,
            state: &self.session.state,
            manifest: &self.manifest,
            config: &self.config,
            can_rewrite: host::can(&self.target, host::Verb::Rewrite),
            home: self.launch.home.as_ref(),
            moved_settings: &self.launch.moved_settings,
            running_agent: self.launch.running_agent.as_deref(),
            user_state: self.launch.user_state.as_ref(),
            command: CommandReading::default(),
            journal_tail: JournalTail::new(self.session.journal.as_ref(), tail),
            intents_file: self.intents_file.as_ref(),
            deadline: self.deadline,
            log: DebugLog::default(),
        }
    }

    /// Runs the modules and merges their reports. From then on the watchdog answers with an objection.
    pub(super) fn judge<'s>(&'s self, context: &Context<'_>) -> Judged<'s> {
        let finder = Finder {
            builtins: self.modules,
            manifest: &self.manifest,
            workspace: &self.workspace,
            user_state: self.launch.user_state.as_ref(),
            deadline: self.deadline,
        };
        let steps = finder.find(self.event.name());
        let mut reports = pipeline::run(context, &steps.list);
        // After all modules: a denied call does not run at all.
        let is_denied = reports.modules.iter().any(|report| report.decision().is_deny());
        let mut confinement = if is_denied { None } else { confinement::judge(context, self.launch) };
        reports.modules.extend(confinement.as_mut().and_then(Confinement::take_report));
        reports.modules.extend(output_filter::judge(context, &self.target));
        let mut merged = merged_verdict::of(self.event, &self.manifest, &reports);
        let is_step = |name: &str| steps.list.iter().any(|step| step.name.as_str() == name);
        let has_judged = |name: &str| {
            reports.modules.iter().any(|report| report.module == name && report.action().is_some())
        };
        if self.needs_intent && is_step(INTENT) && !has_judged(INTENT) {
            merged.verdict.decision = merged.verdict.decision.merge(out_of_time::unjudged());
        }
        if is_step(INTENT) && !has_judged(INTENT) && self.is_governed() {
            merged.verdict.context.extend(out_of_time::unsearched(self.event));
        }
        merged.verdict.warnings.extend(steps.warnings.iter().cloned());
        merged.verdict.warnings.extend(self.faults.iter().map(Fault::warning));
        if let Some(fault) = self.faults.iter().find(|fault| matches!(fault, Fault::Manifest(_))) {
            // The project's own modules did not run, so their decision is unknown.
            let refusal = fault.verdict(Some(self.event.name()), &self.manifest).decision;
            merged.verdict.decision = merged.verdict.decision.merge(refusal);
        }
        merged.verdict.warnings.extend(approval::notice(context));
        if let Some(order) = &self.order {
            order.apply(self.event.name(), &mut merged);
        }
        let is_undisturbed = self.order.is_none() && self.faults.is_empty() && steps.warnings.is_empty();
        let can_seal = || confinement.as_ref().is_some_and(|confinement| confinement.can_seal(context));
        let folders = self.launch.program_folders;
        let judge_approval =
            || approval::of_event(context, &merged, &reports, self.question, can_seal(), folders);
        let approval = is_undisturbed.then(judge_approval).flatten();
        if approval == Some(Basis::Sealed)
            && let Some(confinement) = &mut confinement
        {
            confinement.seal();
        }
        if merged.verdict.decision.reason().is_some() {
            self.set_watchdog_verdict(&merged, &host::render(&self.target, &merged.verdict));
        }
        let repeat_key =
            RepeatKey::of(self.event, self.host, self.ids.turn, self.launch.registration.as_deref());
        Judged { steps, reports, merged, repeat_key, confinement, approval }
    }

    /// Returns whether the host announced this event before.
    pub(super) fn is_repeated(&self, context: &Context<'_>) -> bool {
        let registration = self.launch.registration.as_deref();
        let key = RepeatKey::of(self.event, self.host, self.ids.turn, registration);
        let now = store::now().as_millis();
        key.is_some_and(|key| key.decision_in(context.journal_tail.lines(), now).is_some())
    }

    /// Returns the decision about this event if the host announced it before.
    fn earlier_decision(&self, judged: &Judged<'_>, context: &Context<'_>) -> Option<Decision> {
        let in_tail = || {
            judged.repeat_key.as_ref()?.decision_in(context.journal_tail.lines(), store::now().as_millis())
        };
        self.repeated_prompt.clone().or_else(in_tail)
    }

    /// Renders the verdict and builds the run's lines. From then on the watchdog answers with the verdict.
    fn record<'s>(
        &self,
        context: &Context<'_>,
        judged: Judged<'s>,
        ruling: Option<PersonRuling>,
    ) -> (PipelineReport, Recorded<'s>) {
        let Judged { steps, mut reports, mut merged, repeat_key, confinement, approval } = judged;
        if let Some(ruling) = ruling {
            ruling.apply(&mut merged);
        }
        let mut is_forged = false;
        self.fallback().apply(&mut merged.verdict, || {
            match allowance::consume(
                &self.workspace,
                self.launch.user_state.as_ref(),
                self.session.id,
                self.event,
            ) {
                Allowance::Granted => true,
                Allowance::Missing => false,
                Allowance::Forged => {
                    is_forged = true;
                    false
                }
            }
        });
        if let Some(basis) = approval {
            approval::apply(basis, &mut merged, &mut reports);
        }
        let limit = StopLimit {
            event: self.event,
            target: &self.target,
            manifest: &self.manifest,
            ids: self.ids,
            state: &self.session.state,
        };
        let times_kept = limit.apply(&mut merged);
        let watched = if self.order.is_none() { loop_breaker::watch(context, &mut merged) } else { None };
        let (loop_patch, hold) = watched.map_or((None, None), |watched| (Some(watched.patch), watched.hold));
        let mut conclusion = pipeline::conclude(context, &steps.list, &merged, &reports);
        if is_forged {
            conclusion.events.extend(forged_permission::report(context, &mut merged.verdict));
        }
        if let Some(confinement) = confinement
            && let Err(error) = confinement.carry_out(context, &mut merged)
        {
            if approval == Some(Basis::Sealed) {
                approval::withdraw(&mut merged, &mut reports);
            }
            merged.verdict.warnings.push(format!("cannot confine the command: cannot record it: {error}"));
        }
        let failed_outputs = outputs::write(&self.workspace, &self.session, [&reports, &conclusion]);
        merged.verdict.warnings.extend(failed_outputs);
        let rendered = host::render(&self.target, &merged.verdict);
        let recording = Recording {
            context,
            reports: &reports,
            conclusion: &conclusion,
            merged: &merged,
            dropped: &rendered.dropped,
            host_event: self.target.spelling(),
            automations: &self.launch.automations,
            repeat_key,
            times_kept,
            loop_patch,
            reason: rendered.reason.as_deref(),
            is_first: self.session.seen == 0,
            started: context.deadline.started(),
        };
        let commit = recording.commit();
        self.set_watchdog_verdict(&merged, &rendered);
        (reports, Recorded { steps, commit, verdict: merged.verdict, rendered, conclusion, hold })
    }

    /// Prints the answer. A busy journal is written afterwards, within the rest of the budget.
    fn answer(
        &self,
        context: &Context<'_>,
        recorded: &Recorded<'_>,
        committed: Committed,
        reply: &mut dyn FnMut(&str),
    ) {
        let with = |verdict: &Verdict| host::render(&self.target, verdict).stdout;
        match committed {
            Committed::Recorded => {
                self.complete(context, recorded);
                reply(&recorded.rendered.stdout);
            }
            Committed::Repeated(decision) => {
                reply(&with(&Verdict { decision, ..recorded.verdict.clone() }));
            }
            Committed::Failed(fault) => {
                let fault = Fault::Session(fault);
                let mut verdict = recorded.verdict.clone();
                verdict.warnings.push(fault.warning());
                reply(&with(&verdict));
                dispatch_log::write(&self.workspace, self.event.name().as_str(), [&fault]);
            }
            Committed::Busy => {
                reply(&recorded.rendered.stdout);
                // A process that has waited so long for the lock may also wait for a processor.
                let left = self.deadline.left(Instant::now());
                self.alarm.set(left + RECORD_GRACE, WatchdogAnswer::default());
                let timeout = left.saturating_sub(Duration::from_millis(10));
                let written = match recorded.commit.write(&self.session, timeout) {
                    Committed::Busy => recorded.commit.write_unlocked(&self.session),
                    other => other,
                };
                if let Committed::Recorded = written {
                    self.complete(context, recorded);
                }
            }
        }
    }

    /// Lets the modules write the files that count only once the journal announces them.
    fn complete(&self, context: &Context<'_>, recorded: &Recorded<'_>) {
        let records = pipeline::committed(context, &recorded.steps.list, &recorded.conclusion);
        if records.is_empty() {
            return;
        }
        let writer = LineWriter { ids: self.ids, ts: store::now() };
        let mut commit = Commit::default();
        for (module, record) in records {
            writer.push_event(&mut commit.events, Some(&module), record);
        }
        if let Committed::Busy = commit.write(&self.session, LOCK_TIMEOUT) {
            commit.write_unlocked(&self.session);
        }
    }

    /// Returns whether intents are in force.
    pub(super) fn is_governed(&self) -> bool {
        self.intents_file.is_some() && !modules::IntentSettings::observes(&self.config)
    }

    pub(super) fn budget_ms(&self) -> u64 {
        recording::millis(self.deadline.budget())
    }
}
