//! The tables of the index.
//!
//! A search finds text by its trigrams: the index stores which trigrams each run contains, without
//! their positions. WHY no positions: with them the index of a million runs is five times as large and
//! takes twice as long to build, and a search must check the few runs that it finds anyway.

use std::path::Path;
use std::time::Duration;

use automation::ExecutionRecord;
use rusqlite::Connection;
use store::Workspace;

/// The version of the tables; an index of another version is deleted and rebuilt.
const SCHEMA_VERSION: i64 = 3;

/// How long to wait for another process that builds the index.
const BUSY_TIMEOUT: Duration = Duration::from_mins(5);

/// Opens the database and creates its tables. Fails for tables of another version.
///
/// Does not create the folder: a process that deleted it may be deleting the workspace.
pub(super) fn connect(path: &Path) -> Result<Connection, rusqlite::Error> {
    let database = Connection::open(path)?;
    // It has the output of all runs. On a file system without permissions there is nothing to set.
    let _ = store::keep_private(path);
    database.busy_timeout(BUSY_TIMEOUT)?;
    let version: i64 = database.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    match version {
        SCHEMA_VERSION => database.execute_batch("PRAGMA synchronous = OFF;")?,
        0 => create_tables(&database)?,
        _ => return Err(rusqlite::Error::InvalidQuery),
    }
    Ok(database)
}

fn create_tables(database: &Connection) -> Result<(), rusqlite::Error> {
    // The index can be rebuilt, so it need not survive a power cut.
    database.execute_batch(
        "PRAGMA journal_mode = WAL;
         PRAGMA synchronous = OFF;
         BEGIN IMMEDIATE;
         CREATE TABLE IF NOT EXISTS journals (name TEXT PRIMARY KEY, offset INTEGER NOT NULL);
         CREATE TABLE IF NOT EXISTS archives (file TEXT PRIMARY KEY, stamp TEXT NOT NULL);
         CREATE TABLE IF NOT EXISTS hooks (
             number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
             -- Kept up with the runs: counting a million rows for every page takes a second.
             n INTEGER NOT NULL DEFAULT 0, last TEXT NOT NULL DEFAULT '');
         CREATE TABLE IF NOT EXISTS runs (
             number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, hook INTEGER NOT NULL, status TEXT NOT NULL,
             ended TEXT NOT NULL, record TEXT NOT NULL);
         CREATE INDEX IF NOT EXISTS by_end ON runs (ended);
         CREATE INDEX IF NOT EXISTS by_hook ON runs (hook);
         CREATE INDEX IF NOT EXISTS by_status ON runs (status);
         CREATE INDEX IF NOT EXISTS by_hook_and_status ON runs (hook, status);
         CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (
             hook, status, text, content='', detail=none, tokenize='trigram');
         CREATE VIRTUAL TABLE IF NOT EXISTS terms USING fts5vocab (words, instance);
         -- Bytes collected before a write: fewer segments to merge.
         INSERT INTO words (words, rank) VALUES ('hashsize', 16777216);
         CREATE TABLE IF NOT EXISTS session_journals (
             number INTEGER PRIMARY KEY, sid TEXT NOT NULL UNIQUE, name TEXT NOT NULL, offset INTEGER NOT NULL,
             calls INTEGER NOT NULL, denies INTEGER NOT NULL, asks INTEGER NOT NULL);
         CREATE TABLE IF NOT EXISTS session_runs (
             number INTEGER PRIMARY KEY, session INTEGER NOT NULL, run TEXT NOT NULL, start INTEGER NOT NULL,
             length INTEGER NOT NULL, call TEXT, stopped INTEGER NOT NULL);
         CREATE INDEX IF NOT EXISTS runs_by_start ON session_runs (session, start);
         CREATE INDEX IF NOT EXISTS runs_by_id ON session_runs (session, run);
         CREATE INDEX IF NOT EXISTS runs_by_call ON session_runs (session, call) WHERE call IS NOT NULL;
         CREATE INDEX IF NOT EXISTS stopped_runs ON session_runs (session, start) WHERE stopped;
         CREATE VIRTUAL TABLE IF NOT EXISTS session_words USING fts5 (
             text, content='', contentless_delete=1, detail=none, tokenize='trigram');
         PRAGMA user_version = 3;
         COMMIT;",
    )
}

/// Deletes the index.
pub(super) fn remove(workspace: &Workspace) {
    let path = workspace.automation_history();
    for ending in ["", "-wal", "-shm"] {
        let _ = store::remove_file(format!("{path}{ending}").as_ref());
    }
}

/// Returns the searchable text of a run.
pub(super) fn searchable_text(record: &ExecutionRecord) -> String {
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

/// Returns the marker trigram of an automation: three characters that hardly occur together in a
/// text. A run whose text contains them nevertheless is checked and dropped.
pub(super) fn marker_of_hook(number: i64) -> String {
    let digit = |at: u32| number.unsigned_abs() / 4096_u64.pow(at) % 4096;
    (0..3).rev().filter_map(|at| char::from_u32(0x4E00 + u32::try_from(digit(at)).unwrap_or(0))).collect()
}

/// Returns the marker trigram of a status.
pub(super) fn marker_of_status(status: &str) -> String {
    // The five words differ in their first two letters.
    let letter = |at: usize| u32::from(status.as_bytes().get(at).copied().unwrap_or(0));
    [0xAC00, 0xAC00 + letter(0), 0xAC00 + letter(1)].into_iter().filter_map(char::from_u32).collect()
}
