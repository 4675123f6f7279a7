//! The search index of ended automation runs and of the runs of sessions, which can be rebuilt from the journals at any time.
//!
//! INVARIANT: the index has no information that the journals lack. A missing, foreign or corrupt index
//! is deleted and rebuilt; a run that is read twice is one row. If the disk is full or read-only, a
//! search reads the journals themselves.
//!
//! The latest run is the last one in the journal, not the one with the latest time: users can set
//! clocks.

pub(crate) mod entry_text;
mod index;
mod ingestion;
mod removal;
mod scan;
mod search;
mod session_ingestion;
mod session_search;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::PathBuf;

use automation::ExecutionRecord;
use rusqlite::{Connection, ErrorCode, OptionalExtension};
use store::{Timestamp, Workspace};

pub(crate) use session_search::{RunPlace, SessionQuery, SessionTotals};

/// The index of one workspace.
#[derive(Debug)]
pub struct History {
    database: Connection,
    workspace: Workspace,
}

/// The conditions of a search; a run must meet all that are given.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// A string in the automation's id, the file, the error or the output; ignores case.
    pub grep: Option<String>,
    /// The automation.
    pub hook: Option<String>,
    /// The final status.
    pub status: Option<String>,
    /// The earliest end.
    pub since: Option<Timestamp>,
    /// The maximum number of runs, the latest first.
    pub limit: usize,
}

/// The result of a search.
#[derive(Debug)]
pub struct Found {
    /// The runs, the latest first.
    pub runs: Vec<ExecutionRecord>,
    /// Why the search read the journals instead of the index, if it did.
    pub without_index: Option<HistoryError>,
}

/// How often an automation ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunCount {
    /// The number of its ended runs.
    pub n: u64,
    /// The end of the latest, as ISO 8601.
    pub last: String,
}

/// Why the history cannot be searched.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The index cannot be used.
    #[error("cannot open or query the history index `{}`", path.display())]
    Index {
        /// Its file.
        path: PathBuf,
        /// The database's error.
        source: rusqlite::Error,
    },
    /// A journal cannot be read.
    #[error("cannot read `{}`", path.display())]
    Journal {
        /// The journal.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
}

impl HistoryError {
    /// Returns whether the index is corrupt, so that rebuilding it helps.
    fn is_corrupt(&self) -> bool {
        let Self::Index { source, .. } = self else { return false };
        let code = source.sqlite_error_code();
        matches!(code, Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
            || matches!(source, rusqlite::Error::InvalidQuery)
    }
}

/// Searches the runs in the index or, if the index cannot be used, in the journals.
pub fn find_runs(workspace: &Workspace, query: &Query) -> Result<Found, HistoryError> {
    match History::open(workspace).and_then(|mut history| history.find(query)) {
        Ok(runs) => Ok(Found { runs, without_index: None }),
        Err(error @ HistoryError::Index { .. }) => {
            Ok(Found { runs: scan::find(workspace, query)?, without_index: Some(error) })
        }
        Err(error) => Err(error),
    }
}

/// Counts the ended runs of each automation, by its id, in the index or, if the index cannot be used, in the journals.
pub fn count_runs(workspace: &Workspace) -> Result<HashMap<String, RunCount>, HistoryError> {
    match History::open(workspace).and_then(|history| history.counts()) {
        Err(HistoryError::Index { .. }) => {
            let all = scan::find(workspace, &Query { limit: usize::MAX, ..Query::default() })?;
            let mut counts: HashMap<String, RunCount> = HashMap::new();
            // The latest comes first.
            for run in all {
                let last = run.end_ts.unwrap_or_default();
                counts.entry(run.hook_id.to_string()).or_insert(RunCount { n: 0, last }).n += 1;
            }
            Ok(counts)
        }
        counted => counted,
    }
}

impl History {
    /// Opens the index and updates it from the journals.
    pub fn open(workspace: &Workspace) -> Result<Self, HistoryError> {
        let mut history = Self::open_as_it_is(workspace)?;
        history.catch_up()?;
        Ok(history)
    }

    /// Opens the index without an update. All its files exist afterwards, until the last process closes it.
    pub(crate) fn open_as_it_is(workspace: &Workspace) -> Result<Self, HistoryError> {
        let opened = Self::connect(workspace);
        if opened.as_ref().is_err_and(HistoryError::is_corrupt) {
            index::remove(workspace);
            return Self::connect(workspace);
        }
        opened
    }

    /// Adds the runs that ended since the last update.
    pub fn catch_up(&mut self) -> Result<(), HistoryError> {
        let added = self.ingest();
        if added.as_ref().is_err_and(HistoryError::is_corrupt) {
            self.recreate()?;
            return self.ingest();
        }
        added
    }

    /// Returns the matching runs, the latest first.
    pub fn find(&mut self, query: &Query) -> Result<Vec<ExecutionRecord>, HistoryError> {
        let found = search::find(&self.database, query).map_err(|source| self.failed(source));
        if found.as_ref().is_err_and(HistoryError::is_corrupt) {
            self.recreate()?;
            self.ingest()?;
            return search::find(&self.database, query).map_err(|source| self.failed(source));
        }
        found
    }

    /// Returns the ended run with this id. Returns `None` if the index lacks it.
    pub fn run(&self, id: &str) -> Result<Option<ExecutionRecord>, HistoryError> {
        let text = self
            .database
            .query_row("SELECT record FROM runs WHERE id = ?", [id], |row| row.get::<_, String>(0));
        let text = text.optional().map_err(|source| self.failed(source))?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// Returns the number of indexed runs.
    pub fn n_runs(&self) -> Result<u64, HistoryError> {
        let count = self.database.query_row("SELECT count(*) FROM runs", [], |row| row.get::<_, i64>(0));
        count.map(|n| u64::try_from(n).unwrap_or(0)).map_err(|source| self.failed(source))
    }

    /// Returns the number of ended runs of each automation and the end of its latest.
    pub fn counts(&self) -> Result<HashMap<String, RunCount>, HistoryError> {
        let counts = || -> Result<HashMap<String, RunCount>, rusqlite::Error> {
            let sql = "SELECT id, n, last FROM hooks WHERE n > 0";
            let mut statement = self.database.prepare(sql)?;
            let rows = statement.query_map([], |row| {
                let n: i64 = row.get(1)?;
                Ok((row.get(0)?, RunCount { n: u64::try_from(n).unwrap_or(0), last: row.get(2)? }))
            })?;
            rows.collect()
        };
        counts().map_err(|source| self.failed(source))
    }

    /// Returns the file of the index.
    pub(crate) fn path(&self) -> event::AbsPath {
        self.workspace.automation_history()
    }

    fn connect(workspace: &Workspace) -> Result<Self, HistoryError> {
        let path = workspace.automation_history();
        let database = index::connect(path.as_path())
            .map_err(|source| HistoryError::Index { path: path.as_path().to_path_buf(), source })?;
        Ok(Self { database, workspace: workspace.clone() })
    }

    fn recreate(&mut self) -> Result<(), HistoryError> {
        index::remove(&self.workspace);
        *self = Self::connect(&self.workspace)?;
        Ok(())
    }

    fn failed(&self, source: rusqlite::Error) -> HistoryError {
        HistoryError::Index { path: self.workspace.automation_history().as_path().to_path_buf(), source }
    }
}
