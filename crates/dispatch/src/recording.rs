//! What one run leaves behind: its lines for the journals and its patch for the state.

use std::fmt::Write;
use std::time::{Duration, Instant};

use event::EventName;
use redact::Redacted;
use serde_json::{Map, Value, json};

use crate::action::Emitted;
use crate::commit::Commit;
use crate::context::Ids;
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
        let mut data = Map::new();
        let mut put = |key: &str, value: Value| {
            data.insert(key.to_owned(), value);
        };
        // First, because that is where `repeat` looks for it.
        if let Some(mark) = &self.mark {
            put("callKey", mark.key.as_str().into());
        }
        put("host", self.context.host.name().into());
        put("event", event.name().as_str().into());
        if self.host_event != event.name().as_str() {
            put("hostEvent", self.host_event.into());
        }
        put("decision", verdict.decision.as_str().into());
        if let Some(reason) = verdict.decision.reason() {
            put("reason", reason.into());
        }
        if let Some(module) = &self.judgement.decided_by {
            put("module", module.as_str().into());
        }
        if let Some(cwd) = &event.cwd {
            put("cwd", recorded_input::short(cwd).into());
        }
        if let Some(kind) = event.agent.as_ref().and_then(|agent| agent.kind.as_deref()) {
            put("agentType", recorded_input::short(kind).into());
        }
        if let Some(agent) = self.context.running_agent {
            put("runningAgent", recorded_input::short(agent).into());
        }
        if let Some(call) = event.call() {
            put("tool", recorded_input::short(&call.name).into());
            if let Some(id) = &call.id {
                put("toolUseId", recorded_input::short(id).into());
            }
            if event.name() == EventName::PreToolUse {
                let kept = recorded_input::of(&call.input);
                put("input", kept.value);
                if !kept.is_whole {
                    put("inputCut", true.into());
                }
                // Only a call that was not let through can be permitted afterwards.
                if verdict.decision.reason().is_some() {
                    put("inputHash", allowance::key(call).into());
                }
            }
        }
        put("modules", self.deliberation.reports.iter().map(module_report).collect());
        if let Some(rewrite) = &verdict.rewrite {
            put("rewrite", recorded_input::of(&Value::Object(rewrite.clone())).value);
        }
        if !self.judgement.stamps.is_empty() {
            put("stamps", Value::Object(self.judgement.stamps.clone()));
        }
        if !verdict.context.is_empty() {
            put("context", verdict.context.iter().map(|note| Value::from(note.key.as_str())).collect());
        }
        if !verdict.warnings.is_empty() {
            put("warnings", json!(verdict.warnings));
        }
        if !self.judgement.ignored.is_empty() || !refused.is_empty() {
            let ignored: Vec<_> = self.judgement.ignored.iter().chain(refused).collect();
            put("ignored", json!(ignored));
        }
        if !self.dropped.is_empty() {
            put("dropped", self.dropped.iter().map(|verb| Value::from(verb.as_str())).collect());
        }
        // An automation that waits for what agents do must not be set off by its own agent.
        if !self.automations.is_empty() {
            put("automations", json!(self.automations));
        }
        put("us", micros(self.started.elapsed()).into());
        if !patch.is_empty() {
            put("patch", Value::Object(patch.clone()));
        }
        Emitted { kind: record::RUN.into(), data: Value::Object(data) }
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

fn module_report(report: &Report) -> Value {
    let mut entry = Map::new();
    entry.insert("name".into(), report.module.as_str().into());
    entry.insert("us".into(), micros(report.took).into());
    match &report.result {
        StepResult::Acted(action) => {
            entry.insert("decision".into(), action.decision.as_str().into());
            if let Some(reason) = action.decision.reason() {
                entry.insert("reason".into(), reason.into());
            }
            if let Some(metrics) = &action.metrics {
                entry.insert("metrics".into(), metrics.clone());
            }
        }
        StepResult::Failed { error, denies } => {
            entry.insert("decision".into(), if *denies { "deny" } else { "abstain" }.into());
            entry.insert("error".into(), error.as_str().into());
        }
        StepResult::OutOfTime => {
            entry.insert("decision".into(), "abstain".into());
            entry.insert("error".into(), "out of time".into());
        }
    }
    Value::Object(entry)
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
