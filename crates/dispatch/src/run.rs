//! One event from the bytes on stdin to the object on stdout.

use std::borrow::Cow;
use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use event::{Deadline, Decision, Event, EventName, RunId, ToolKind, TurnId, Verdict};
use host::{Heard, Host, Wire};
use serde_json::Value;
use store::Workspace;

use crate::command_reading::CommandReading;
use crate::commit::{Commit, Committed};
use crate::context::{DebugLog, Ids, Recent};
use crate::fit::Fit;
use crate::judgement::Judgement;
use crate::manifest::OnFault;
use crate::recording::{self, Recording};
use crate::repeat::Mark;
use crate::sitting::Sitting;
use crate::steps::Finder;
use crate::watchdog::{Alarm, LastWords, Said};
use crate::{
    Config, Context, Fault, Invocation, Manifest, Module, ShellCalls, allowance, debug_log, dispatch_log,
    input, judgement, outputs, pipeline, sitting,
};

/// The answer that changes nothing, on every host.
const SILENCE: &str = "{}\n";

/// How much of the journal a turn may fill and still be known as the same.
const TURN_BYTES: u64 = 1024 * 1024;

/// How much longer than its budget a run may take to write down what it has answered already.
const GRACE: Duration = Duration::from_secs(1);

/// When a payload has to be read and understood; a host that is slow to send it has been
/// given up on before.
const PAYLOAD_UNDERSTOOD: Duration = Duration::from_millis(2500);

/// Answers one event: reads stdin, writes exactly one JSON object to `stdout`. With an armed
/// alarm the process is this run's, and may end with it.
pub fn run(
    invocation: &Invocation,
    modules: &[&dyn Module],
    stdin: impl Read,
    mut stdout: impl Write,
    alarm: Alarm,
) {
    alarm.set(PAYLOAD_UNDERSTOOD, LastWords { answer: silence_for(invocation.host), ..LastWords::default() });
    let mut reply = |answer: &str| {
        alarm.answering(|| {
            let mut line = answer.to_owned();
            line.push('\n');
            // If the host does not listen there is nobody left to tell.
            let _ = stdout.write_all(line.as_bytes());
            let _ = stdout.flush();
        });
    };
    let mut asked = Asked { host: invocation.host, event: None };
    let caught =
        catch_unwind(AssertUnwindSafe(|| judge(invocation, modules, stdin, alarm, &mut asked, &mut reply)));
    match caught {
        Ok(Ok(())) => {}
        Ok(Err(fault)) => reply(&answer_fault(invocation, asked, &fault)),
        Err(panic) => {
            let fault = Fault::Panic(pipeline::panic_text(&*panic).to_owned());
            reply(&answer_fault(invocation, asked, &fault));
        }
    }
}

/// What is known of the question, for an answer when there is nothing to judge.
#[derive(Clone, Copy)]
struct Asked {
    host: Option<Host>,
    event: Option<EventName>,
}

/// Judges, records and answers; an error means that nothing was answered yet.
fn judge(
    invocation: &Invocation,
    modules: &[&dyn Module],
    stdin: impl Read,
    alarm: Alarm,
    asked: &mut Asked,
    reply: &mut dyn FnMut(&str),
) -> Result<(), Fault> {
    let payload = input::parse_object(&input::read_object(stdin)?)?;
    // A host may take its time to send; the budget is for what we do with it.
    let started = Instant::now();
    let host =
        invocation.host.or_else(|| host::recognise(&payload, &invocation.hints)).ok_or(Fault::UnknownHost)?;
    asked.host = Some(host);
    let received = host::parse(host, invocation.event.as_deref(), &payload)?;
    let Heard::Event(event) = received.event else {
        reply(&host::render(&received.wire, &Verdict::silence()).stdout);
        return Ok(());
    };
    asked.event = Some(event.name());
    let judged_elsewhere = invocation.shell == ShellCalls::JudgedElsewhere
        && event.call().is_some_and(|call| call.kind == ToolKind::Shell);
    if judged_elsewhere {
        reply(&host::render(&received.wire, &Verdict::silence()).stdout);
        return Ok(());
    }
    Run::prepare(invocation, modules, received.wire, &event, started, alarm).finish(reply);
    Ok(())
}

/// A run whose event is understood.
struct Run<'a> {
    invocation: &'a Invocation,
    modules: &'a [&'a dyn Module],
    event: &'a Event,
    host: Host,
    wire: Wire,
    alarm: Alarm,
    workspace: Workspace,
    manifest: Manifest,
    config: Config,
    sitting: Sitting,
    deadline: Deadline,
    ids: Ids,
    /// What a prompt that was told before was answered with.
    repeats: Option<Decision>,
    faults: Vec<Fault>,
}

