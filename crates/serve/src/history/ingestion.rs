//! Adds ended runs from the journals to the index.

use std::fs;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use automation::ExecutionRecord;
use automation::queue::{Entry, Line};
use rusqlite::{OptionalExtension, Transaction, TransactionBehavior, params};
use store::Workspace;

use super::index::{marker_of_hook, marker_of_status, searchable_text};
use super::{History, HistoryError};

/// How many bytes of a journal's first line identify it.
const NAME_LENGTH: u64 = 200;

impl History {
    /// Reads the new lines of all journals, the oldest journal first.
    pub(super) fn ingest(&mut self) -> Result<(), HistoryError> {
        for archive in archives(&self.workspace) {
            let Some(stamp) = stamp(&archive) else { continue };
            let file = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let known =
                self.database.query_row("SELECT stamp FROM archives WHERE file = ?", [&file], |row| {
                    row.get::<_, String>(0)
                });
            let known = known.optional().map_err(|source| self.failed(source))?;
            // Archives do not change.
            if known.as_ref() == Some(&stamp) {
                continue;
            }
            self.read(&archive)?;
            let row = params![file, stamp];
            let written =
                self.database.execute("INSERT OR REPLACE INTO archives (file, stamp) VALUES (?, ?)", row);
            written.map_err(|source| self.failed(source))?;
        }
        let journal = self.workspace.automation_queue();
        self.read(journal.as_path())
    }

    /// Reads a journal from its stored offset; a journal with another first line is read from its start.
    fn read(&mut self, journal: &Path) -> Result<(), HistoryError> {
        let failed = |source| HistoryError::Journal { path: journal.to_path_buf(), source };
        let file = match fs::File::open(journal) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            other => other.map_err(failed)?,
        };
        let length = file.metadata().map_err(failed)?.len();
        let mut reader = BufReader::with_capacity(1 << 16, file);
        // The first line identifies the journal: its times and ids are unique.
        let mut first = Vec::new();
        std::io::Read::take(&mut reader, NAME_LENGTH).read_until(b'\n', &mut first).map_err(failed)?;
        let name = String::from_utf8_lossy(&first).trim_end().to_owned();
        if name.is_empty() || self.is_read(&name, length)? {
            return Ok(());
        }
        self.add_lines(&mut reader, length, &name).map_err(|error| match error {
            IngestError::Database(source) => self.failed(source),
            IngestError::Read(source) => failed(source),
        })
    }

    fn is_read(&self, name: &str, length: u64) -> Result<bool, HistoryError> {
        let offset = offset(&self.database, name).map_err(|source| self.failed(source))?;
        Ok(offset == Some(length))
    }

    fn add_lines(
        &mut self,
        reader: &mut (impl BufRead + Seek),
        length: u64,
        name: &str,
    ) -> Result<(), IngestError> {
        // Immediate: no two processes read the same lines.
        let transaction = self.database.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut end = offset(&transaction, name)?.filter(|it| *it <= length).unwrap_or(0);
        reader.seek(SeekFrom::Start(end))?;
        let mut line = Vec::new();
        loop {
            line.clear();
            let n = reader.read_until(b'\n', &mut line)?;
            if line.last() != Some(&b'\n') {
                break;
            }
            end += n as u64;
            if let Some(record) = ended_run(&line) {
                add(&transaction, &record)?;
            }
        }
        let end = i64::try_from(end).unwrap_or(i64::MAX);
        transaction
            .execute("INSERT OR REPLACE INTO journals (name, offset) VALUES (?, ?)", params![name, end])?;
        Ok(transaction.commit()?)
    }
}

#[derive(Debug)]
pub(super) enum IngestError {
    Database(rusqlite::Error),
    Read(std::io::Error),
}

impl From<rusqlite::Error> for IngestError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

impl From<std::io::Error> for IngestError {
    fn from(error: std::io::Error) -> Self {
        Self::Read(error)
    }
}

/// Returns the archived journals, the oldest first.
pub(super) fn archives(workspace: &Workspace) -> Vec<PathBuf> {
    let entries = fs::read_dir(workspace.automation_dir().as_path()).into_iter().flatten().flatten();
    let is_archive = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        name.strip_prefix("queue-").is_some_and(|rest| rest.strip_suffix(".jsonl").is_some())
    };
    let mut archives: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_archive).collect();
    archives.sort();
    archives
}

/// Returns the record of the run that ended, if the line has one.
pub(super) fn ended_run(line: &[u8]) -> Option<Box<ExecutionRecord>> {
    let text = std::str::from_utf8(line).ok()?;
    // Skips parsing for the other lines, four of five.
    if !text.contains("\"type\":\"finished\"") {
        return None;
    }
    match Line::parse(text)?.entry {
        Entry::Finished { record } => Some(record),
        _ => None,
    }
}

/// Returns the end of a run as a sortable string.
pub(super) fn end_of(record: &ExecutionRecord) -> &str {
    record.end_ts.as_deref().unwrap_or(&record.start_ts)
}

fn add(transaction: &Transaction<'_>, record: &ExecutionRecord) -> Result<(), rusqlite::Error> {
    let hook = number_of(transaction, record.hook_id.as_str())?;
    let mut add = transaction.prepare_cached(
        "INSERT OR IGNORE INTO runs (id, hook, status, ended, record) VALUES (?, ?, ?, ?, ?)",
    )?;
    let text = serde_json::to_string(record).unwrap_or_default();
    let row = params![record.id.as_str(), hook, record.status.as_str(), end_of(record), text];
    if add.execute(row)? == 1 {
        let mut index = transaction
            .prepare_cached("INSERT INTO words (rowid, hook, status, text) VALUES (?, ?, ?, ?)")?;
        // Two more characters, so that even the last one starts a trigram.
        let text = searchable_text(record) + "\n\n";
        let signs = (marker_of_hook(hook), marker_of_status(record.status.as_str()));
        index.execute(params![transaction.last_insert_rowid(), signs.0, signs.1, text])?;
        transaction
            .prepare_cached("UPDATE hooks SET n = n + 1, last = max(last, ?) WHERE number = ?")?
            .execute(params![end_of(record), hook])?;
    }
    Ok(())
}

/// Returns the number of an automation and assigns one to a new automation.
fn number_of(transaction: &Transaction<'_>, id: &str) -> Result<i64, rusqlite::Error> {
    let mut known = transaction.prepare_cached("SELECT number FROM hooks WHERE id = ?")?;
    if let Some(number) = known.query_row([id], |row| row.get(0)).optional()? {
        return Ok(number);
    }
    transaction.execute("INSERT INTO hooks (id) VALUES (?)", [id])?;
    Ok(transaction.last_insert_rowid())
}

/// Returns the stored read offset of a journal.
fn offset(database: &rusqlite::Connection, name: &str) -> Result<Option<u64>, rusqlite::Error> {
    let known = database.query_row("SELECT offset FROM journals WHERE name = ?", [name], |row| row.get(0));
    Ok(known.optional()?.and_then(|it: i64| u64::try_from(it).ok()))
}

/// Returns the length and time of an archive, by which a known one need not be opened.
fn stamp(archive: &Path) -> Option<String> {
    let meta = fs::metadata(archive).ok()?;
    let written = meta.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(format!("{} {}", meta.len(), written.as_nanos()))
}
