//! Builds a timeline from the lines of a journal.
//!
//! The journal has several lines per event, the timeline one entry. The result of a tool call is added to the
//! entry of the call, and a repeated warning appears once per turn.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use event::LineKind;
use serde_json::{Map, Value};
use session::history::{Gather, Run};
use session::{EventRecord, PromptRecord, RunRecord};

use crate::order_entry::of_order;
use crate::target;
use crate::turn::{Call, Entry, EntryKind, Outcome, Prompt, Turn};

/// Builds turns from the lines of a journal.
#[derive(Debug)]
pub struct TimelineBuilder<'a> {
    root: &'a Path,
    prompts: BTreeMap<u64, PromptRecord>,
    gather: Gather,
    turns: BTreeMap<u64, Turn>,
    /// Calls of the current turn without a result so far: turn and index.
    waiting: Vec<(u64, usize)>,
    /// Warnings that the turn already contains.
    warned: BTreeSet<(u64, String)>,
    /// The last working folder of the host.
    pub cwd: Option<String>,
}

/// Lines that are part of another entry.
const PARTS_OF_ENTRIES: [LineKind; 7] = [
    LineKind::HookRun,
    LineKind::ToolDecision,
    LineKind::ToolOutcome,
    LineKind::Prompt,
    LineKind::SessionStart,
    LineKind::SessionStop,
    LineKind::Compaction,
];

impl<'a> TimelineBuilder<'a> {
    /// Creates a builder that knows only the prompts.
    pub fn new(root: &'a Path, prompts: BTreeMap<u64, PromptRecord>) -> Self {
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

    /// Adds the next line.
    pub fn add(&mut self, line: EventRecord) {
        if line.kind == LineKind::Unblocked.name() {
            let what = EntryKind::Phase {
                from: text(&line.data, "from"),
                to: text(&line.data, "to"),
                why: "a user lifted the block".into(),
            };
            self.push(&line, what);
        }
        if let Some(what) = of_plan(&line).or_else(|| of_order(&line)) {
            self.push(&line, what);
        }
        if let Some(run) = self.gather.add(line) {
            self.add_run(&run);
        }
    }

    /// Returns the turns in order.
    pub fn finish(self) -> Vec<Turn> {
        self.turns.into_values().collect()
    }

    fn add_run(&mut self, run: &Run) {
        let Some(last) = run.lines.last() else { return };
        if let Some(record) = &run.record {
            self.add_record(run, last, record);
        } else {
            let budget_ms = last.data.get("budgetMs").and_then(Value::as_u64).unwrap_or_default();
            self.push(last, EntryKind::OutOfTime { budget_ms, module: None });
        }
        for line in run.lines.iter().filter(|line| !is_part_of_entry(line)) {
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
                let effect = effect_in(run, LineKind::ToolDecision);
                let call = Call { effect, ..call(record, self.root) };
                let index = self.push(last, EntryKind::Call(Box::new(call)));
                if record.decision != "deny" {
                    self.waiting.push((last.turn_id, index));
                }
            }
            "PostToolUse" => self.end_call(run, last, record),
            "SessionStart" => {
                let of = |key: &str| text_in(run, LineKind::SessionStart, key);
                self.push(last, EntryKind::Start { source: of("source"), model: of("model") });
            }
            "PreCompact" => {
                self.push(
                    last,
                    EntryKind::Compaction {
                        trigger: text_in(run, LineKind::Compaction, "trigger"),
                        is_certain: !is_possible(run),
                    },
                );
            }
            "SubagentStart" => drop(self.push(last, EntryKind::AgentStart { role })),
            "SubagentStop" => {
                self.end_waiting(|agent| agent == last.agent_id);
                self.push(last, EntryKind::AgentStop { role });
            }
            "Stop" => {
                self.end_waiting(|agent| agent == last.agent_id);
                let line = run.line(LineKind::SessionStop);
                let kept_going = line.and_then(|line| line.data.get("keptGoing")).and_then(Value::as_bool);
                self.push(last, EntryKind::Stop { kept_going: kept_going.unwrap_or(false) });
            }
            _ => {}
        }
        if record.event != "PreToolUse" && record.decision == "deny" {
            let reason = record.reason.clone().unwrap_or_default();
            let (event, module) = (record.event.clone(), record.module.clone());
            self.push(last, EntryKind::Refused { event, module, reason });
        }
        for warning in &record.warnings {
            if self.warned.insert((last.turn_id, warning.clone())) {
                self.push(last, EntryKind::Warning { text: warning.clone() });
            }
        }
    }