impl<'a> Run<'a> {
    fn prepare(
        invocation: &'a Invocation,
        modules: &'a [&'a dyn Module],
        wire: Wire,
        event: &'a Event,
        started: Instant,
        alarm: Alarm,
    ) -> Self {
        let host = wire.host();
        let (workspace, layout_fault) = Workspace::open(invocation.workspace_root(host, event));
        let mut faults: Vec<Fault> = layout_fault.into_iter().map(Fault::Layout).collect();
        let manifest = manifest_of(&workspace, &mut faults);
        let config = or_default(Config::load(&workspace).map_err(Fault::Config), &mut faults);
        let deadline = Deadline::after(started, manifest.budgets.of(event.name()));
        let (mut sitting, sitting_faults) = Sitting::open(&workspace, host, event);
        faults.extend(sitting_faults);
        let patience = deadline.left(Instant::now()) / 2;
        let agent = sitting.agent(event, patience);
        let last_turn = sitting.state.core.last_turn_id;
        let starts_turn = sitting::starts_turn(event.name());
        // Before a turn is taken: a prompt that is told again does not begin another one.
        let repeats = if starts_turn { prompt_told_before(&sitting, host, event, last_turn) } else { None };
        let turn = if starts_turn && repeats.is_none() {
            sitting.take_turn(event.name(), patience)
        } else {
            last_turn
        };
        let run = RunId { event: event.name(), turn, at_ms: store::now().as_millis() };
        let work = match repeats {
            Some(_) => sitting.state.core.work(),
            None => sitting::work_of(event.name(), &sitting.state.core),
        };
        let ids = Ids { session: sitting.id, work, agent, turn, run };
        Self {
            invocation,
            modules,
            event,
            host,
            wire,
            alarm,
            workspace,
            manifest,
            config,
            sitting,
            deadline,
            ids,
            repeats,
            faults,
        }
    }

    fn finish(mut self, reply: &mut dyn FnMut(&str)) {
        self.alarm.set(self.deadline.left(Instant::now()), self.words_if_time_runs_out());
        let recent = self.sitting.recent.take();
        let context = Context {
            ids: self.ids,
            host: self.host,
            event: self.event,
            workspace: &self.workspace,
            session: &self.sitting.dir,
            state: &self.sitting.state,
            manifest: &self.manifest,
            config: &self.config,
            can_rewrite: host::can(&self.wire, host::Verb::Rewrite),
            home: self.invocation.home.as_ref(),
            running_agent: self.invocation.running_agent.as_deref(),
            user_state: self.invocation.user_state.as_ref(),
            command: CommandReading::default(),
            recent: Recent::new(self.sitting.journal.as_ref(), recent),
            deadline: self.deadline,
            log: DebugLog::default(),
        };
        let finder = Finder {
            builtins: self.modules,
            manifest: &self.manifest,
            workspace: &self.workspace,
            user_state: self.invocation.user_state.as_ref(),
            deadline: self.deadline,
        };
        let steps = finder.find(self.event.name());
        let deliberation = pipeline::run(&context, &steps.list);
        let mut judgement = judgement::of(self.event, &self.manifest, &deliberation);
        judgement.verdict.warnings.extend(steps.warnings.iter().cloned());
        judgement.verdict.warnings.extend(self.faults.iter().map(Fault::warning));
        if let Some(fault) = self.faults.iter().find(|fault| matches!(fault, Fault::Manifest(_))) {
            // Nobody knows what the project's own modules would have said.
            let refusal = fault.verdict(Some(self.event.name()), &self.manifest).decision;
            judgement.verdict.decision = judgement.verdict.decision.merge(refusal);
        }

        if matches!(judgement.verdict.decision, Decision::Ask { .. } | Decision::Deny { .. }) {
            // From here on the objection stands, whatever takes too long.
            self.alarm.say(Said {
                answer: host::render(&self.wire, &judgement.verdict).stdout,
                fields: recording::decided_before_the_end(&judgement),
            });
        }
        let mark = Mark::of(self.event, self.host, self.ids.turn);
        let before = self
            .repeats
            .take()
            .or_else(|| mark.as_ref()?.decision_in(context.recent.lines(), store::now().as_millis()));
        if let Some(decision) = before {
            judgement.verdict.decision = decision;
            reply(&host::render(&self.wire, &judgement.verdict).stdout);
            return self.alarm.leave();
        }
        self.fit_to_host(&mut judgement);
        let conclusion = pipeline::conclude(&context, &steps.list, &judgement, &deliberation);
        let unwritten = outputs::write(&self.workspace, &self.sitting, [&deliberation, &conclusion]);
        judgement.verdict.warnings.extend(unwritten);
        let rendered = host::render(&self.wire, &judgement.verdict);
        let recording = Recording {
            context: &context,
            deliberation: &deliberation,
            conclusion: &conclusion,
            judgement: &judgement,
            dropped: &rendered.dropped,
            host_event: self.wire.spelling(),
            automations: &self.invocation.automations,
            mark,
            is_first: self.sitting.seen == 0,
            started: self.deadline.started(),
        };
        let commit = recording.commit();
        // From here on the verdict stands, whatever the disk does.
        self.alarm.say(Said {
            answer: rendered.stdout.clone(),
            fields: recording::decided_before_the_end(&judgement),
        });
        self.record_and_reply(&commit, &judgement.verdict, &rendered.stdout, reply);
        // The host has its answer: whoever waits in the queue can wait for this.
        self.faults.extend(outputs::enqueue(
            &self.workspace,
            [&deliberation, &conclusion],
            &self.invocation.automations,
        ));
        debug_log::write(&self.workspace, &self.sitting.dir, context.log.take());
        dispatch_log::write(&self.workspace, self.event.name().as_str(), &self.faults);
        self.alarm.leave();
    }

    /// Records the run and answers, in that order unless another process holds the lock for long.
    fn record_and_reply(
        &self,
        commit: &Commit,
        verdict: &Verdict,
        answer: &str,
        reply: &mut dyn FnMut(&str),
    ) {
        match commit.write(&self.sitting, self.sitting.seen, sitting::PATIENCE) {
            Committed::Recorded => reply(answer),
            Committed::Repeated(decision) => {
                let verdict = Verdict { decision, ..verdict.clone() };
                reply(&host::render(&self.wire, &verdict).stdout);
            }
            Committed::Failed(fault) => {
                let mut verdict = verdict.clone();
                verdict.warnings.push(fault.warning());
                reply(&host::render(&self.wire, &verdict).stdout);
                dispatch_log::write(&self.workspace, self.event.name().as_str(), &[fault]);
            }
            Committed::Busy => {
                reply(answer);
                // Whoever has waited so long for the lock may have to wait for a processor too.
                self.alarm.set(self.deadline.left(Instant::now()) + GRACE, LastWords::default());
                // The host has its answer; what is left of the budget goes into the record.
                let left = self.deadline.left(Instant::now()).saturating_sub(Duration::from_millis(10));
                if let Committed::Busy = commit.write(&self.sitting, self.sitting.seen, left) {
                    commit.write_unlocked(&self.sitting);
                }
            }
        }
    }

    /// Turns a decision the host cannot carry out into the next stricter one it can.
    fn fit_to_host(&self, judgement: &mut Judgement) {
        let fit = Fit { wire: &self.wire, manifest: &self.manifest, run: self.ids.run };
        fit.apply(&mut judgement.verdict, || allowance::consume(&self.sitting.dir, self.event));
    }

    /// No decision, and a line in the journal that says why.
    fn words_if_time_runs_out(&self) -> LastWords {
        let denies_on_fault =
            self.manifest.on_fault == OnFault::Deny && self.event.name() == EventName::PreToolUse;
        let crash_answer = denies_on_fault.then(|| {
            let verdict = Fault::Crash.verdict(Some(self.event.name()), &self.manifest);
            host::render(&self.wire, &verdict).stdout + "\n"
        });
        LastWords {
            answer: silence_for(Some(self.host)),
            crash_answer,
            line: recording::cut_short(&self.ids, self.deadline.budget()),
            journal: self.sitting.journal.as_ref().map(store::Journal::handle),
        }
    }
}

