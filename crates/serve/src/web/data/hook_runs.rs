//! The hook runs of the last hours, from the journals of all sessions.
//!
//! Only new lines are read: between two requests a few, however long the sessions are. Runs older than the shown time
//! are forgotten, so the memory does not grow with the age of the server.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::sync::{Mutex, PoisonError};
use std::time::UNIX_EPOCH;

use event::{AbsPath, EventName, SessionId};
use page::view::{Activity, Bucket, Fault, ModuleTime};
use serde::Deserialize;
use session::RecordedDecision;
use store::Workspace;

/// The time that is shown, and the length of a bucket.
const SHOWN: u64 = 6 * 60 * 60 * 1000;
const BUCKET: u64 = 5 * 60 * 1000;
/// How much of a journal is read the first time.
const FIRST_READ: u64 = 8 * 1024 * 1024;
/// How many failures are listed.
const MAX_FAULTS: usize = 20;

/// The runs of all sessions, read so far.
#[derive(Debug, Default)]
pub(in crate::web) struct HookRuns {
    sessions: Mutex<HashMap<SessionId, SessionRuns>>,
}

#[derive(Debug, Default)]
struct SessionRuns {
    offset: u64,
    runs: VecDeque<HookRun>,
}

/// One run.
#[derive(Debug, Clone)]
struct HookRun {
    ts: u64,
    us: u64,
    outcome: Outcome,
    is_approved: bool,
    modules: Vec<(String, u64)>,
    fault: Option<Box<Fault>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// An event other than a tool call.
    Other,
    Passed,
    Asked,
    Denied,
    OutOfTime,
}

/// The runs of the shown time, the oldest first.
#[derive(Debug, Default)]
pub(in crate::web) struct RecentRuns {
    runs: Vec<HookRun>,
}

/// The times of runs, in microseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::web) struct Times {
    pub(in crate::web) n: u64,
    pub(in crate::web) p50: u64,
    pub(in crate::web) p95: u64,
    pub(in crate::web) longest: u64,
}

impl HookRuns {
    /// Reads the lines since the last call and returns the runs of the shown time.
    pub(in crate::web) fn read(&self, workspace: &Workspace, now: u64) -> RecentRuns {
        let from = now.saturating_sub(SHOWN);
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let ids = workspace.sessions().unwrap_or_default();
        sessions.retain(|id, _| ids.contains(id));
        for id in ids {
            let path = workspace.session(id).events_file();
            if modified(&path).is_some_and(|at| at >= from) {
                sessions.entry(id).or_default().read(&path, &id.to_string());
            }
        }
        sessions.retain(|_, it| {
            while it.runs.front().is_some_and(|run| run.ts < from) {
                it.runs.pop_front();
            }
            !it.runs.is_empty()
        });
        let mut runs: Vec<HookRun> = sessions.values().flat_map(|it| it.runs.iter().cloned()).collect();
        runs.sort_by_key(|run| run.ts);
        RecentRuns { runs }
    }
}

impl SessionRuns {
    fn read(&mut self, path: &AbsPath, sid: &str) {
        let Some(text) = self.new_lines(path) else { return };
        self.runs.extend(text.lines().filter_map(|line| HookRun::of(line, sid)));
    }

