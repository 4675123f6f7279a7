//! Adds the runs of sessions to the index, from their journals.
//!
//! A row says where in the journal the lines of a run are, whether it stopped something, and which call it is about. The
//! texts stay in the journal: a page reads the lines of the few runs that it shows.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use event::{EventName, SessionId};
use rusqlite::{OptionalExtension, Transaction, TransactionBehavior, params};
use session::history::parse;
use session::{EventRecord, RecordedDecision, RunRecord};
use timeline::TimelineBuilder;

use super::ingestion::IngestError;
use super::{History, HistoryError, entry_text};

/// How many bytes of a journal's first line identify it.
const NAME_LENGTH: u64 = 200;

impl History {
    /// Reads new lines of the sessions' journals, about `max_bytes`, and removes the rows of sessions that are gone.
    /// Returns whether lines are left.
    pub(crate) fn index_sessions(&mut self, max_bytes: u64) -> Result<bool, HistoryError> {
        let ids = self.workspace.sessions().unwrap_or_default();
        self.forget_sessions(&ids).map_err(|source| self.failed(source))?;
        let mut left = max_bytes;
        for id in ids {
            left = left.saturating_sub(self.index_session(id, left)?);
            if left == 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads new lines of one journal. Returns how many bytes it read.
    fn index_session(&mut self, id: SessionId, max_bytes: u64) -> Result<u64, HistoryError> {
        let journal = self.workspace.session(id).events_file();
        let failed = |source| HistoryError::Journal { path: journal.as_path().to_path_buf(), source };
        let file = match File::open(journal.as_path()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
            other => other.map_err(failed)?,
        };
        let length = file.metadata().map_err(failed)?.len();
        let sid = id.to_string();
        let row = self.database.prepare_cached("SELECT offset FROM session_journals WHERE sid = ?");
        let offset = row.and_then(|mut it| it.query_row([&sid], |row| row.get::<_, i64>(0)).optional());
        let offset = offset.map_err(|source| self.failed(source))?;
        if offset.and_then(|it| u64::try_from(it).ok()) == Some(length) {
            return Ok(0);
        }
        let root = self.workspace.root().clone();
        let mut reader = BufReader::with_capacity(1 << 16, file);
        let add = || -> Result<u64, IngestError> {
            let mut first = Vec::new();
            Read::take(&mut reader, NAME_LENGTH).read_until(b'\n', &mut first)?;
            let name = String::from_utf8_lossy(&first).trim_end().to_owned();
            let transaction = self.database.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let start = start_of(&transaction, &sid, &name, length)?;
            reader.seek(SeekFrom::Start(start.offset))?;
            let mut rows = Rows { transaction: &transaction, session: start.number, root: root.as_path() };
            let end = read_runs(&mut reader, start.offset, max_bytes, &mut rows)?;
            let stored = i64::try_from(end).unwrap_or(i64::MAX);
            transaction
                .prepare_cached("UPDATE session_journals SET offset = ? WHERE sid = ?")?
                .execute(params![stored, sid])?;
            transaction.commit()?;
            // A journal without a whole new line must not be read again and again within this step.
            Ok((end - start.offset).max(1))
        };
        let mut add = add;
        add().map_err(|error| match error {
            IngestError::Database(source) => HistoryError::Index {
                path: self.workspace.automation_history().as_path().to_path_buf(),
                source,
            },
            IngestError::Read(source) => failed(source),
        })
    }

    fn forget_sessions(&mut self, ids: &[SessionId]) -> Result<(), rusqlite::Error> {
        let known: Vec<String> = {
            let mut known = self.database.prepare_cached("SELECT sid FROM session_journals")?;
            let rows = known.query_map([], |row| row.get(0))?;
            rows.collect::<Result<_, _>>()?
        };
        for sid in known.iter().filter(|sid| !ids.iter().any(|id| id.to_string() == **sid)) {
            let transaction = self.database.transaction_with_behavior(TransactionBehavior::Immediate)?;
            forget(&transaction, sid)?;
            transaction.commit()?;
        }
        Ok(())
    }
}

/// Where reading continues.
struct Start {
    /// The number of the session in the index.
    number: i64,
    offset: u64,
}

fn start_of(
    transaction: &Transaction<'_>,
    sid: &str,
    name: &str,
    length: u64,
) -> Result<Start, rusqlite::Error> {
    let known = transaction
        .prepare_cached("SELECT number, offset FROM session_journals WHERE sid = ? AND name = ?")?
        .query_row([sid, name], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))
        .optional()?;
    if let Some((number, offset)) = known
        && let Some(offset) = u64::try_from(offset).ok().filter(|it| *it <= length)
    {
        return Ok(Start { number, offset });
    }
    // Another journal has this name now.
    forget(transaction, sid)?;
    let add =
        "INSERT INTO session_journals (sid, name, offset, calls, denies, asks) VALUES (?, ?, 0, 0, 0, 0)";
    transaction.prepare_cached(add)?.execute([sid, name])?;
    Ok(Start { number: transaction.last_insert_rowid(), offset: 0 })
}

fn forget(transaction: &Transaction<'_>, sid: &str) -> Result<(), rusqlite::Error> {
    let of_session = "(SELECT number FROM session_journals WHERE sid = ?)";
    transaction.execute(
        &format!("DELETE FROM session_words WHERE rowid IN (SELECT number FROM session_runs WHERE session IN {of_session})"),
        [sid],
    )?;
    transaction.execute(&format!("DELETE FROM session_runs WHERE session IN {of_session}"), [sid])?;
    transaction.execute("DELETE FROM session_journals WHERE sid = ?", [sid])?;
    Ok(())
}

/// Reads lines until about `max_bytes` are read, but never ends between two lines of one run. Returns the offset behind
/// the last line.
fn read_runs(
    reader: &mut impl BufRead,
    from: u64,
    max_bytes: u64,
    rows: &mut Rows<'_, '_>,
) -> Result<u64, IngestError> {
    let (mut end, mut line) = (from, Vec::new());
    let mut group = Group { start: from, lines: Vec::new() };
    loop {
        line.clear();
        let n = reader.read_until(b'\n', &mut line)?;
        if line.last() != Some(&b'\n') {
            break;
        }
        let record = std::str::from_utf8(&line).ok().and_then(parse);
        let is_next = match (group.lines.first(), &record) {
            (Some(first), Some(record)) => first.hook_run_id != record.hook_run_id,
            (first, None) => first.is_some(),
            (None, Some(_)) => false,
        };
        if is_next {
            rows.add(&group, end)?;
            group = Group { start: end, lines: Vec::new() };
            if end - from >= max_bytes {
                return Ok(end);
            }
        }
        end += n as u64;
        let ends_run = record.as_ref().is_some_and(|record| record.kind == RunRecord::KIND);
        group.lines.extend(record);
        if ends_run {
            rows.add(&group, end)?;
            group = Group { start: end, lines: Vec::new() };
        }
    }
    rows.add(&group, end)?;
    Ok(end)
}

/// Adjacent lines of one run.
struct Group {
    start: u64,
    lines: Vec<EventRecord>,
}

/// Writes the rows of one session.
struct Rows<'t, 'c> {
    transaction: &'t Transaction<'c>,
    session: i64,
    root: &'t std::path::Path,
}

impl Rows<'_, '_> {
    fn add(&mut self, group: &Group, end: u64) -> Result<(), rusqlite::Error> {
        let Some(first) = group.lines.first() else { return Ok(()) };
        let record = group.lines.last().and_then(RunRecord::of);
        let call = record.as_ref().and_then(|it| it.tool_use_id.clone());
        let mut builder = TimelineBuilder::new(self.root, BTreeMap::new());
        for line in &group.lines {
            builder.add(line.clone());
        }
        let entries: Vec<_> = builder.finish().into_iter().flat_map(|turn| turn.entries).collect();
        let is_stopped = entries.iter().any(entry_text::is_stopped);
        self.transaction
            .prepare_cached("INSERT INTO session_runs (session, run, start, length, call, stopped) VALUES (?, ?, ?, ?, ?, ?)")?
            .execute(params![
                self.session,
                first.hook_run_id,
                i64::try_from(group.start).unwrap_or(i64::MAX),
                i64::try_from(end - group.start).unwrap_or(i64::MAX),
                call,
                is_stopped
            ])?;
        let number = self.transaction.last_insert_rowid();
        let text = entries.iter().map(entry_text::searched).collect::<Vec<_>>().join("\n");
        if !text.is_empty() {
            self.transaction
                .prepare_cached("INSERT INTO session_words (rowid, text) VALUES (?, ?)")?
                .execute(params![number, text])?;
        }
        let Some(record) = record.filter(|it| it.is_of(EventName::PreToolUse)) else { return Ok(()) };
        let (denied, asked) =
            (record.decision == RecordedDecision::Deny, record.decision == RecordedDecision::Ask);
        self.transaction
            .prepare_cached("UPDATE session_journals SET calls = calls + 1, denies = denies + ?, asks = asks + ? WHERE number = ?")?
            .execute(params![denied, asked, self.session])?;
        Ok(())
    }
}