/// Returns what a prompt was answered with when it was told before. A turn can be long, and a
/// prompt has time: more of the journal is looked at than for a tool call.
fn prompt_told_before(sitting: &Sitting, host: Host, event: &Event, turn: TurnId) -> Option<Decision> {
    let mark = Mark::of(event, host, turn)?;
    let lines = sitting.journal.as_ref()?.tail(TURN_BYTES).ok()?;
    mark.decision_in(&lines, store::now().as_millis())
}

/// Returns the answer that decides nothing, as a line.
fn silence_for(host: Option<Host>) -> Cow<'static, str> {
    match host {
        Some(host @ Host::Raw) => {
            let wire = Wire::of_fault(host, None);
            Cow::Owned(host::render(&wire, &Verdict::silence()).stdout + "\n")
        }
        _ => Cow::Borrowed(SILENCE),
    }
}

/// Answers when there is nothing to judge, and logs why.
fn answer_fault(invocation: &Invocation, asked: Asked, fault: &Fault) -> String {
    let (workspace, _) = Workspace::open(invocation.workspace_without_event());
    let manifest = manifest_of(&workspace, &mut Vec::new());
    let named = || invocation.event.as_deref().and_then(EventName::from_contract);
    let event = fault.event().or(asked.event).or_else(named);
    dispatch_log::write(&workspace, invocation.event.as_deref().unwrap_or("?"), std::slice::from_ref(fault));
    // A registration that names no host is in a file that several read; the environment tells
    // some of them, and VS Code's answer is understood by the others.
    let hinted = || host::recognise(&Value::Null, &invocation.hints);
    let host = asked.host.or_else(hinted).unwrap_or(Host::VsCode);
    host::render(&Wire::of_fault(host, event), &fault.verdict(event, &manifest)).stdout
}

/// Reads the manifest; of a broken one only what it says about faults still counts.
fn manifest_of(workspace: &Workspace, faults: &mut Vec<Fault>) -> Manifest {
    Manifest::load(workspace).unwrap_or_else(|error| {
        faults.push(Fault::Manifest(error));
        Manifest { on_fault: OnFault::of_broken(workspace), ..Manifest::default() }
    })
}

fn or_default<T: Default>(loaded: Result<T, Fault>, faults: &mut Vec<Fault>) -> T {
    loaded.unwrap_or_else(|fault| {
        faults.push(fault);
        T::default()
    })
}
