//! Builds the lines of a run for the journals, and its patch for the state.

use std::time::{Duration, Instant};

use event::EventName;
use modules::{Action, Context};
use serde_json::{Map, Value};
use session::{
    Commit, Emitted, LineWriter, ModuleReport, RecordedDecision, RepeatKey, RunRecord, allowance,
    patch_of_core, recorded_input,
};

use crate::merged_verdict::MergedVerdict;
use crate::pipeline::{PipelineReport, Report, StepResult};
use crate::stop_limit::TimesKept;

/// A judged run, before it is committed.
pub(crate) struct Recording<'a> {
    /// The context of the modules.
    pub context: &'a Context<'a>,
    /// The modules' reports.
    pub reports: &'a PipelineReport,
    /// The reports of `conclude`.
    pub conclusion: &'a PipelineReport,
    /// The verdict.
    pub merged: &'a MergedVerdict,
    /// The parts of the verdict that the host cannot carry out.
    pub dropped: &'a [host::Verb],
    /// How the host spells the event.
    pub host_event: &'a str,
    /// The automations that started the host.
    pub automations: &'a [String],
    /// The key of repetitions of this event.
    pub repeat_key: Option<RepeatKey>,
    /// How often the agent has been kept from stopping, if this run changed it.
    pub times_kept: Option<TimesKept>,
    /// The count of repeated failures, if this run changed it.
    pub loop_patch: Option<Map<String, Value>>,
    /// The reason of the decision, as the host receives it.
    pub reason: Option<&'a str>,
    /// Whether this is the first run of the session.
    pub is_first: bool,
    /// When the run began.
    pub started: Instant,
}

