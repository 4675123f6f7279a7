//! A temporary workspace, and entries for its queue.

use automation::queue::{Entry, QueuedRun};
use automation::{AutomationId, ExecutionFault, Occurrence, OccurrenceKind};
use event::AbsPath;
use store::{Timestamp, Workspace};

/// A workspace in a temporary folder.
pub(crate) struct Place {
    _dir: tempfile::TempDir,
    pub(crate) workspace: Workspace,
}

pub(crate) fn place() -> Place {
    let dir = tempfile::tempdir().unwrap();
    let workspace = Workspace::at(AbsPath::new(dir.path()).unwrap());
    Place { _dir: dir, workspace }
}

pub(crate) fn at(millis: u64) -> Timestamp {
    Timestamp::from_millis(1_740_700_000_000 + millis)
}

pub(crate) fn id(text: &str) -> AutomationId {
    AutomationId::new(text).unwrap()
}

pub(crate) fn saved(path: &str) -> Occurrence {
    Occurrence::new(at(0), OccurrenceKind::FileSaved { path: path.to_owned() })
}

pub(crate) fn run(hook: &str, path: &str) -> QueuedRun {
    QueuedRun::new(at(0), id(hook), saved(path))
}

pub(crate) fn queued(run: &QueuedRun) -> Entry {
    Entry::Queued { run: run.clone() }
}

pub(crate) fn started(run: &QueuedRun, attempt: u32) -> Entry {
    Entry::Started { run: run.id.clone(), attempt, process: 1 }
}

pub(crate) fn fault() -> ExecutionFault {
    ExecutionFault { code: "EXIT".into(), message: "it ended with 1".into() }
}
