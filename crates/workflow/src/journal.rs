//! The journal of one run, written step by step and read to resume the run.

use std::fs;
use std::time::Duration;

use event::AbsPath;
use store::{Batch, Journal, JournalError, Timestamp, Workspace};

use crate::record::{LINE_FORMAT, NextWire, ProgressWire, RecordWire, RunRecord, RunResult};
use crate::run_id::RunId;

/// The journal of a run.
#[derive(Debug)]
pub struct RunJournal {
    journal: Journal,
}

/// The content of a run's journal.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSummary {
    /// The run's id.
    pub id: RunId,
    /// When the run started.
    pub started: Timestamp,
    /// The task.
    pub task: String,
    /// The journal's lines.
    pub records: Vec<RecordWire>,
    /// How the run ended; `None` if its process ended before the run did.
    pub result: Option<RunResult>,
    /// Whether a newer build wrote the journal.
    pub is_newer: bool,
}

impl RunJournal {
    /// Opens the journal of a run, creating it if it does not exist.
    pub(crate) fn open(workspace: &Workspace, id: &RunId) -> Result<Self, JournalError> {
        let path = workspace.agent_run_file(id.as_str());
        Ok(Self { journal: Journal::create(&path)? })
    }

    /// Locks the journal. Returns `None` at once if another process holds it.
    pub(crate) fn hold(&self) -> Option<store::JournalLock<'_>> {
        self.journal.lock(Duration::ZERO)
    }
}

/// Appends one redacted line.
pub(crate) fn append(held: &store::JournalLock<'_>, record: RunRecord) -> Result<(), JournalError> {
    let wire = RecordWire { v: LINE_FORMAT, ts: store::now().as_millis(), record };
    let mut batch = Batch::default();
    batch.push(&redact::owned(serde_json::to_value(&wire).unwrap_or_default()));
    held.append(&batch).map(|_| ())
}

/// Returns the runs of a workspace, newest first.
pub fn runs(workspace: &Workspace) -> Vec<RunSummary> {
    let entries = fs::read_dir(workspace.agent_runs_dir().as_path());
    let names =
        entries.into_iter().flatten().flatten().map(|it| it.file_name().to_string_lossy().into_owned());
    let mut ids: Vec<RunId> = names.filter_map(|it| RunId::parse(it.strip_suffix(".jsonl")?)).collect();
    ids.sort();
    ids.into_iter().rev().filter_map(|id| read(workspace, id)).collect()
}

/// Reads the journal of a run, without a torn last line.
pub(crate) fn read(workspace: &Workspace, id: RunId) -> Option<RunSummary> {
    let path: AbsPath = workspace.agent_run_file(id.as_str());
    let text = store::read_lines(&path, 0).ok()?;
    let mut is_newer = false;
    let mut records = Vec::new();
    for line in text.lines() {
        match serde_json::from_str::<RecordWire>(line) {
            Ok(record) if record.v <= LINE_FORMAT => records.push(record),
            Ok(_) => is_newer = true,
            Err(_) => {
                let version =
                    serde_json::from_str::<serde_json::Value>(line).ok().and_then(|it| it["v"].as_u64());
                is_newer |= version.is_some_and(|it| it > LINE_FORMAT);
            }
        }
    }
    let (task, started) = records.iter().find_map(|it| match &it.record {
        RunRecord::RunStarted { task, .. } => Some((task.clone(), it.ts)),
        _ => None,
    })?;
    let result = records.iter().rev().find_map(|it| match &it.record {
        RunRecord::RunEnded { result, .. } => Some(Some(*result)),
        RunRecord::StepStarted { .. } | RunRecord::RunResumed { .. } => Some(None),
        _ => None,
    });
    Some(RunSummary {
        id,
        started: Timestamp::from_millis(started),
        task,
        records,
        result: result.flatten(),
        is_newer,
    })
}

impl RunSummary {
    /// Returns whether the run has steps left.
    pub fn is_resumable(&self) -> bool {
        !self.is_newer && !matches!(self.result, Some(RunResult::Complete | RunResult::Failed))
    }

    /// Returns the progress and the next step that the last finished step recorded.
    pub(crate) fn last_progress(&self) -> Option<(&ProgressWire, &NextWire)> {
        self.records.iter().rev().find_map(|it| match &it.record {
            RunRecord::StepEnded { progress, next, .. } => Some((progress, next)),
            _ => None,
        })
    }
}
