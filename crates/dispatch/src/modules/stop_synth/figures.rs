//! Counts the figures of a session line by line.

use std::collections::{BTreeMap, BTreeSet};

use event::{AbsPath, Access, LineKind};
use session::LineView;

use super::decision::{Made, Way};
use super::journal_line;
use super::listing::Distinct;
use super::summary::{Calls, End, ToolCounts};
use crate::subject::{Subject, shown_path};

/// A longer pause does not count as working time.
const IDLE_MS: u64 = 5 * 60 * 1000;

/// The figures.
#[derive(Debug)]
pub(super) struct Figures<'a> {
    root: &'a AbsPath,
    /// The times of the first and the last line.
    pub span: Option<(u64, u64)>,
    /// The time between lines, without the long pauses.
    pub active_ms: u64,
    /// The prompts.
    pub prompts: Vec<Prompt>,
    /// The pieces of work.
    pub works: BTreeSet<String>,
    /// Tool calls.
    pub calls: Calls,
    /// Tool calls by tool.
    pub tools: BTreeMap<String, ToolCounts>,
    /// Command lines that ran.
    pub commands: Distinct<String, Runs>,
    /// Files that were changed.
    pub changed: Distinct<String, Changes>,
    /// Denied calls, by subject and module.
    pub denied: Distinct<(Subject, String), Stopped>,
    /// Calls that the user was asked about, by subject and module.
    pub asked: Distinct<(Subject, String), Stopped>,
    /// Failures.
    pub failures: Distinct<Subject, Failure>,
    /// Decisions of users or plans.
    pub decisions: Vec<Made>,
    /// Started subagents.
    pub subagents: u64,
    /// Failed modules, and runs that exceeded their budget.
    pub faults: u64,
}

/// A prompt, from the journal.
#[derive(Debug, Clone)]
pub(super) struct Prompt {
    pub ts: u64,
    pub turn: u64,
    pub work: String,
    pub hash: String,
    pub chars: u64,
}

/// How often a command ran.
#[derive(Debug, Default)]
pub(super) struct Runs {
    pub times: u64,
    pub failed: u64,
}

/// How often a file was changed.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pub writes: u64,
    pub deletions: u64,
}

/// A call that was denied or asked about.
#[derive(Debug, Default)]
pub(super) struct Stopped {
    pub times: u64,
    pub last_ts: u64,
    pub reason: String,
    /// How often it ran after the user permitted it.
    pub ran: u64,
    /// Calls that may still run: their ids, or `None` on a host without ids.
    open: Vec<Option<String>>,
}

/// A failure.
#[derive(Debug, Default)]
pub(super) struct Failure {
    pub times: u64,
    pub first_ts: u64,
    pub last_ts: u64,
    pub last_error: String,
    pub end: End,
}

impl<'a> Figures<'a> {
    /// Returns empty figures.
    pub(super) fn new(root: &'a AbsPath) -> Self {
        Self {
            root,
            span: None,
            active_ms: 0,
            prompts: Vec::new(),
            works: BTreeSet::new(),
            calls: Calls::default(),
            tools: BTreeMap::new(),
            commands: Distinct::default(),
            changed: Distinct::default(),
            denied: Distinct::default(),
            asked: Distinct::default(),
            failures: Distinct::default(),
            decisions: Vec::new(),
            subagents: 0,
            faults: 0,
        }
    }

    /// Adds a line.
    pub(super) fn add(&mut self, text: &str) {
        if let Some(ts) = time_of(text) {
            let (first, last) = self.span.unwrap_or((ts, ts));
            let gap = ts.saturating_sub(last);
            self.active_ms += if gap <= IDLE_MS { gap } else { 0 };
            self.span = Some((first.min(ts), last.max(ts)));
        }
        let Some(line) = journal_line::of_interest(text) else { return };
        if !self.works.contains(&*line.work_id) {
            self.works.insert(line.work_id.clone().into_owned());
        }
        match LineKind::parse(&line.kind) {
            Some(LineKind::Prompt) => self.prompts.push(Prompt {
                ts: line.ts,
                turn: line.turn_id,
                work: line.work_id.into_owned(),
                hash: line.data.hash.unwrap_or_default(),
                chars: line.data.chars,
            }),
            Some(LineKind::ToolDecision) => self.judged(&line),
            Some(LineKind::ToolOutcome) => self.ended(&line),
            Some(LineKind::HookRun) if line.data.event == "SubagentStart" => self.subagents += 1,
            Some(LineKind::HookRun) => self.decided(&line, Way::Permitted),
            Some(LineKind::Unblocked) => self.decided(&line, Way::Unblocked),
            Some(LineKind::PlanAccepted) => self.decided(&line, Way::Plan),
            Some(LineKind::Decision) => self.decided(&line, Way::Stated),
            Some(LineKind::PhaseChange) => {}
            _ => self.faults += 1,
        }
    }

