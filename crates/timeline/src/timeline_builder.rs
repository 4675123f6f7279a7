//! Builds a timeline from the lines of a journal.
//!
//! The journal has several lines per event, the timeline one entry. The result of a tool call is added to the
//! entry of the call, and a repeated warning appears once per turn.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use event::{EventName, LineKind};
use serde_json::{Map, Value};
use session::history::{Run, RunCollector};
use session::{CutShortRecord, DoneCheck, EventRecord, PromptRecord, RecordedDecision, RunRecord};

use crate::order_entry::of_order;
use crate::target;
use crate::turn::{Call, Entry, EntryKind, Outcome, Prompt, Turn};

/// Builds turns from the lines of a journal.
#[derive(Debug)]
pub struct TimelineBuilder<'a> {
    root: &'a Path,
    prompts: BTreeMap<u64, PromptRecord>,
    gather: RunCollector,
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
            gather: RunCollector::default(),
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
        if let Some(what) = of_plan(&line).or_else(|| of_order(&line)).or_else(|| of_ungoverned(&line)) {
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
            let budget_ms = CutShortRecord::of(last).unwrap_or_default().budget_ms;
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
                if record.decision != RecordedDecision::Deny {
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
        if !record.is_of(EventName::PreToolUse) && record.decision == RecordedDecision::Deny {
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
            text: kept.and_then(|kept| kept.shown().map(str::to_owned)),
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

/// Returns the entry about a call that no hook judged; `None` for other lines, and for one that a module emitted.
fn of_ungoverned(line: &EventRecord) -> Option<EntryKind> {
    if line.module.is_some() || LineKind::parse(&line.kind)? != LineKind::Ungoverned {
        return None;
    }
    let of = |key: &str| text(&line.data, key);
    let time = Some(of("time")).filter(|time| !time.is_empty());
    let at = time.map(|time| format!(" at {time}")).unwrap_or_default();
    Some(EntryKind::Warning {
        text: format!("no hook judged a call of `{}`{at}: {}", of("tool"), of("cause")),
    })
}

/// Returns the entry for a line of `plan mark`, `plan check` or the gate at a stop, which belongs to no run.
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
        LineKind::DoneChecked => {
            let check = DoneCheck::of(line)?;
            let n_failing = check.failing().count();
            let whose = check.intent.as_deref().unwrap_or("the plan");
            let text = match n_failing {
                0 => format!("{whose}: all {} acceptance checks hold", check.checks.len()),
                failing => {
                    format!("{whose}: {failing} of {} acceptance checks do not hold", check.checks.len())
                }
            };
            Some(EntryKind::Plan { text, holds: n_failing == 0 })
        }
        _ => None,
    }
}

fn call(record: &RunRecord, root: &Path) -> Call {
    Call {
        tool: record.tool.clone().unwrap_or_default(),
        target: target::of(record, Some(root)),
        decision: record.decision,
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
mod tests;