    fn new_lines(&mut self, path: &AbsPath) -> Option<String> {
        let mut file = File::open(path.as_path()).ok()?;
        let length = file.metadata().ok()?.len();
        if length < self.offset {
            *self = Self::default();
        }
        let from = self.offset.max(length.saturating_sub(FIRST_READ));
        file.seek(SeekFrom::Start(from)).ok()?;
        let mut bytes = Vec::new();
        file.take(length - from).read_to_end(&mut bytes).ok()?;
        bytes.truncate(bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1));
        self.offset = from + bytes.len() as u64;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The fields of a line that count here.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line<'l> {
    ts: u64,
    #[serde(rename = "type", borrow)]
    kind: Cow<'l, str>,
    #[serde(borrow)]
    hook_run_id: Cow<'l, str>,
    #[serde(default)]
    module: Option<String>,
    #[serde(default, borrow)]
    data: Data<'l>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Data<'l> {
    #[serde(borrow)]
    module: Option<Cow<'l, str>>,
    #[serde(borrow)]
    event: Cow<'l, str>,
    decision: RecordedDecision,
    us: u64,
    modules: Vec<ModuleData>,
    by: Option<String>,
    budget_ms: u64,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ModuleData {
    name: String,
    us: u64,
    error: Option<String>,
}

impl HookRun {
    /// Reads a run from its last line. Returns `None` for other lines.
    fn of(line: &str, sid: &str) -> Option<Self> {
        let head = session::history::head(line);
        let is_watchdogs =
            head.contains("\"type\":\"BUDGET_EXCEEDED\"") || head.contains("\"type\":\"ERROR_CRASH\"");
        if !is_watchdogs && !head.contains("\"type\":\"HOOK_RUN\"") {
            return None;
        }
        let line: Line<'_> = serde_json::from_str(line).ok()?;
        let fault = |module: Option<String>, what: String| {
            Some(Box::new(Fault {
                ts: line.ts,
                sid: sid.to_owned(),
                run: line.hook_run_id.to_string(),
                module,
                what,
            }))
        };
        if line.module.is_some() {
            return None;
        }
        if line.kind != "HOOK_RUN" {
            if line.data.by.as_deref() != Some("watchdog") {
                return None;
            }
            let what = format!("the run exceeded its budget of {} ms", line.data.budget_ms);
            let us = line.data.budget_ms.saturating_mul(1000);
            let fault = fault(None, what);
            let outcome = Outcome::OutOfTime;
            return Some(Self { ts: line.ts, us, outcome, is_approved: false, modules: Vec::new(), fault });
        }
        let is_call = line.data.event == EventName::PreToolUse.as_str();
        let outcome = match line.data.decision {
            _ if !is_call => Outcome::Other,
            RecordedDecision::Deny => Outcome::Denied,
            RecordedDecision::Ask => Outcome::Asked,
            RecordedDecision::Allow | RecordedDecision::Abstain => Outcome::Passed,
        };
        let is_approved = outcome == Outcome::Passed
            && line.data.decision == RecordedDecision::Allow
            && line.data.module.as_deref() == Some("approve");
        let failed = line.data.modules.iter().find_map(|it| Some((it.name.clone(), it.error.clone()?)));
        let fault = failed.and_then(|(module, error)| fault(Some(module), error));
        let modules = line.data.modules.into_iter().map(|it| (it.name, it.us)).collect();
        Some(Self { ts: line.ts, us: line.data.us, outcome, is_approved, modules, fault })
    }
}

impl RecentRuns {
    /// Returns the calls and times in buckets.
    pub(in crate::web) fn activity(&self, now: u64) -> Activity {
        let n_buckets = SHOWN / BUCKET;
        let first = (now / BUCKET + 1).saturating_sub(n_buckets) * BUCKET;
        let mut buckets: Vec<(Bucket, Vec<u64>)> = (0..n_buckets)
            .map(|index| (Bucket { ts: first + index * BUCKET, ..Bucket::default() }, Vec::new()))
            .collect();
        for run in &self.runs {
            let index = run.ts.checked_sub(first).and_then(|since| usize::try_from(since / BUCKET).ok());
            let Some((bucket, times)) = index.and_then(|index| buckets.get_mut(index)) else { continue };
            match run.outcome {
                Outcome::Passed => bucket.passed += 1,
                Outcome::Asked => bucket.asked += 1,
                Outcome::Denied => bucket.denied += 1,
                Outcome::Other | Outcome::OutOfTime => {}
            }
            bucket.approved += u64::from(run.is_approved);
            times.push(run.us);
        }
        let with_times = |(bucket, times): (Bucket, Vec<u64>)| {
            let times = Times::of(times);
            Bucket { p50_us: times.p50, p95_us: times.p95, ..bucket }
        };
        Activity { bucket_ms: BUCKET, buckets: buckets.into_iter().map(with_times).collect() }
    }

    /// Returns the times of all runs.
    pub(in crate::web) fn times(&self) -> Times {
        Times::of(self.runs.iter().map(|run| run.us).collect())
    }

    /// Returns how many runs the watchdog ended.
    pub(in crate::web) fn n_out_of_time(&self) -> u64 {
        self.runs.iter().filter(|run| run.outcome == Outcome::OutOfTime).count() as u64
    }

    /// Returns the times of the modules, the slowest first.
    pub(in crate::web) fn modules(&self) -> Vec<ModuleTime> {
        let mut all: BTreeMap<&str, (u64, u64, u64, u64)> = BTreeMap::new();
        for run in &self.runs {
            for (name, us) in &run.modules {
                let (n, sum, longest, _) = all.entry(name).or_default();
                (*n, *sum, *longest) = (*n + 1, *sum + us, (*longest).max(*us));
            }
            if let Some(module) = run.fault.as_ref().and_then(|fault| fault.module.as_deref())
                && let Some((.., errors)) = all.get_mut(module)
            {
                *errors += 1;
            }
        }
        let mut modules: Vec<ModuleTime> = all
            .into_iter()
            .map(|(name, (n, sum, longest_us, errors))| ModuleTime {
                name: name.to_owned(),
                n,
                mean_us: sum / n.max(1),
                longest_us,
                errors,
            })
            .collect();
        modules.sort_by_key(|it| std::cmp::Reverse(it.mean_us));
        modules
    }

    /// Returns the latest failures, the latest first.
    pub(in crate::web) fn faults(&self) -> Vec<Fault> {
        self.runs.iter().rev().filter_map(|run| run.fault.as_deref().cloned()).take(MAX_FAULTS).collect()
    }
}

impl Times {
    fn of(mut times: Vec<u64>) -> Self {
        times.sort_unstable();
        let at = |part: usize| times.get(times.len() * part / 100).or(times.last()).copied().unwrap_or(0);
        Self { n: times.len() as u64, p50: at(50), p95: at(95), longest: times.last().copied().unwrap_or(0) }
    }
}

fn modified(path: &AbsPath) -> Option<u64> {
    let at = fs::metadata(path.as_path()).ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    u64::try_from(at.as_millis()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(ts: u64, decision: &str, us: u64) -> String {
        format!(
            "{{\"v\":1,\"ts\":{ts},\"type\":\"HOOK_RUN\",\"hookRunId\":\"PreToolUse-1-{ts}\",\"data\":{{\"event\":\"PreToolUse\",\
             \"decision\":\"{decision}\",\"us\":{us},\"modules\":[{{\"name\":\"session\",\"us\":{us}}}]}}}}\n"
        )
    }

    #[test]
    fn runs_are_counted_once_however_often_the_journal_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = AbsPath::new(dir.path().join("events.jsonl")).unwrap();
        let now = 100 * BUCKET;
        let mut runs = SessionRuns::default();
        fs::write(path.as_path(), line(now - 2, "abstain", 400) + &line(now - 1, "deny", 800) + "{\"torn")
            .unwrap();
        runs.read(&path, "a");
        runs.read(&path, "a");
        let watchdog = "{\"v\":1,\"ts\":1,\"type\":\"BUDGET_EXCEEDED\",\"hookRunId\":\"x\",\"data\":{\"by\":\"watchdog\",\"budgetMs\":300}}\n";
        fs::write(path.as_path(), line(now - 2, "abstain", 400) + &line(now - 1, "deny", 800) + watchdog)
            .unwrap();
        runs.read(&path, "a");
        let recent = RecentRuns { runs: runs.runs.into() };
        assert_eq!(recent.activity(now).sums(), (1, 0, 1));
        assert_eq!((recent.n_out_of_time(), recent.faults().len()), (1, 1));
        assert_eq!(
            recent.modules()[0],
            ModuleTime { name: "session".into(), n: 2, mean_us: 600, longest_us: 800, errors: 0 }
        );
    }

    #[test]
    fn an_approved_call_is_a_saved_prompt() {
        let now = 100 * BUCKET;
        let approved = line(now, "allow", 1)
            .replace("\"us\":1,\"modules\"", "\"module\":\"approve\",\"us\":1,\"modules\"");
        let runs =
            [approved, line(now, "allow", 1)].iter().filter_map(|line| HookRun::of(line, "a")).collect();
        let activity = RecentRuns { runs }.activity(now);
        assert_eq!((activity.sums(), activity.approved()), ((2, 0, 0), 1));
    }

    #[test]
    fn buckets_cover_the_shown_time_without_gaps() {
        let activity = RecentRuns::default().activity(1_000 * BUCKET + 7);
        assert_eq!(activity.buckets.len(), 72);
        assert!(activity.buckets.windows(2).all(|pair| pair[1].ts - pair[0].ts == BUCKET));
        assert_eq!(activity.buckets[71].ts, 1_000 * BUCKET);
    }

    #[test]
    fn percentiles_of_few_values_are_values() {
        assert_eq!(Times::of(vec![3, 1, 2]), Times { n: 3, p50: 2, p95: 3, longest: 3 });
        assert_eq!(Times::of(Vec::new()), Times::default());
    }
}