    fn push_line(&mut self, line: &EventRecord, by_watchdog: bool) {
        let what = match LineKind::parse(&line.kind) {
            Some(LineKind::PhaseChange) => EntryKind::Phase {
                from: text(&line.data, "from"),
                to: text(&line.data, "to"),
                why: text(&line.data, "why"),
            },
            Some(kind @ (LineKind::ErrorModule | LineKind::ErrorModuleCritical)) => EntryKind::Failure {
                module: text(&line.data, "module"),
                error: text(&line.data, "error"),
                critical: kind == LineKind::ErrorModuleCritical,
            },
            Some(LineKind::BudgetExceeded) if by_watchdog => return,
            Some(LineKind::BudgetExceeded) => EntryKind::OutOfTime {
                budget_ms: line.data.get("budgetMs").and_then(Value::as_u64).unwrap_or_default(),
                module: Some(text(&line.data, "module")),
            },
            Some(LineKind::WriteRefused) => {
                let files = line.data.get("files").and_then(Value::as_array).into_iter().flatten();
                let files: Vec<&str> = files.filter_map(Value::as_str).collect();
                let what =
                    if files.is_empty() { "a write out of scope".to_owned() } else { files.join(", ") };
                EntryKind::Confined { text: format!("confined: refused {what}"), holds: true }
            }
            Some(LineKind::NotConfined) => EntryKind::Confined {
                text: format!("not confined: {}", text(&line.data, "why")),
                holds: true,
            },
            // The warning of the same run says the same.
            Some(LineKind::Unconfined | LineKind::ArrivalUnknown) => {
                EntryKind::Confined { text: format!("unconfined: {}", text(&line.data, "why")), holds: false }
            }
            _ => EntryKind::Note { name: line.kind.clone(), module: line.module.clone() },
        };
        self.push(line, what);
    }

    /// Marks the calls of agents that went on without a result of them.
    ///
    /// WHY: Codex reports nothing after a patch that it cannot apply, and most hosts nothing after a call that their
    /// user refused. No record shows that such a call succeeded.
    fn end_waiting(&mut self, of_agent: impl Fn(&str) -> bool) {
        let Self { waiting, turns, .. } = self;
        waiting.retain(|(turn, index)| {
            let entry = turns.get_mut(turn).and_then(|turn| turn.entries.get_mut(*index));
            let Some(Entry { agent, what: EntryKind::Call(call), .. }) = entry else { return true };
            let ends = of_agent(agent);
            call.no_result |= ends;
            !ends
        });
    }

