//! Makes a timeline of the lines of a journal.
//!
//! The journal has several lines per event; here an event is one entry. What a tool call
//! came to is put with the call, and a warning that repeats is said once per turn.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dispatch::history::{Gather, Run, RunRecord};
use dispatch::{EventRecord, PromptRecord};
use event::LineKind;
use serde_json::{Map, Value};

use super::target;
use super::timeline::{Call, Entry, Outcome, Prompt, Turn, What};

/// Takes the lines of a journal and makes turns of them.
pub(super) struct Shaper<'a> {
    root: &'a Path,
    prompts: BTreeMap<u64, PromptRecord>,
    gather: Gather,
    turns: BTreeMap<u64, Turn>,
    /// Calls of the current turn whose end was not reported yet: turn and index.
    waiting: Vec<(u64, usize)>,
    /// Warnings that were said in a turn already.
    warned: BTreeSet<(u64, String)>,
    /// Where the host worked last.
    pub(super) cwd: Option<String>,
}

/// Lines that are part of another entry.
const TOLD_OTHERWISE: [LineKind; 7] = [
    LineKind::HookRun,
    LineKind::ToolDecision,
    LineKind::ToolOutcome,
    LineKind::Prompt,
    LineKind::SessionStart,
    LineKind::SessionStop,
    LineKind::Compaction,
];

impl<'a> Shaper<'a> {
    /// Begins with nothing but the prompts.
    pub(super) fn new(root: &'a Path, prompts: BTreeMap<u64, PromptRecord>) -> Self {
        Self {
            root,
            prompts,
            gather: Gather::default(),
            turns: BTreeMap::new(),
            waiting: Vec::new(),
            warned: BTreeSet::new(),
            cwd: None,
        }
    }

    /// Takes the next line.
    pub(super) fn add(&mut self, line: EventRecord) {
        if line.kind == LineKind::Unblocked.name() {
            let what = What::Phase {
                from: text(&line.data, "from"),
                to: text(&line.data, "to"),
                why: "a person lifted the block".into(),
            };
            self.push(&line, what);
        }
        if let Some(what) = of_plan(&line) {
            self.push(&line, what);
        }
        if let Some(run) = self.gather.add(line) {
            self.add_run(&run);
        }
    }

    /// Returns the turns in order.
    pub(super) fn finish(self) -> Vec<Turn> {
        self.turns.into_values().collect()
    }

    fn add_run(&mut self, run: &Run) {
        let Some(last) = run.lines.last() else { return };
        if let Some(record) = &run.record {
            self.add_record(run, last, record);
        } else {
            let budget_ms = last.data.get("budgetMs").and_then(Value::as_u64).unwrap_or_default();
            self.push(last, What::OutOfTime { budget_ms, module: None });
        }
        for line in run.lines.iter().filter(|line| !is_told_otherwise(line)) {
            self.push_line(line, run.was_cut_short());
        }
    }

    fn add_record(&mut self, run: &Run, last: &EventRecord, record: &RunRecord) {
        if record.cwd.is_some() {
            self.cwd.clone_from(&record.cwd);
        }
        let role = record.agent_type.clone();
        match record.event.as_str() {
            "UserPromptSubmit" => self.begin_turn(run, last),
            "PreToolUse" => {
                let index = self.push(last, What::Call(call(record, self.root)));
                if record.decision != "deny" {
                    self.waiting.push((last.turn_id, index));
                }
            }
            "PostToolUse" => self.end_call(run, last, record),
            "SessionStart" => {
                let of = |key: &str| text_in(run, LineKind::SessionStart, key);
                self.push(last, What::Start { source: of("source"), model: of("model") });
            }
            "PreCompact" => {
                self.push(last, What::Compaction { trigger: text_in(run, LineKind::Compaction, "trigger") });
            }
            "SubagentStart" => drop(self.push(last, What::AgentStart { role })),
            "SubagentStop" => drop(self.push(last, What::AgentStop { role })),
            "Stop" => {
                let line = run.line(LineKind::SessionStop);
                let kept_going = line.and_then(|line| line.data.get("keptGoing")).and_then(Value::as_bool);
                self.push(last, What::Stop { kept_going: kept_going.unwrap_or(false) });
            }
            _ => {}
        }
        if record.event != "PreToolUse" && record.decision == "deny" {
            let reason = record.reason.clone().unwrap_or_default();
            let (event, module) = (record.event.clone(), record.module.clone());
            self.push(last, What::Refused { event, module, reason });
        }
        for warning in &record.warnings {
            if self.warned.insert((last.turn_id, warning.clone())) {
                self.push(last, What::Warning { text: warning.clone() });
            }
        }
    }

