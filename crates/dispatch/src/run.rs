//! Answers one event, from the bytes on stdin to the object on stdout.

mod after_answer;
mod ask_run;
mod done_gate;
mod earlier_prompt;
mod event_run;
mod forged_event;
mod forged_permission;
mod open_asks;
mod out_of_time;
mod permission_run;
mod rejected_settings;
mod watchdog_answers;

use std::borrow::Cow;
use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use event::{Event, EventName, ToolKind, Verdict};
use host::{Host, ParsedEvent, ReplyTarget};
use modules::Module;
use project_config::{Config, Manifest, manifest::OnFault};
use serde_json::Value;
use store::{Governed, Workspace};
use watchdog::{Alarm, WatchdogAnswer};

use crate::person_order::PersonOrder;
use crate::{
    Fault, LaunchContext, ShellCalls, announced_command, approval, dispatch_log, event_completion, input,
    pipeline,
};
use event_run::{EventRun, OpenedWorkspace};

/// The answer that changes nothing, on every host but `raw`.
const SILENCE: &str = "{}\n";

/// The time within which a payload must be read and parsed; [`crate::TimedReader`] gives up earlier.
const PAYLOAD_TIMEOUT: Duration = Duration::from_millis(2500);

/// Answers one event: reads stdin, writes exactly one JSON object to `stdout`. With an armed alarm the process
/// belongs to this run and may end with it.
pub fn run(
    launch: &LaunchContext,
    modules: &[&dyn Module],
    stdin: impl Read,
    mut stdout: impl Write,
    alarm: Alarm,
) {
    alarm.set(
        PAYLOAD_TIMEOUT,
        WatchdogAnswer { answer: silence_for(launch.host), ..WatchdogAnswer::default() },
    );
    let mut reply = |answer: &str| {
        alarm.answering(|| {
            let mut line = answer.to_owned();
            line.push('\n');
            // An error means that the host closed its end; nothing else can receive a report.
            let _ = stdout.write_all(line.as_bytes());
            let _ = stdout.flush();
        });
    };
    let mut request = Request { host: launch.host, event: None };
    let caught =
        catch_unwind(AssertUnwindSafe(|| answer(launch, modules, stdin, alarm, &mut request, &mut reply)));
    match caught {
        Ok(Ok(())) => {}
        Ok(Err(fault)) => reply(&fault_answer(launch, request, &fault)),
        Err(panic) => {
            let fault = Fault::Panic(pipeline::panic_text(&*panic).to_owned());
            reply(&fault_answer(launch, request, &fault));
        }
    }
}

/// The parts of the request that are known so far, to answer a fault.
#[derive(Clone, Copy)]
struct Request {
    host: Option<Host>,
    event: Option<EventName>,
}

/// Parses, judges, records and answers. An error means that nothing was answered yet.
fn answer(
    launch: &LaunchContext,
    modules: &[&dyn Module],
    stdin: impl Read,
    alarm: Alarm,
    request: &mut Request,
    reply: &mut dyn FnMut(&str),
) -> Result<(), Fault> {
    let payload = input::parse_object(&input::read_object(stdin)?)?;
    // The budget starts here: it does not count how long the host took to send the payload.
    let started = Instant::now();
    let host = launch.host.or_else(|| host::recognise(&payload, &launch.hints)).ok_or(Fault::UnknownHost)?;
    request.host = Some(host);
    let received = host::parse(host, launch.event.as_deref(), &payload)?;
    let event = match received.event {
        ParsedEvent::Permission(mut request) => {
            announced_command::complete(host, &mut request.event);
            let silence = silence_on(&received.target);
            let Governed::In(workspace, fault) = launch.open_workspace(host, &request.event)? else {
                reply(&silence);
                return Ok(());
            };
            // Before the session is opened: without approvals and asks the host's question leaves no trace.
            if !approval::is_on(&workspace) && !ask_run::waits_at_prompt(&workspace, host) {
                reply(&silence);
                return Ok(());
            }
            let faults: Vec<Fault> = fault.into_iter().map(Fault::Layout).collect();
            let opened = OpenedWorkspace { workspace, faults };
            EventRun::of_permission(launch, modules, received.target, &request, opened, started, alarm)
                .answer_permission(reply);
            return Ok(());
        }
        event => event,
    };
    let Some(event) = event_to_judge(launch, host, event) else {
        reply(&silence_on(&received.target));
        return Ok(());
    };
    request.event = Some(event.name());
    let Governed::In(workspace, fault) = launch.open_workspace(host, &event)? else {
        reply(&silence_on(&received.target));
        return Ok(());
    };
    if matches!(alarm, Alarm::Armed) && forged_event::refuse(launch, &workspace, host, &event) {
        reply(&silence_on(&received.target));
        return Ok(());
    }
    let faults: Vec<Fault> = fault.into_iter().map(Fault::Layout).collect();
    let opened = OpenedWorkspace { workspace, faults };
    EventRun::prepare(launch, modules, received.target, &event, opened, started, alarm).finish(reply);
    Ok(())
}