    fn begin_turn(&mut self, run: &Run, last: &EventRecord) {
        self.end_waiting(|_| true);
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

    /// Adds the result of a call to its entry: by the host's id, or without an id to the first call of that tool by
    /// that agent with the same command and files, or else, since a module may have rewritten the input, to the last.
    fn end_call(&mut self, run: &Run, last: &EventRecord, record: &RunRecord) {
        let line = run.line(LineKind::ToolOutcome);
        let ok = line.and_then(|line| line.data.get("ok")).and_then(Value::as_bool).unwrap_or(true);
        let error = line.and_then(|line| line.data.get("error")).and_then(Value::as_str).map(str::to_owned);
        let tool = record.tool.clone().unwrap_or_default();
        let effect = effect_in(run, LineKind::ToolOutcome);
        let is_candidate = |(turn, index): &(u64, usize), by_effect: bool| {
            let entry = self.turns.get(turn).and_then(|turn| turn.entries.get(*index));
            entry.is_some_and(|entry| match &entry.what {
                EntryKind::Call(call) => {
                    if let (Some(ours), Some(theirs)) = (&call.id, &record.tool_use_id) {
                        return ours == theirs;
                    }
                    let is_equal = !by_effect || call.effect.is_some() && call.effect == effect;
                    call.tool == tool && entry.agent == last.agent_id && is_equal
                }
                _ => false,
            })
        };
        let found = self.waiting.iter().position(|place| is_candidate(place, true));
        let found = found.or_else(|| self.waiting.iter().rposition(|place| is_candidate(place, false)));
        let mut outcome = Outcome { ok, error, ms: None };
        let place = found.map(|at| self.waiting.remove(at));
        let entry = place.and_then(|(turn, index)| self.turns.get_mut(&turn)?.entries.get_mut(index));
        match entry {
            Some(Entry { ts, what: EntryKind::Call(call), .. }) => {
                outcome.ms = Some(last.ts.saturating_sub(*ts));
                call.outcome = Some(outcome);
            }
            _ => drop(self.push(last, EntryKind::Result { tool, outcome })),
        }
    }

    fn push(&mut self, line: &EventRecord, what: EntryKind) -> usize {
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

fn is_part_of_entry(line: &EventRecord) -> bool {
    LineKind::parse(&line.kind).is_some_and(|kind| PARTS_OF_ENTRIES.contains(&kind))
}

/// Returns the entry for a line of `plan mark` or `plan check`, which belongs to no run.
fn of_plan(line: &EventRecord) -> Option<EntryKind> {
    if line.module.is_some() {
        return None;
    }
    let number = |key: &str| line.data.get(key).and_then(Value::as_u64).unwrap_or_default();
    match LineKind::parse(&line.kind)? {
        LineKind::PlanNode => {
            let of = |key: &str| text(&line.data, key);
            Some(EntryKind::Plan {
                text: format!("{}: {} → {}", of("node"), of("from"), of("to")),
                holds: true,
            })
        }
        LineKind::PlanChecked => {
            let nodes = line.data.get("nodes").and_then(Value::as_array).into_iter().flatten();
            let nodes: Vec<&str> = nodes.filter_map(Value::as_str).collect();
            let (failing, all) = (number("failing"), number("validations"));
            let found = match failing {
                0 => format!("all {all} validations passed"),
                failing => format!("{failing} of {all} validations failed"),
            };
            Some(EntryKind::Plan { text: format!("{}: {found}", nodes.join(", ")), holds: failing == 0 })
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
        approved: record.approval_basis(),
        rewritten: record.rewrite.is_some(),
        could_not_ask: record.was_hardened(),
        outcome: None,
        no_result: false,
        effect: None,
        id: record.tool_use_id.clone(),
    }
}

/// Returns the command and the files of a call.
fn effect_in(run: &Run, kind: LineKind) -> Option<Box<(Value, Value)>> {
    let data = &run.line(kind)?.data;
    let of = |key: &str| data.get(key).cloned().unwrap_or_default();
    Some(Box::new((of("command"), of("touches"))))
}

/// Returns whether a host announced a compaction before it knew whether it needs one.
fn is_possible(run: &Run) -> bool {
    let line = run.line(LineKind::Compaction);
    line.and_then(|line| line.data.get("possible")).and_then(Value::as_bool).unwrap_or(false)
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
        let mut builder = TimelineBuilder::new(Path::new("/w"), BTreeMap::new());
        for (ts, (kind, run, turn, data)) in (1_u64..).zip(lines) {
            let line = json!({
                "v": 1, "ts": ts * 100, "type": kind, "hookRunId": run, "sessionId": "a3f0c812",
                "workId": "w001", "agentId": "u00", "turnId": turn, "data": data,
            });
            builder.add(serde_json::from_value(line).unwrap());
        }
        builder.finish()
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
                EntryKind::Call(call) => call.outcome.as_ref().and_then(|outcome| outcome.ms),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn the_result_of_a_call_is_added_to_that_call() {
        let turns = shaped(&[
            ("HOOK_RUN", "A-1-1", 1, pre("Bash", Some("one"))),
            ("HOOK_RUN", "A-1-2", 1, pre("Bash", Some("two"))),
            ("HOOK_RUN", "B-1-3", 1, post("Bash", Some("one"))),
            ("HOOK_RUN", "B-1-4", 1, post("Bash", Some("two"))),
        ]);
        assert_eq!(outcomes(&turns), [Some(200), Some(200)]);
    }

    #[test]
    fn without_an_id_the_result_belongs_to_the_last_call_of_that_tool() {
        let turns = shaped(&[
            ("HOOK_RUN", "A-1-1", 1, pre("Bash", None)),
            ("HOOK_RUN", "A-1-2", 1, pre("Read", None)),
            ("HOOK_RUN", "B-1-3", 1, post("Bash", None)),
        ]);
        assert_eq!(outcomes(&turns), [Some(200), None]);
    }

    #[test]
    fn a_call_without_a_result_by_the_end_of_its_turn_is_not_shown_as_a_success() {
        let event = |name: &str| json!({"host": "codex", "event": name, "decision": "abstain"});
        for end in ["Stop", "UserPromptSubmit"] {
            let turns = shaped(&[
                ("HOOK_RUN", "A-1-1", 1, pre("apply_patch", Some("one"))),
                ("HOOK_RUN", "A-1-2", 1, pre("Bash", Some("two"))),
                ("HOOK_RUN", "B-1-3", 1, post("Bash", Some("two"))),
                ("HOOK_RUN", "C-1-4", 1, event(end)),
            ]);
            let calls = turns.iter().flat_map(|turn| &turn.entries).filter_map(|entry| match &entry.what {
                EntryKind::Call(call) => Some((call.tool.as_str(), call.no_result)),
                _ => None,
            });
            assert_eq!(calls.collect::<Vec<_>>(), [("apply_patch", true), ("Bash", false)], "{end}");
        }
        // It may still run.
        let turns = shaped(&[("HOOK_RUN", "A-1-1", 1, pre("Bash", Some("one")))]);
        assert!(matches!(&turns[0].entries[0].what, EntryKind::Call(call) if !call.no_result));
    }

    #[test]
    fn results_of_parallel_calls_without_ids_belong_to_the_calls_with_the_same_command() {
        let decided = |command: &str| json!({"tool": "bash", "command": command});
        let ended = |command: &str, ok: bool| json!({"tool": "bash", "command": command, "ok": ok});
        let turns = shaped(&[
            ("TOOL_DECISION", "A-1-1", 1, decided("echo a")),
            ("HOOK_RUN", "A-1-1", 1, pre("bash", None)),
            ("TOOL_DECISION", "A-1-2", 1, decided("exit 4")),
            ("HOOK_RUN", "A-1-2", 1, pre("bash", None)),
            ("TOOL_OUTCOME", "B-1-3", 1, ended("echo a", true)),
            ("HOOK_RUN", "B-1-3", 1, post("bash", None)),
            // A module rewrote its input.
            ("TOOL_OUTCOME", "B-1-4", 1, ended("exit 5", false)),
            ("HOOK_RUN", "B-1-4", 1, post("bash", None)),
        ]);
        let results = turns[0].entries.iter().filter_map(|entry| match &entry.what {
            EntryKind::Call(call) => call.outcome.as_ref().map(|outcome| outcome.ok),
            _ => None,
        });
        assert_eq!(results.collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn a_result_without_a_call_is_a_separate_entry() {
        let turns = shaped(&[("HOOK_RUN", "B-1-3", 1, post("Bash", Some("one")))]);
        assert!(matches!(turns[0].entries[0].what, EntryKind::Result { .. }));
    }

    #[test]
    fn a_warning_appears_once_per_turn() {
        let mut warned = pre("Bash", None);
        warned["warnings"] = json!(["module `x` is skipped"]);
        let turns = shaped(&[
            ("HOOK_RUN", "A-1-1", 1, warned.clone()),
            ("HOOK_RUN", "A-1-2", 1, warned.clone()),
            ("HOOK_RUN", "A-2-3", 2, warned),
        ]);
        let n_warnings = |turn: &Turn| {
            turn.entries.iter().filter(|entry| matches!(entry.what, EntryKind::Warning { .. })).count()
        };
        assert_eq!(turns.iter().map(n_warnings).collect::<Vec<_>>(), [1, 1]);
    }

    #[test]
    fn marks_and_checks_of_the_plan_are_entries() {
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
                EntryKind::Plan { text, holds } => Some((text.as_str(), *holds)),
                _ => None,
            })
            .collect();
        assert_eq!(
            told,
            [
                ("api: active → complete", true),
                ("api: 1 of 3 validations failed", false),
                ("api, ui: all 2 validations passed", true),
            ]
        );
    }

    #[test]
    fn an_event_of_a_project_module_appears_under_its_name() {
        let turns =
            shaped(&[("SEEN", "A-1-1", 1, json!({"n": 1})), ("HOOK_RUN", "A-1-1", 1, pre("Bash", None))]);
        let names: Vec<_> = turns[0]
            .entries
            .iter()
            .filter_map(|entry| match &entry.what {
                EntryKind::Note { name, .. } => Some(name.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(names, ["SEEN"]);
    }
}