    fn push_line(&mut self, line: &EventRecord, by_watchdog: bool) {
        let what = match LineKind::parse(&line.kind) {
            Some(LineKind::PhaseChange) => What::Phase {
                from: text(&line.data, "from"),
                to: text(&line.data, "to"),
                why: text(&line.data, "why"),
            },
            Some(kind @ (LineKind::ErrorModule | LineKind::ErrorModuleCritical)) => What::Failure {
                module: text(&line.data, "module"),
                error: text(&line.data, "error"),
                critical: kind == LineKind::ErrorModuleCritical,
            },
            Some(LineKind::BudgetExceeded) if by_watchdog => return,
            Some(LineKind::BudgetExceeded) => What::OutOfTime {
                budget_ms: line.data.get("budgetMs").and_then(Value::as_u64).unwrap_or_default(),
                module: Some(text(&line.data, "module")),
            },
            _ => What::Note { name: line.kind.clone(), module: line.module.clone() },
        };
        self.push(line, what);
    }

    fn begin_turn(&mut self, run: &Run, last: &EventRecord) {
        self.waiting.clear();
        let kept = self.prompts.get(&last.turn_id);
        let line = run.line(LineKind::Prompt);
        let hash = line.map(|line| text(&line.data, "hash"));
        let chars = line.and_then(|line| line.data.get("chars")).and_then(Value::as_u64);
        let prompt = Prompt {
            chars: chars.or(kept.map(|kept| kept.chars)).unwrap_or_default(),
            hash: hash.or(kept.map(|kept| kept.hash.clone())).unwrap_or_default(),
            text: kept.and_then(|kept| kept.text.clone()),
        };
        let work = line.map(|line| text(&line.data, "workId"));
        let turn = self.turn(last);
        turn.prompt = Some(prompt);
        turn.work_id = work.unwrap_or_else(|| last.work_id.clone());
        turn.ts = last.ts;
    }

    /// Puts the end of a call with the call: by the host's id, or for want of one with the
    /// last call of that tool by that agent.
    fn end_call(&mut self, run: &Run, last: &EventRecord, record: &RunRecord) {
        let line = run.line(LineKind::ToolOutcome);
        let ok = line.and_then(|line| line.data.get("ok")).and_then(Value::as_bool).unwrap_or(true);
        let error = line.and_then(|line| line.data.get("error")).and_then(Value::as_str).map(str::to_owned);
        let tool = record.tool.clone().unwrap_or_default();
        let found = self.waiting.iter().rposition(|(turn, index)| {
            let entry = self.turns.get(turn).and_then(|turn| turn.entries.get(*index));
            entry.is_some_and(|entry| match &entry.what {
                What::Call(call) => match (&call.id, &record.tool_use_id) {
                    (Some(ours), Some(theirs)) => ours == theirs,
                    _ => call.tool == tool && entry.agent == last.agent_id,
                },
                _ => false,
            })
        });
        let mut outcome = Outcome { ok, error, ms: None };
        let place = found.map(|at| self.waiting.remove(at));
        let entry = place.and_then(|(turn, index)| self.turns.get_mut(&turn)?.entries.get_mut(index));
        match entry {
            Some(Entry { ts, what: What::Call(call), .. }) => {
                outcome.ms = Some(last.ts.saturating_sub(*ts));
                call.outcome = Some(outcome);
            }
            _ => drop(self.push(last, What::Result { tool, outcome })),
        }
    }

    fn push(&mut self, line: &EventRecord, what: What) -> usize {
        let entry = Entry { ts: line.ts, run: line.hook_run_id.clone(), agent: line.agent_id.clone(), what };
        let turn = self.turn(line);
        turn.entries.push(entry);
        turn.entries.len() - 1
    }

    fn turn(&mut self, line: &EventRecord) -> &mut Turn {
        self.turns.entry(line.turn_id).or_insert_with(|| Turn {
            number: line.turn_id,
            work_id: line.work_id.clone(),
            ts: line.ts,
            ..Turn::default()
        })
    }
}

fn is_told_otherwise(line: &EventRecord) -> bool {
    LineKind::parse(&line.kind).is_some_and(|kind| TOLD_OTHERWISE.contains(&kind))
}

/// What `plan mark` and `plan check` leave: lines that belong to no run.
fn of_plan(line: &EventRecord) -> Option<What> {
    if line.module.is_some() {
        return None;
    }
    let number = |key: &str| line.data.get(key).and_then(Value::as_u64).unwrap_or_default();
    match LineKind::parse(&line.kind)? {
        LineKind::PlanNode => {
            let of = |key: &str| text(&line.data, key);
            Some(What::Plan { text: format!("{}: {} → {}", of("node"), of("from"), of("to")), holds: true })
        }
        LineKind::PlanChecked => {
            let nodes = line.data.get("nodes").and_then(Value::as_array).into_iter().flatten();
            let nodes: Vec<&str> = nodes.filter_map(Value::as_str).collect();
            let (failing, all) = (number("failing"), number("validations"));
            let found = match failing {
                0 => format!("all {all} validations hold"),
                failing => format!("{failing} of {all} validations do not hold"),
            };
            Some(What::Plan { text: format!("{}: {found}", nodes.join(", ")), holds: failing == 0 })
        }
        _ => None,
    }
}

fn call(record: &RunRecord, root: &Path) -> Call {
    Call {
        tool: record.tool.clone().unwrap_or_default(),
        target: target::of(record, Some(root)),
        decision: record.decision.clone(),
        module: record.module.clone(),
        reason: record.reason.clone(),
        rewritten: record.rewrite.is_some(),
        could_not_ask: record.was_hardened(),
        outcome: None,
        id: record.tool_use_id.clone(),
    }
}

