//! Counts the figures of a session line by line.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::{fs, io};

use event::{AbsPath, Access, EventName, LineKind};
use session::{DoneCheck, EventRecord, LineView, RecordedDecision, Subject, history, shown_path};

use crate::decision::{DecisionOrigin, SessionDecision};
use crate::journal_line;
use crate::listing::Distinct;
use crate::summary::{Calls, End, JournalPart, ToolCounts};

/// A longer pause does not count as working time.
const IDLE_MS: u64 = 5 * 60 * 1000;

/// The figures.
#[derive(Debug)]
pub struct Figures<'a> {
    root: &'a AbsPath,
    /// The times of the first and the last line.
    pub(crate) span: Option<(u64, u64)>,
    /// The time between lines, without the long pauses.
    pub(crate) active_ms: u64,
    /// The prompts.
    pub(crate) prompts: Vec<Prompt>,
    /// The pieces of work.
    pub(crate) works: BTreeSet<String>,
    /// Tool calls.
    pub(crate) calls: Calls,
    /// Tool calls by tool.
    pub(crate) tools: BTreeMap<String, ToolCounts>,
    /// Command lines that ran.
    pub(crate) commands: Distinct<String, Runs>,
    /// Files that were changed.
    pub(crate) changed: Distinct<String, Changes>,
    /// Denied calls, by subject and module.
    pub(crate) denied: Distinct<(Subject, String), Stopped>,
    /// Calls that the user was asked about, by subject and module.
    pub(crate) asked: Distinct<(Subject, String), Stopped>,
    /// Failures.
    pub(crate) failures: Distinct<Subject, Failure>,
    /// Decisions of users or plans.
    pub(crate) decisions: Vec<SessionDecision>,
    /// The last acceptance checks.
    pub(crate) done_check: Option<DoneCheck>,
    /// Started subagents.
    pub(crate) subagents: u64,
    /// Failed modules, and runs that exceeded their budget.
    pub(crate) faults: u64,
}

/// A prompt, from the journal.
#[derive(Debug, Clone)]
pub(crate) struct Prompt {
    pub ts: u64,
    pub turn: u64,
    pub work: String,
    pub hash: String,
    pub chars: u64,
}

/// How often a command ran.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    pub times: u64,
    pub failed: u64,
}

/// How often a file was changed.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pub writes: u64,
    pub deletions: u64,
}

/// A call that was denied or asked about.
#[derive(Debug, Default)]
pub(crate) struct Stopped {
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
pub(crate) struct Failure {
    pub times: u64,
    pub first_ts: u64,
    pub last_ts: u64,
    pub last_error: String,
    pub end: End,
}

impl<'a> Figures<'a> {
    /// Returns empty figures of a session in the workspace at `root`.
    pub fn new(root: &'a AbsPath) -> Self {
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
            done_check: None,
            subagents: 0,
            faults: 0,
        }
    }

