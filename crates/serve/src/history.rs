//! The runs that ended, searchable: an index that can be made again from the journals at any time.
//!
//! INVARIANT: nothing is known only here. A missing, foreign or broken index is thrown away
//! and made anew; a run that is read twice is one row. Where no index can be kept, because the
//! disk is full or may not be written to, the journals themselves are looked through.
//!
//! The latest run is the one that ended last in the journal: clocks can be set.

mod index;
mod intake;
mod scan;
mod search;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use automation::ExecutionRecord;
use rusqlite::{Connection, ErrorCode};
use store::{Timestamp, Workspace};

/// The index of one workspace.
#[derive(Debug)]
pub struct History {
    database: Connection,
    workspace: Workspace,
}

/// What is looked for. Everything that is given has to fit.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// A text in the automation's id, the file, the error or the output; case does not count.
    pub grep: Option<String>,
    /// The automation.
    pub hook: Option<String>,
    /// How it ended.
    pub status: Option<String>,
    /// It ended at this moment or later.
    pub since: Option<Timestamp>,
    /// At most so many, the latest first.
    pub limit: usize,
}

/// What was found.
#[derive(Debug)]
pub struct Found {
    /// The runs, the latest first.
    pub runs: Vec<ExecutionRecord>,
    /// Why the index was of no use, if the journals had to be looked through.
    pub without_index: Option<HistoryError>,
}

/// Why the history cannot be told.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The index could not be used.
    #[error("cannot use the history index `{}`", path.display())]
    Index {
        /// Its file.
        path: PathBuf,
        /// What the database said.
        source: rusqlite::Error,
    },
    /// A journal could not be read.
    #[error("cannot read `{}`", path.display())]
    Journal {
        /// The journal.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl HistoryError {
    /// Returns whether the index itself is at fault, so that a new one helps.
    fn is_ruin(&self) -> bool {
        let Self::Index { source, .. } = self else { return false };
        let code = source.sqlite_error_code();
        matches!(code, Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
            || matches!(source, rusqlite::Error::InvalidQuery)
    }
}

/// Finds the runs that fit, with the index or, where there can be none, without.
pub fn find_runs(workspace: &Workspace, query: &Query) -> Result<Found, HistoryError> {
    match History::open(workspace).and_then(|mut history| history.find(query)) {
        Ok(runs) => Ok(Found { runs, without_index: None }),
        Err(error @ HistoryError::Index { .. }) => {
            Ok(Found { runs: scan::find(workspace, query)?, without_index: Some(error) })
        }
        Err(error) => Err(error),
    }
}

impl History {
    /// Opens the index and brings it up to the journals.
    pub fn open(workspace: &Workspace) -> Result<Self, HistoryError> {
        let opened = Self::open_as_it_is(workspace);
        let opened = if opened.as_ref().is_err_and(HistoryError::is_ruin) {
            index::remove(workspace);
            Self::open_as_it_is(workspace)
        } else {
            opened
        };
        let mut history = opened?;
        history.catch_up()?;
        Ok(history)
    }

    /// Reads what was added to the journals.
    pub fn catch_up(&mut self) -> Result<(), HistoryError> {
        let taken = self.take_in();
        if taken.as_ref().is_err_and(HistoryError::is_ruin) {
            self.make_anew()?;
            return self.take_in();
        }
        taken
    }

    /// Returns the runs that fit, the latest first.
    pub fn find(&mut self, query: &Query) -> Result<Vec<ExecutionRecord>, HistoryError> {
        let found = search::find(&self.database, query).map_err(|source| self.failed(source));
        if found.as_ref().is_err_and(HistoryError::is_ruin) {
            self.make_anew()?;
            self.take_in()?;
            return search::find(&self.database, query).map_err(|source| self.failed(source));
        }
        found
    }

    /// Returns how many runs are known.
    pub fn n_runs(&self) -> Result<u64, HistoryError> {
        let count = self.database.query_row("SELECT count(*) FROM runs", [], |row| row.get::<_, i64>(0));
        count.map(|n| u64::try_from(n).unwrap_or(0)).map_err(|source| self.failed(source))
    }

    fn open_as_it_is(workspace: &Workspace) -> Result<Self, HistoryError> {
        let path = workspace.automation_history();
        let database = index::connect(path.as_path())
            .map_err(|source| HistoryError::Index { path: path.as_path().to_path_buf(), source })?;
        Ok(Self { database, workspace: workspace.clone() })
    }

    fn make_anew(&mut self) -> Result<(), HistoryError> {
        index::remove(&self.workspace);
        *self = Self::open_as_it_is(&self.workspace)?;
        Ok(())
    }

    fn failed(&self, source: rusqlite::Error) -> HistoryError {
        HistoryError::Index { path: self.workspace.automation_history().as_path().to_path_buf(), source }
    }
}