fn text(data: &Map<String, Value>, key: &str) -> String {
    data.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn text_in(run: &Run, kind: LineKind, key: &str) -> Option<String> {
    run.line(kind)?.data.get(key)?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shaped(lines: &[(&str, &str, u64, Value)]) -> Vec<Turn> {
        let mut shaper = Shaper::new(Path::new("/w"), BTreeMap::new());
        for (ts, (kind, run, turn, data)) in (1_u64..).zip(lines) {
            let line = json!({
                "v": 1, "ts": ts * 100, "type": kind, "hookRunId": run, "sessionId": "a3f0c812",
                "workId": "w001", "agentId": "u00", "turnId": turn, "data": data,
            });
            shaper.add(serde_json::from_value(line).unwrap());
        }
        shaper.finish()
    }

    fn pre(tool: &str, id: Option<&str>) -> Value {
        json!({"host": "claude-code", "event": "PreToolUse", "decision": "abstain", "tool": tool,
               "toolUseId": id, "input": {"command": "ls"}})
    }

    fn post(tool: &str, id: Option<&str>) -> Value {
        json!({"host": "claude-code", "event": "PostToolUse", "decision": "abstain", "tool": tool,
               "toolUseId": id})
    }

    fn outcomes(turns: &[Turn]) -> Vec<Option<u64>> {
        let entries = turns.iter().flat_map(|turn| &turn.entries);
        entries
            .map(|entry| match &entry.what {
                What::Call(call) => call.outcome.as_ref().and_then(|outcome| outcome.ms),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn the_end_of_a_call_is_put_with_the_call_it_belongs_to() {
        let turns = shaped(&[
            ("HOOK_RUN", "A-1-1", 1, pre("Bash", Some("one"))),
            ("HOOK_RUN", "A-1-2", 1, pre("Bash", Some("two"))),
            ("HOOK_RUN", "B-1-3", 1, post("Bash", Some("one"))),
            ("HOOK_RUN", "B-1-4", 1, post("Bash", Some("two"))),
        ]);
        assert_eq!(outcomes(&turns), [Some(200), Some(200)]);
    }

    #[test]
    fn without_an_id_the_last_call_of_that_tool_has_ended() {
        let turns = shaped(&[
            ("HOOK_RUN", "A-1-1", 1, pre("Bash", None)),
            ("HOOK_RUN", "A-1-2", 1, pre("Read", None)),
            ("HOOK_RUN", "B-1-3", 1, post("Bash", None)),
        ]);
        assert_eq!(outcomes(&turns), [Some(200), None]);
    }

    #[test]
    fn the_end_of_a_call_nobody_saw_stands_alone() {
        let turns = shaped(&[("HOOK_RUN", "B-1-3", 1, post("Bash", Some("one")))]);
        assert!(matches!(turns[0].entries[0].what, What::Result { .. }));
    }

    #[test]
    fn a_warning_is_said_once_per_turn() {
        let mut warned = pre("Bash", None);
        warned["warnings"] = json!(["module `x` is skipped"]);
        let turns = shaped(&[
            ("HOOK_RUN", "A-1-1", 1, warned.clone()),
            ("HOOK_RUN", "A-1-2", 1, warned.clone()),
            ("HOOK_RUN", "A-2-3", 2, warned),
        ]);
        let n_warnings = |turn: &Turn| {
            turn.entries.iter().filter(|entry| matches!(entry.what, What::Warning { .. })).count()
        };
        assert_eq!(turns.iter().map(n_warnings).collect::<Vec<_>>(), [1, 1]);
    }

    #[test]
    fn what_a_person_says_and_checks_of_the_plan_is_told() {
        let turns = shaped(&[
            ("HOOK_RUN", "A-1-1", 1, pre("Bash", None)),
            ("PLAN_NODE", "plan-1-2", 1, json!({"node": "api", "from": "active", "to": "complete"})),
            ("PLAN_CHECKED", "plan-1-3", 1, json!({"nodes": ["api"], "validations": 3, "failing": 1})),
            ("PLAN_CHECKED", "plan-1-4", 1, json!({"nodes": ["api", "ui"], "validations": 2, "failing": 0})),
        ]);
        let told: Vec<_> = turns[0]
            .entries
            .iter()
            .filter_map(|entry| match &entry.what {
                What::Plan { text, holds } => Some((text.as_str(), *holds)),
                _ => None,
            })
            .collect();
        assert_eq!(
            told,
            [
                ("api: active → complete", true),
                ("api: 1 of 3 validations do not hold", false),
                ("api, ui: all 2 validations hold", true),
            ]
        );
    }

    #[test]
    fn what_a_project_module_records_is_told_by_its_name() {
        let turns =
            shaped(&[("SEEN", "A-1-1", 1, json!({"n": 1})), ("HOOK_RUN", "A-1-1", 1, pre("Bash", None))]);
        let names: Vec<_> = turns[0]
            .entries
            .iter()
            .filter_map(|entry| match &entry.what {
                What::Note { name, .. } => Some(name.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(names, ["SEEN"]);
    }
}
