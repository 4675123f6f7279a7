//! What one run leaves behind: its lines for the journals and its patch for the state.

use std::fmt::Write;
use std::time::{Duration, Instant};

use event::{Decision, EventName};
use redact::Redacted;
use serde_json::{Map, Value};

use crate::action::Emitted;
use crate::commit::Commit;
use crate::context::Ids;
use crate::history::{ModuleReport, RunRecord};
use crate::judgement::Judgement;
use crate::pipeline::{Deliberation, Report, StepResult};
use crate::repeat::Mark;
use crate::watchdog::CutShort;
use crate::{Action, Context, allowance, record, recorded_input, sitting, state};

/// A finished run, before it is written down.
pub(crate) struct Recording<'a> {
    /// What it stood on.
    pub context: &'a Context<'a>,
    /// What the modules said.
    pub deliberation: &'a Deliberation,
    /// What they added once it was decided.
    pub conclusion: &'a Deliberation,
    /// What was decided.
    pub judgement: &'a Judgement,
    /// What the host has no field for.
    pub dropped: &'a [host::Verb],
    /// How the host spells the event.
    pub host_event: &'a str,
    /// The automations that led to the process that asks.
    pub automations: &'a [String],
    /// By what a repetition of this call is known.
    pub mark: Option<Mark>,
    /// Nothing was recorded of this session yet.
    pub is_first: bool,
    /// When the process began.
    pub started: Instant,
}

impl Recording<'_> {
    /// Returns everything that has to be written.
    pub(crate) fn commit(self) -> Commit {
        let (patch, refused) = self.patch();
        let now = store::now();
        let ids = &self.context.ids;
        let mut commit = Commit::default();
        for (module, action) in self.actions() {
            for emitted in &action.emit_events {
                record::push_event(&mut commit.events, ids, now, Some(module), emitted.clone());
            }
            for artifact in &action.register_artifacts {
                record::push_artifact(&mut commit.registry, ids, now, module, artifact);
            }
            if let Some(prompt) = &action.prompt_record {
                record::push_prompt(&mut commit.prompts, prompt);
            }
        }
        for emitted in self.deliberation.events.iter().chain(&self.conclusion.events) {
            record::push_event(&mut commit.events, ids, now, None, emitted.clone());
        }
        record::push_event(&mut commit.events, ids, now, None, self.run_event(&patch, &refused));
        Commit { patch, mark: self.mark, ..commit }
    }

    /// Merges the modules' patches; returns also what the state has no place for.
    fn patch(&self) -> (Map<String, Value>, Vec<String>) {
        let mut patch = Map::new();
        let mut refused = Vec::new();
        if self.is_first {
            let host_id = self.context.state.core.host_session_id.as_deref().unwrap_or_default();
            patch = sitting::identity(self.context.ids.session, self.context.host, host_id);
            let started = Value::from(self.context.ids.run.at_ms);
            merge(&mut patch, &sitting::patch_of_core([("startedTs", started)]));
        }
        if sitting::starts_turn(self.context.event.name()) {
            merge(&mut patch, &sitting::patch_of_core([("lastTurnId", Value::from(self.context.ids.turn))]));
        }
        for (module, action) in self.actions().filter(|(_, action)| !action.state_patch.is_empty()) {
            let mut faults = self.context.state.clone().apply(&action.state_patch);
            faults.extend(state::not_a_modules_own(&action.state_patch));
            if faults.is_empty() {
                merge(&mut patch, &action.state_patch);
            }
            refused.extend(faults.into_iter().map(|fault| format!("statePatch of `{module}`: {fault}")));
        }
        (patch, refused)
    }

    fn actions(&self) -> impl Iterator<Item = (&str, &Action)> {
        let reports = self.deliberation.reports.iter().chain(&self.conclusion.reports);
        reports.filter_map(|report| report.action().map(|action| (report.module.as_str(), action)))
    }

    /// The line that says who said what and how long it took; `explain` and `replay` live on it.
    fn run_event(&self, patch: &Map<String, Value>, refused: &[String]) -> Emitted {
        let (event, verdict) = (self.context.event, &self.judgement.verdict);
        let short = |text: &str| recorded_input::short(text).into_owned();
        let call = event.call();
        let input = call
            .filter(|_| event.name() == EventName::PreToolUse)
            .map(|call| (call, recorded_input::of(&call.input)));
        let record = RunRecord {
            call_key: self.mark.as_ref().map(|mark| mark.key.clone()),
            host: self.context.host.name().to_owned(),
            event: event.name().as_str().to_owned(),
            host_event: (self.host_event != event.name().as_str()).then(|| self.host_event.to_owned()),
            decision: verdict.decision.as_str().to_owned(),
            reason: verdict.decision.reason().map(str::to_owned),
            module: self.judgement.decided_by.as_ref().map(ToString::to_string),
            cwd: event.cwd.as_deref().map(short),
            agent_type: event.agent.as_ref().and_then(|agent| agent.kind.as_deref()).map(short),
            running_agent: self.context.running_agent.map(short),
            tool: call.map(|call| short(&call.name)),
            tool_use_id: call.and_then(|call| call.id.as_deref()).map(short),
            input_cut: input.as_ref().is_some_and(|(_, kept)| !kept.is_whole),
            // Only a call that was not let through can be permitted afterwards.
            input_hash: input
                .as_ref()
                .filter(|_| verdict.decision.reason().is_some())
                .map(|(call, _)| allowance::key(call)),
            input: input.map(|(_, kept)| kept.value),
            modules: self.deliberation.reports.iter().map(module_report).collect(),
            rewrite: verdict
                .rewrite
                .as_ref()
                .map(|rewrite| recorded_input::of(&Value::Object(rewrite.clone())).value),
            stamps: self.judgement.stamps.clone(),
            context: verdict.context.iter().map(|note| note.key.clone()).collect(),
            warnings: verdict.warnings.clone(),
            ignored: self.judgement.ignored.iter().chain(refused).cloned().collect(),
            dropped: self.dropped.iter().map(|verb| verb.as_str().to_owned()).collect(),
            // An automation that waits for agents must not be triggered by its own agent.
            automations: self.automations.to_vec(),
            us: micros(self.started.elapsed()),
            patch: patch.clone(),
        };
        Emitted { kind: RunRecord::KIND.into(), data: record.to_data() }
    }
}

