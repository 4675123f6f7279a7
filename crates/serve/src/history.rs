//! The runs that ended, searchable: an index that can be made again from the journals at any time.
//!
//! INVARIANT: nothing is known only here. A missing, foreign or broken index is thrown away
//! and made anew; a run that is read twice is one row.

use std::fs;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use automation::ExecutionRecord;
use automation::queue::{Entry, Line};
use rusqlite::{Connection, OptionalExtension, params, params_from_iter};
use store::{Timestamp, Workspace};

/// The shape of the tables; another number throws the index away.
const SHAPE: i64 = 1;

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

impl History {
    /// Opens the index and brings it up to the journals.
    pub fn open(workspace: &Workspace) -> Result<Self, HistoryError> {
        let path = workspace.automation_history();
        let failed = |source| HistoryError::Index { path: path.as_path().to_path_buf(), source };
        let database = if let Ok(database) = connect(path.as_path()) {
            database
        } else {
            for ending in ["", "-wal", "-shm"] {
                let _ = fs::remove_file(format!("{path}{ending}"));
            }
            connect(path.as_path()).map_err(failed)?
        };
        let mut history = Self { database, workspace: workspace.clone() };
        history.catch_up()?;
        Ok(history)
    }

    /// Reads what was added to the journals.
    pub fn catch_up(&mut self) -> Result<(), HistoryError> {
        let folder = self.workspace.automation_dir();
        let mut archives: Vec<PathBuf> = fs::read_dir(folder.as_path())
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                name.strip_prefix("queue-").is_some_and(|rest| rest.strip_suffix(".jsonl").is_some())
            })
            .collect();
        archives.sort();
        archives.push(self.workspace.automation_queue().as_path().to_path_buf());
        for journal in archives {
            self.read(&journal)?;
        }
        Ok(())
    }

    /// Returns the runs that fit, the latest first.
    pub fn find(&self, query: &Query) -> Result<Vec<ExecutionRecord>, HistoryError> {
        let mut sql = String::from("SELECT record FROM runs");
        let mut conditions = Vec::new();
        let mut values: Vec<String> = Vec::new();
        if let Some(grep) = &query.grep {
            if grep.chars().count() >= 3 {
                conditions.push("runs.rowid IN (SELECT rowid FROM words WHERE words MATCH ?)");
                values.push(format!("\"{}\"", grep.replace('"', "\"\"")));
            } else {
                conditions.push("instr(lower(record), lower(?)) > 0");
                values.push(grep.clone());
            }
        }
        for (condition, value) in [("hook = ?", &query.hook), ("status = ?", &query.status)] {
            if let Some(value) = value {
                conditions.push(condition);
                values.push(value.clone());
            }
        }
        if let Some(since) = query.since {
            conditions.push("ended >= ?");
            values.push(since.to_string());
        }
        if !conditions.is_empty() {
            sql.push_str(" WHERE ");
            sql.push_str(&conditions.join(" AND "));
        }
        sql.push_str(" ORDER BY ended DESC, runs.rowid DESC LIMIT ");
        sql.push_str(&query.limit.to_string());
        let found = || {
            let mut statement = self.database.prepare(&sql)?;
            let rows = statement.query_map(params_from_iter(&values), |row| row.get::<_, String>(0))?;
            rows.collect::<Result<Vec<String>, _>>()
        };
        let texts = found().map_err(|source| self.failed(source))?;
        Ok(texts.iter().filter_map(|text| serde_json::from_str(text).ok()).collect())
    }

    /// Returns how many runs are known.
    pub fn n_runs(&self) -> Result<u64, HistoryError> {
        let count = self.database.query_row("SELECT count(*) FROM runs", [], |row| row.get::<_, i64>(0));
        count.map(|n| u64::try_from(n).unwrap_or(0)).map_err(|source| self.failed(source))
    }

    /// Reads a journal from where it was read to. One that is not the journal it was begins anew.
    fn read(&mut self, journal: &Path) -> Result<(), HistoryError> {
        let failed = |source| HistoryError::Journal { path: journal.to_path_buf(), source };
        let file = match fs::File::open(journal) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            other => other.map_err(failed)?,
        };
        let mut reader = BufReader::with_capacity(1 << 20, file);
        let mut first = String::new();
        reader.read_line(&mut first).map_err(failed)?;
        // The first line names the journal: times and ids in it are nobody else's.
        let name = first.trim_end().chars().take(200).collect::<String>();
        let length = reader.get_ref().metadata().map_err(failed)?.len();
        let known =
            self.database.query_row("SELECT offset FROM journals WHERE name = ?", [&name], |row| row.get(0));
        let known: Option<i64> = known.optional().map_err(|source| self.failed(source))?;
        let offset = known.and_then(|it| u64::try_from(it).ok()).filter(|it| *it <= length).unwrap_or(0);
        if offset == length || name.is_empty() {
            return Ok(());
        }
        reader.seek(SeekFrom::Start(offset)).map_err(failed)?;
        let end = self.take(reader, offset, &name);
        end.map_err(|error| match error {
            TakeError::Database(source) => self.failed(source),
            TakeError::Read(source) => failed(source),
        })
    }

    fn take(&mut self, mut reader: impl BufRead, offset: u64, name: &str) -> Result<(), TakeError> {
        let transaction = self.database.transaction()?;
        let mut end = offset;
        {
            let mut add = transaction.prepare(
                "INSERT OR IGNORE INTO runs (id, hook, status, ended, record) VALUES (?, ?, ?, ?, ?)",
            )?;
            let mut index = transaction.prepare("INSERT INTO words (rowid, text) VALUES (?, ?)")?;
            let mut line = String::new();
            loop {
                line.clear();
                let n = reader.read_line(&mut line)?;
                if n == 0 || !line.ends_with('\n') {
                    break;
                }
                end += n as u64;
                if !line.contains("\"type\":\"finished\"") {
                    continue;
                }
                let Some(Line { entry: Entry::Finished { record }, .. }) = Line::parse(&line) else {
                    continue;
                };
                let ended = record.end_ts.as_deref().unwrap_or(&record.start_ts);
                let text = serde_json::to_string(&record).unwrap_or_default();
                let row =
                    params![record.id.as_str(), record.hook_id.as_str(), record.status.as_str(), ended, text];
                if add.execute(row)? == 1 {
                    index.execute(params![transaction.last_insert_rowid(), words(&record)])?;
                }
            }
        }
        let end = i64::try_from(end).unwrap_or(i64::MAX);
        transaction
            .execute("INSERT OR REPLACE INTO journals (name, offset) VALUES (?, ?)", params![name, end])?;
        Ok(transaction.commit()?)
    }

    fn failed(&self, source: rusqlite::Error) -> HistoryError {
        HistoryError::Index { path: self.workspace.automation_history().as_path().to_path_buf(), source }
    }
}