    fn judged(&mut self, line: &LineView<'_>) {
        let subject = self.subject(line);
        let tool = self.tools.entry(subject.tool.clone()).or_default();
        tool.calls += 1;
        self.calls.judged += 1;
        let list = match &*line.data.decision {
            "deny" => {
                tool.denied += 1;
                self.calls.denied += 1;
                &mut self.denied
            }
            "ask" => {
                tool.asked += 1;
                self.calls.asked += 1;
                &mut self.asked
            }
            _ => return self.calls.passed += 1,
        };
        let by = line.data.by.clone().unwrap_or_default();
        let Some(stopped) = list.entry((subject, by)) else { return };
        stopped.times += 1;
        stopped.last_ts = line.ts;
        stopped.reason = line.data.reason.clone().unwrap_or_default();
        if line.data.decision == "ask" {
            stopped.open.push(line.data.tool_use_id.clone());
        }
    }

    fn ended(&mut self, line: &LineView<'_>) {
        let subject = self.subject(line);
        self.answer_ask(line, &subject);
        if let Some(command) = &line.data.command
            && let Some(runs) = self.commands.entry(memory::one_line(command))
        {
            runs.times += 1;
            runs.failed += u64::from(!line.data.ok);
        }
        if line.data.ok {
            self.calls.done += 1;
            self.count_changes(line);
            if !self.failures.is_empty()
                && let Some(failure) = self.failures.get_mut(&subject)
            {
                failure.end = End::Fixed { ts: line.ts };
            }
            return;
        }
        self.calls.failed += 1;
        self.tools.entry(subject.tool.clone()).or_default().failed += 1;
        let Some(failure) = self.failures.entry(subject) else { return };
        failure.times += 1;
        failure.first_ts = if failure.first_ts == 0 { line.ts } else { failure.first_ts };
        failure.last_ts = line.ts;
        failure.last_error = line.data.error.clone().unwrap_or_default();
        failure.end = End::Open;
    }

    /// Records a decision of the user: a call that ran after an ask was permitted.
    fn answer_ask(&mut self, line: &LineView<'_>, subject: &Subject) {
        if self.asked.is_empty() {
            return;
        }
        let id = &line.data.tool_use_id;
        let keys: Vec<_> =
            self.asked.iter().map(|(key, _)| key).filter(|(asked, _)| asked == subject).cloned().collect();
        for key in keys {
            let Some(stopped) = self.asked.get_mut(&key) else { continue };
            let Some(place) = stopped.open.iter().position(|open| open == id) else { continue };
            stopped.open.remove(place);
            stopped.ran += 1;
            self.decided(line, Way::Approved { by: key.1 });
            return;
        }
    }

    fn decided(&mut self, line: &LineView<'_>, way: Way) {
        let subject = self.subject(line);
        self.decisions.push(Made {
            ts: line.ts,
            turn: line.turn_id,
            work: line.work_id.clone().into_owned(),
            what: line.data.title.clone().unwrap_or_else(|| subject.to_string()),
            why: line.data.choice.clone().or_else(|| line.data.why.clone()),
            way,
        });
    }

    fn count_changes(&mut self, line: &LineView<'_>) {
        for touch in &line.data.touches {
            if touch.access == Access::Read.as_str() {
                continue;
            }
            let Some(changes) = self.changed.entry(shown_path(self.root, &touch.path)) else { continue };
            if touch.access == Access::Delete.as_str() {
                changes.deletions += 1;
            } else {
                changes.writes += 1;
            }
        }
    }

    fn subject(&self, line: &LineView<'_>) -> Subject {
        let touches = line.data.touches.iter().map(|touch| (&*touch.path, &*touch.access));
        Subject::new(self.root, &line.data.tool, line.data.command.as_deref(), touches)
    }
}

/// Returns the time of a line: its second key.
fn time_of(text: &str) -> Option<u64> {
    let digits = text.get(..48.min(text.len()))?.split_once("\"ts\":")?.1;
    digits[..digits.find(|c: char| !c.is_ascii_digit())?].parse().ok()
}