impl Recording<'_> {
    /// Returns the lines and the patch.
    pub(crate) fn commit(self) -> Commit {
        let (patch, refused) = self.patch();
        let writer = LineWriter { ids: self.context.ids, ts: store::now() };
        let mut commit = Commit::default();
        for (module, action) in self.actions() {
            for emitted in &action.emit_events {
                writer.push_event(&mut commit.events, Some(module), emitted.clone());
            }
            for artifact in &action.register_artifacts {
                writer.push_artifact(&mut commit.registry, module, artifact);
            }
            if let Some(prompt) = &action.prompt_record {
                prompt.push_to(&mut commit.prompts);
            }
        }
        for emitted in self.reports.events.iter().chain(&self.conclusion.events) {
            writer.push_event(&mut commit.events, None, emitted.clone());
        }
        writer.push_event(&mut commit.events, None, self.run_event(&patch, &refused));
        Commit { patch, repeat_key: self.repeat_key, ..commit }
    }

    /// Merges the modules' patches; returns also the refused parts.
    fn patch(&self) -> (Map<String, Value>, Vec<String>) {
        let mut patch = Map::new();
        let mut refused = Vec::new();
        if self.is_first {
            let host_id = self.context.state.core.host_session_id.as_deref().unwrap_or_default();
            patch = session::identity(self.context.ids.session, self.context.host, host_id);
            let started = Value::from(self.context.ids.run.at_ms);
            merge(&mut patch, &patch_of_core([("startedTs", started)]));
        }
        if session::starts_turn(self.context.event.name()) {
            merge(&mut patch, &patch_of_core([("lastTurnId", Value::from(self.context.ids.turn))]));
        }
        if let Some(times_kept) = self.times_kept {
            merge(&mut patch, &times_kept.patch(self.context.ids, self.reason));
        }
        if let Some(loop_patch) = &self.loop_patch {
            merge(&mut patch, loop_patch);
        }
        for (module, action) in self.actions().filter(|(_, action)| !action.state_patch.is_empty()) {
            let mut faults = self.context.state.clone().apply(&action.state_patch);
            faults.extend(session::reserved_field(&action.state_patch));
            if faults.is_empty() {
                merge(&mut patch, &action.state_patch);
            }
            refused.extend(faults.into_iter().map(|fault| format!("statePatch of `{module}`: {fault}")));
        }
        (patch, refused)
    }

    fn actions(&self) -> impl Iterator<Item = (&str, &Action)> {
        let reports = self.reports.modules.iter().chain(&self.conclusion.modules);
        reports.filter_map(|report| report.action().map(|action| (report.module.as_str(), action)))
    }

    /// Returns the last line of the run; `explain` and `replay` read it.
    fn run_event(&self, patch: &Map<String, Value>, refused: &[String]) -> Emitted {
        let (event, verdict) = (self.context.event, &self.merged.verdict);
        let short = |text: &str| recorded_input::short(text).into_owned();
        let call = event.call();
        let input = call
            .filter(|_| event.name() == EventName::PreToolUse)
            .map(|call| (call, recorded_input::of(&call.input)));
        let is_permitted = verdict.warnings.iter().any(|warning| warning == allowance::PERMITTED);
        let record = RunRecord {
            call_key: self.repeat_key.as_ref().map(|key| key.hash.clone()),
            host: self.context.host.name().to_owned(),
            event: event.name().as_str().to_owned(),
            host_event: (self.host_event != event.name().as_str()).then(|| self.host_event.to_owned()),
            decision: (&verdict.decision).into(),
            reason: verdict.decision.reason().map(str::to_owned),
            module: self.merged.decided_by.as_ref().map(ToString::to_string),
            cwd: event.cwd.as_deref().map(short),
            agent_type: event.agent.as_ref().and_then(|agent| agent.kind.as_deref()).map(short),
            running_agent: self.context.running_agent.map(short),
            tool: call.map(|call| short(&call.name)),
            tool_use_id: call.and_then(|call| call.id.as_deref()).map(short),
            input_cut: input.as_ref().is_some_and(|(_, input)| !input.is_whole),
            // A user can permit only a call that was denied or asked about; the run of a permitted call shows that
            // the permission is used up.
            input_hash: input
                .as_ref()
                .filter(|_| verdict.decision.reason().is_some() || is_permitted)
                .map(|(call, _)| allowance::key(call)),
            input: input.map(|(_, input)| input.value),
            modules: self.reports.modules.iter().map(module_report).collect(),
            // A dropped one did not replace the tool's input.
            rewrite: verdict
                .rewrite
                .as_ref()
                .filter(|_| !self.dropped.contains(&host::Verb::Rewrite))
                .map(|rewrite| recorded_input::of(&Value::Object(rewrite.clone())).value),
            stamps: self.merged.stamps.clone(),
            context: verdict.context.iter().map(|note| note.key.clone()).collect(),
            warnings: verdict.warnings.clone(),
            ignored: self.merged.ignored.iter().chain(refused).cloned().collect(),
            dropped: self.dropped.iter().map(|verb| verb.as_str().to_owned()).collect(),
            registration: self.repeat_key.as_ref().and_then(|key| key.registration.clone()),
            transcript_length: self.repeat_key.as_ref().and_then(|key| key.transcript_length),
            // An automation must not be triggered by the agent it started.
            automations: self.automations.to_vec(),
            us: micros(self.started.elapsed()),
            patch: patch.clone(),
        };
        record.to_event()
    }
}

fn module_report(report: &Report) -> ModuleReport {
    let entry = ModuleReport {
        name: report.module.as_str().to_owned(),
        us: micros(report.took),
        ..ModuleReport::default()
    };
    match &report.result {
        StepResult::Acted(action) => ModuleReport {
            decision: (&action.decision).into(),
            reason: action.decision.reason().map(str::to_owned),
            metrics: action.metrics.clone(),
            error: (!action.mistakes.is_empty()).then(|| action.mistakes.join("; ")),
            ..entry
        },
        StepResult::Failed { error, denies } => ModuleReport {
            decision: if *denies { RecordedDecision::Deny } else { RecordedDecision::Abstain },
            error: Some(error.clone()),
            ..entry
        },
        StepResult::OutOfTime => ModuleReport { error: Some("out of time".to_owned()), ..entry },
    }
}

/// Merges a later patch into an earlier one; the later values win.
fn merge(patch: &mut Map<String, Value>, later: &Map<String, Value>) {
    for (key, value) in later {
        match (patch.get_mut(key), value) {
            (Some(Value::Object(ours)), Value::Object(theirs)) => merge(ours, theirs),
            _ => {
                patch.insert(key.clone(), value.clone());
            }
        }
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

/// Returns a duration in milliseconds.
pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