#[derive(Debug)]
enum TakeError {
    Database(rusqlite::Error),
    Read(std::io::Error),
}

impl From<rusqlite::Error> for TakeError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

impl From<std::io::Error> for TakeError {
    fn from(error: std::io::Error) -> Self {
        Self::Read(error)
    }
}

/// What a search looks at.
fn words(record: &ExecutionRecord) -> String {
    let error = record.error.as_ref().map(|it| format!("{} {}", it.code, it.message));
    [
        Some(record.id.as_str()),
        Some(record.hook_id.as_str()),
        Some(record.trigger.as_str()),
        record.file.as_deref(),
        error.as_deref(),
        record.logs.as_deref(),
    ]
    .into_iter()
    .flatten()
    .collect::<Vec<_>>()
    .join("\n")
}

/// Opens the database with its tables; one of another shape is an error.
fn connect(path: &Path) -> Result<Connection, rusqlite::Error> {
    if let Some(folder) = path.parent() {
        let _ = fs::create_dir_all(folder);
    }
    let database = Connection::open(path)?;
    database.busy_timeout(std::time::Duration::from_secs(10))?;
    let shape: i64 = database.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if shape != 0 && shape != SHAPE {
        return Err(rusqlite::Error::InvalidQuery);
    }
    // The index can be made again, so it need not survive a power cut in one piece.
    database.execute_batch(
        "PRAGMA journal_mode = WAL;
         PRAGMA synchronous = OFF;
         PRAGMA user_version = 1;
         CREATE TABLE IF NOT EXISTS journals (name TEXT PRIMARY KEY, offset INTEGER NOT NULL);
         CREATE TABLE IF NOT EXISTS runs (
             id TEXT NOT NULL UNIQUE, hook TEXT NOT NULL, status TEXT NOT NULL, ended TEXT NOT NULL, record TEXT NOT NULL);
         CREATE INDEX IF NOT EXISTS by_end ON runs (ended);
         CREATE INDEX IF NOT EXISTS by_hook ON runs (hook, ended);
         CREATE INDEX IF NOT EXISTS by_status ON runs (status, ended);
         CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (text, content='', tokenize='trigram');",
    )?;
    Ok(database)
}