/// Returns the line for the journal if the watchdog has to end the run.
///
/// WHY by hand: every run prepares it and hardly any needs it. Nothing in it comes from a payload.
pub(crate) fn cut_short(ids: &Ids, budget: Duration) -> CutShort {
    let Ids { session, work, agent, turn, run } = ids;
    let before = format!("{{\"v\":{},\"ts\":{},\"type\":\"", record::LINE_FORMAT, run.at_ms);
    let after = format!(
        "\",\"hookRunId\":\"{run}\",\"sessionId\":\"{session}\",\
         \"workId\":\"{work}\",\"agentId\":\"{agent}\",\"turnId\":{turn},\
         \"data\":{{\"event\":\"{}\",\"budgetMs\":{},\"by\":\"watchdog\"",
        run.event,
        millis(budget)
    );
    CutShort { before, after, end: "}}\n" }
}

/// Returns what the line about a run that was ended says of a decision made before the end.
pub(crate) fn decided_before_the_end(judgement: &Judgement) -> String {
    let decision = &judgement.verdict.decision;
    if decision.reason().is_none() {
        return String::new();
    }
    let mut fields = format!(",\"decision\":\"{}\"", decision.as_str());
    for (key, text) in [("reason", decision.reason()), ("module", judgement.decided_by.as_deref())] {
        // A text always serializes.
        if let Some(Ok(text)) = text.map(|text| serde_json::to_string(&Redacted::from_text(text))) {
            let _ = write!(fields, ",\"{key}\":{text}");
        }
    }
    fields
}

fn module_report(report: &Report) -> ModuleReport {
    let entry = ModuleReport {
        name: report.module.as_str().to_owned(),
        us: micros(report.took),
        decision: Decision::Abstain.as_str().to_owned(),
        ..ModuleReport::default()
    };
    match &report.result {
        StepResult::Acted(action) => ModuleReport {
            decision: action.decision.as_str().to_owned(),
            reason: action.decision.reason().map(str::to_owned),
            metrics: action.metrics.clone(),
            ..entry
        },
        StepResult::Failed { error, denies } => ModuleReport {
            decision: if *denies { "deny".to_owned() } else { entry.decision },
            error: Some(error.clone()),
            ..entry
        },
        StepResult::OutOfTime => ModuleReport { error: Some("out of time".to_owned()), ..entry },
    }
}

/// Adds one patch to another, the later one's values on top.
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

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