    /// Adds the whole lines of a journal until `is_late`, and returns how far that came.
    pub fn read(&mut self, path: &AbsPath, mut is_late: impl FnMut() -> bool) -> io::Result<JournalPart> {
        let mut part = JournalPart::default();
        history::each_line(path, |line| {
            self.add(line);
            part.lines += 1;
            part.bytes += line.len() as u64 + 1;
            // The clock is read only now and then.
            let breaks = part.lines.is_multiple_of(256) && is_late();
            if breaks { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        let length = fs::metadata(path.as_path()).map_or(part.bytes, |meta| meta.len());
        part.bytes_left = length.saturating_sub(part.bytes);
        Ok(part)
    }

    /// Adds a line.
    fn add(&mut self, text: &str) {
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
            Some(LineKind::HookRun) if line.data.event == EventName::SubagentStart.as_str() => {
                self.subagents += 1;
            }
            Some(LineKind::HookRun) => self.decided(&line, DecisionOrigin::Permitted),
            Some(LineKind::Unblocked) => self.decided(&line, DecisionOrigin::Unblocked),
            Some(LineKind::PlanAccepted) => self.decided(&line, DecisionOrigin::Plan),
            Some(LineKind::Decision) => self.decided(&line, DecisionOrigin::Stated),
            Some(LineKind::DoneChecked) => {
                let line: Option<EventRecord> = serde_json::from_str(text).ok();
                self.done_check = line.as_ref().and_then(DoneCheck::of).or(self.done_check.take());
            }
            Some(LineKind::PhaseChange) => {}
            _ => self.faults += 1,
        }
    }

    fn judged(&mut self, line: &LineView<'_>) {
        let subject = self.subject(line);
        let tool = self.tools.entry(subject.tool.clone()).or_default();
        tool.calls += 1;
        self.calls.judged += 1;
        let decision = RecordedDecision::parse(&line.data.decision);
        let list = match decision {
            Some(RecordedDecision::Deny) => {
                tool.denied += 1;
                self.calls.denied += 1;
                &mut self.denied
            }
            Some(RecordedDecision::Ask) => {
                tool.asked += 1;
                self.calls.asked += 1;
                &mut self.asked
            }
            Some(RecordedDecision::Allow | RecordedDecision::Abstain) | None => {
                return self.calls.passed += 1;
            }
        };
        let by = line.data.by.clone().unwrap_or_default();
        let Some(stopped) = list.entry((subject, by)) else { return };
        stopped.times += 1;
        stopped.last_ts = line.ts;
        stopped.reason = line.data.reason.clone().unwrap_or_default();
        if decision == Some(RecordedDecision::Ask) {
            stopped.open.push(line.data.tool_use_id.clone());
        }
    }

    fn ended(&mut self, line: &LineView<'_>) {
        let subject = self.subject(line);
        self.answer_ask(line, &subject);
        if let Some(command) = &line.data.command
            && let Some(runs) = self.commands.entry(event::one_line(command))
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
            self.decided(line, DecisionOrigin::Approved { by: key.1 });
            return;
        }
    }

    fn decided(&mut self, line: &LineView<'_>, origin: DecisionOrigin) {
        let subject = self.subject(line);
        self.decisions.push(SessionDecision {
            ts: line.ts,
            turn: line.turn_id,
            work: line.work_id.clone().into_owned(),
            what: line.data.title.clone().unwrap_or_else(|| subject.to_string()),
            why: line.data.choice.clone().or_else(|| line.data.why.clone()),
            origin,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Frame, StopSummary, page};

    #[test]
    fn a_journal_too_long_for_the_time_is_counted_in_part_and_the_page_says_so() {
        let dir = tempfile::tempdir().unwrap();
        let path = AbsPath::new(dir.path().join("events.jsonl")).unwrap();
        let line = r#"{"v":1,"ts":7,"type":"TOOL_DECISION","hookRunId":"x","workId":"w001","turnId":1,"module":"session","data":{"tool":"T","decision":"deny"}}"#;
        fs::write(path.as_path(), format!("{line}\n").repeat(1000)).unwrap();
        let root = AbsPath::root();
        let mut figures = Figures::new(&root);
        let mut n_asked = 0;
        let journal = figures.read(&path, || {
            n_asked += 1;
            n_asked == 2
        });
        let journal = journal.unwrap();
        let line_bytes = line.len() as u64 + 1;
        let expected = JournalPart { lines: 512, bytes: 512 * line_bytes, bytes_left: 488 * line_bytes };
        assert_eq!(journal, expected);
        assert_eq!(figures.calls.denied, 512);
        let frame = Frame {
            session_id: "a3f0c812".into(),
            host: "raw",
            now: 9,
            journal,
            texts: BTreeMap::new(),
            open_nodes: Vec::new(),
            list_items: 30,
        };
        let page = page::draw(&StopSummary::new(&frame, &figures));
        assert!(page.contains("**Incomplete**: the budget ended after 512 lines"), "{page}");
    }
}