#[cfg(test)]
mod tests {
    use automation::queue::{QueuedRun, append};
    use automation::{AutomationId, ExecutionFault, Occurrence, State, What};
    use event::AbsPath;

    use super::*;

    fn workspace() -> (tempfile::TempDir, Workspace) {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace::at(AbsPath::new(dir.path()).unwrap());
        (dir, workspace)
    }

    fn ended(workspace: &Workspace, hook: &str, millis: u64, state: State, logs: &str) {
        let at = Timestamp::from_millis(millis);
        let what = What::FileSaved { path: format!("src/{hook}.rs") };
        let run = QueuedRun::new(at, AutomationId::new(hook).unwrap(), Occurrence::new(at, what));
        let record = ExecutionRecord {
            id: run.id.clone(),
            hook_id: run.hook.clone(),
            queued_ts: at.to_string(),
            start_ts: at.to_string(),
            end_ts: Some(at.to_string()),
            status: state.status(),
            state,
            exit_code: None,
            attempts: 1,
            interruptions: 0,
            trigger: run.occurrence.what.to_string(),
            file: run.occurrence.file().map(str::to_owned),
            chain_depth: 0,
            error: (state == State::Failure)
                .then(|| ExecutionFault { code: "EXIT_CODE".into(), message: "it broke".into() }),
            logs: Some(logs.to_owned()),
        };
        append(workspace, at, [Entry::Queued { run }, Entry::Finished { record: Box::new(record) }]).unwrap();
    }

    fn hooks(history: &History, query: &Query) -> String {
        let found = history.find(&Query { limit: 100, ..query.clone() }).unwrap();
        found.iter().map(|record| record.hook_id.to_string()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn runs_are_found_by_text_hook_status_and_time_the_latest_first() {
        let (_dir, workspace) = workspace();
        ended(&workspace, "format", 1_000_000, State::Success, "two files FORMATTED");
        ended(&workspace, "review", 2_000_000, State::Failure, "50% of \"it\"");
        ended(&workspace, "format", 3_000_000, State::Success, "nothing");
        let mut history = History::open(&workspace).unwrap();
        let text = |text: &str| Query { grep: Some(text.into()), ..Query::default() };
        assert_eq!(hooks(&history, &Query::default()), "format review format");
        assert_eq!(hooks(&history, &text("formatted")), "format");
        assert_eq!(hooks(&history, &text("50% of \"it\"")), "review");
        assert_eq!(hooks(&history, &text("EXIT_CODE")), "review");
        assert_eq!(hooks(&history, &text("src/format")), "format format");
        assert_eq!(hooks(&history, &text("%")), "review", "even one sign is found");
        assert_eq!(hooks(&history, &text("absent")), "");
        assert_eq!(hooks(&history, &Query { hook: Some("review".into()), ..Query::default() }), "review");
        assert_eq!(
            hooks(&history, &Query { status: Some("success".into()), ..Query::default() }),
            "format format"
        );
        let since = Some(Timestamp::from_millis(2_000_000));
        assert_eq!(hooks(&history, &Query { since, ..text("format") }), "format");
        ended(&workspace, "late", 4_000_000, State::Success, "");
        history.catch_up().unwrap();
        assert_eq!(hooks(&history, &Query::default()), "late format review format");
    }

    #[test]
    fn an_index_that_is_gone_broken_or_foreign_is_made_anew_from_the_journals() {
        let (_dir, workspace) = workspace();
        ended(&workspace, "a", 1_000, State::Success, "x");
        drop(History::open(&workspace).unwrap());
        let file = workspace.automation_history();
        for ruin in [&b"no database at all, only some text that fills a page"[..], b""] {
            fs::write(file.as_path(), ruin).unwrap();
            assert_eq!(History::open(&workspace).unwrap().n_runs().unwrap(), 1);
        }
        Connection::open(file.as_path()).unwrap().execute_batch("PRAGMA user_version = 99").unwrap();
        assert_eq!(History::open(&workspace).unwrap().n_runs().unwrap(), 1);
    }

    #[test]
    fn a_journal_that_began_anew_is_read_once_under_both_names() {
        let (_dir, workspace) = workspace();
        ended(&workspace, "a", 1_000, State::Success, "x");
        let mut queue = automation::queue::Queue::open(&workspace).unwrap();
        let mut history = History::open(&workspace).unwrap();
        queue.rotate_beyond(Timestamp::from_millis(2_000), 1).unwrap().unwrap();
        ended(&workspace, "b", 3_000, State::Success, "x");
        history.catch_up().unwrap();
        assert_eq!(hooks(&history, &Query::default()), "b a");
    }
}
