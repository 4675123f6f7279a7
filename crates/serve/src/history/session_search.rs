//! Finds runs of sessions in the index.
//!
//! INVARIANT: the trigrams may find too many runs, never too few; the page checks the entries of every run it gets.

use event::SessionId;
use rusqlite::types::Value;
use rusqlite::{OptionalExtension, Row, params, params_from_iter};

use super::search::trigrams;
use super::{History, HistoryError};

/// The conditions of a search in one session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SessionQuery {
    /// A text of at least three characters that an entry contains, in lower case; empty for any.
    pub(crate) text: String,
    /// Only runs that stopped something.
    pub(crate) only_stopped: bool,
    /// Only runs that start before this offset of the journal.
    pub(crate) before: Option<u64>,
    /// The maximum number of runs, the latest first.
    pub(crate) limit: usize,
}

/// Where the lines of a run are in its journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RunPlace {
    pub(crate) start: u64,
    pub(crate) length: u64,
}

/// The facts of the index about a session as a whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct SessionTotals {
    pub(crate) calls: u64,
    pub(crate) denies: u64,
    pub(crate) asks: u64,
    /// How much of the journal these numbers cover.
    pub(crate) offset: u64,
}

impl History {
    /// Returns the matching runs of a session, the latest first.
    pub(crate) fn session_runs(
        &self,
        id: SessionId,
        query: &SessionQuery,
    ) -> Result<Vec<RunPlace>, HistoryError> {
        let before = query.before.and_then(|it| i64::try_from(it).ok()).unwrap_or(i64::MAX);
        let mut values = vec![Value::from(id.to_string()), before.into()];
        let mut sql = String::from(
            "SELECT start, length FROM session_runs WHERE session = (SELECT number FROM session_journals WHERE sid = ?) AND start < ?",
        );
        if query.only_stopped {
            sql.push_str(" AND stopped");
        }
        if !query.text.is_empty() {
            sql.push_str(" AND number IN (SELECT rowid FROM session_words WHERE session_words MATCH ?)");
            values.push(trigrams(&query.text).into());
        }
        sql.push_str(" ORDER BY start DESC LIMIT ?");
        values.push(i64::try_from(query.limit).unwrap_or(i64::MAX).into());
        self.places(&sql, values)
    }

    // The `+` below keeps SQLite from sorting by the index `runs_by_start`, with which it would read every run of the session.

    /// Returns where the runs with this id are.
    pub(crate) fn runs_with_id(&self, id: SessionId, run: &str) -> Result<Vec<RunPlace>, HistoryError> {
        let sql = "SELECT start, length FROM session_runs WHERE session = (SELECT number FROM session_journals WHERE sid = ?) AND run = ? ORDER BY +start";
        self.places(sql, vec![id.to_string().into(), run.to_owned().into()])
    }

    /// Returns where the runs about a call are: its judgement and its result.
    pub(crate) fn runs_of_call(&self, id: SessionId, call: &str) -> Result<Vec<RunPlace>, HistoryError> {
        let sql = "SELECT start, length FROM session_runs WHERE session = (SELECT number FROM session_journals WHERE sid = ?) AND call = ? ORDER BY +start LIMIT 16";
        self.places(sql, vec![id.to_string().into(), call.to_owned().into()])
    }

    /// Returns the numbers of a session. Returns `None` if the index does not have it yet.
    pub(crate) fn session_totals(&self, id: SessionId) -> Result<Option<SessionTotals>, HistoryError> {
        let sql = "SELECT calls, denies, asks, offset FROM session_journals WHERE sid = ?";
        let found = self.database.prepare_cached(sql).and_then(|mut statement| {
            statement
                .query_row(params![id.to_string()], |row| {
                    Ok(SessionTotals {
                        calls: number(row, 0)?,
                        denies: number(row, 1)?,
                        asks: number(row, 2)?,
                        offset: number(row, 3)?,
                    })
                })
                .optional()
        });
        found.map_err(|source| self.failed(source))
    }

    fn places(&self, sql: &str, values: Vec<Value>) -> Result<Vec<RunPlace>, HistoryError> {
        let found = self.database.prepare_cached(sql).and_then(|mut statement| {
            let rows = statement.query_map(params_from_iter(values), |row| {
                Ok(RunPlace { start: number(row, 0)?, length: number(row, 1)? })
            })?;
            rows.collect::<Result<Vec<_>, _>>()
        });
        found.map_err(|source| self.failed(source))
    }
}

fn number(row: &Row<'_>, at: usize) -> Result<u64, rusqlite::Error> {
    row.get::<_, i64>(at).map(|it| u64::try_from(it).unwrap_or(0))
}