/// Returns the complete event. Returns `None` for an event outside the contract, for one that another registration
/// judges, and for one that does not happen.
fn event_to_judge(launch: &LaunchContext, host: Host, parsed: ParsedEvent) -> Option<Event> {
    let ParsedEvent::Event(mut event) = parsed else { return None };
    let is_ours = !is_judged_elsewhere(launch, &event)
        && event_completion::complete(host, launch.user_state.as_ref(), &mut event);
    is_ours.then_some(event)
}

/// Returns whether another registration of the same host judges this shell call.
fn is_judged_elsewhere(launch: &LaunchContext, event: &Event) -> bool {
    launch.shell == ShellCalls::JudgedElsewhere
        && event.call().is_some_and(|call| call.kind == ToolKind::Shell)
}

/// Returns the answer without a decision.
fn silence_on(target: &ReplyTarget) -> String {
    host::render(target, &Verdict::silence()).stdout
}

/// Returns the answer without a decision to an event that may be unknown, as a line.
fn silence_for(host: Option<Host>) -> Cow<'static, str> {
    match host {
        Some(host @ Host::Raw) => {
            let target = ReplyTarget::of_fault(host, None);
            Cow::Owned(silence_on(&target) + "\n")
        }
        _ => Cow::Borrowed(SILENCE),
    }
}

/// Logs a fault that leaves nothing to judge, and returns the answer to it.
fn fault_answer(launch: &LaunchContext, request: Request, fault: &Fault) -> String {
    let workspace = match launch.open_without_event() {
        Governed::In(workspace, _) => Some(workspace),
        Governed::Out => None,
    };
    let manifest = workspace
        .as_ref()
        .map_or_else(Manifest::default, |workspace| manifest_of(workspace, &mut Vec::new()));
    let named = || launch.event.as_deref().and_then(EventName::from_contract);
    let event = fault.event().or(request.event).or_else(named);
    let is_held = event == Some(EventName::PreToolUse)
        && workspace.as_ref().is_some_and(|it| PersonOrder::holds_any(it, launch.user_state.as_ref()));
    if let Some(workspace) = workspace.filter(|_| fault.has_workspace()) {
        dispatch_log::write(&workspace, launch.event.as_deref().unwrap_or("?"), std::slice::from_ref(fault));
    }
    // A registration without a host is in a file that several hosts read. The environment identifies some of
    // them, and the others understand VS Code's answer.
    let hinted = || host::recognise(&Value::Null, &launch.hints);
    let host = request.host.or_else(hinted).unwrap_or(Host::VsCode);
    let mut verdict = fault.verdict(event, &manifest);
    if let Some((denial, _)) = event.filter(|_| is_held).and_then(|it| PersonOrder::HELD.denial(it)) {
        verdict.decision = denial;
    }
    host::render(&ReplyTarget::of_fault(host, event), &verdict).stdout
}

/// Reads the manifest and the modules' settings. Broken settings do not count at all.
fn rules_of(workspace: &Workspace, faults: &mut Vec<Fault>) -> (Manifest, Config) {
    let manifest = manifest_of(workspace, faults);
    let config = Config::load(workspace).unwrap_or_else(|error| {
        faults.push(Fault::Config(error));
        Config::default()
    });
    (manifest, config)
}

/// Reads the manifest. Of a broken one only `onFault` counts.
fn manifest_of(workspace: &Workspace, faults: &mut Vec<Fault>) -> Manifest {
    Manifest::load(workspace).unwrap_or_else(|error| {
        faults.push(Fault::Manifest(error));
        Manifest { on_fault: OnFault::of_broken(workspace), ..Manifest::default() }
    })
}
