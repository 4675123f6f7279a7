//! The tables of the index.
//!
//! Text is found by its trigrams: of each run the index knows which three signs follow one
//! another somewhere in it, and nothing else. WHY no places: with them the index of a million
//! runs is five times as large and takes twice as long to make, and a search has to look at
//! the few runs that it finds anyway.

use std::fs;
use std::path::Path;
use std::time::Duration;

use automation::ExecutionRecord;
use rusqlite::Connection;
use store::Workspace;

/// The shape of the tables; another number throws the index away.
const SHAPE: i64 = 2;

/// How long another process that makes the index is waited for.
const PATIENCE: Duration = Duration::from_mins(5);

/// Opens the database with its tables; one of another shape is an error.
///
/// The folder is not made: whoever removed it may be about to remove the workspace.
pub(super) fn connect(path: &Path) -> Result<Connection, rusqlite::Error> {
    let database = Connection::open(path)?;
    database.busy_timeout(PATIENCE)?;
    let shape: i64 = database.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    match shape {
        SHAPE => database.execute_batch("PRAGMA synchronous = OFF;")?,
        0 => make(&database)?,
        _ => return Err(rusqlite::Error::InvalidQuery),
    }
    Ok(database)
}

/// Makes the tables.
fn make(database: &Connection) -> Result<(), rusqlite::Error> {
    // The index can be made again, so it need not survive a power cut in one piece.
    database.execute_batch(
        "PRAGMA journal_mode = WAL;
         PRAGMA synchronous = OFF;
         BEGIN IMMEDIATE;
         CREATE TABLE IF NOT EXISTS journals (name TEXT PRIMARY KEY, offset INTEGER NOT NULL);
         CREATE TABLE IF NOT EXISTS archives (file TEXT PRIMARY KEY, stamp TEXT NOT NULL);
         CREATE TABLE IF NOT EXISTS hooks (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE);
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
         -- How many bytes are gathered before they are written: fewer pieces to merge.
         INSERT INTO words (words, rank) VALUES ('hashsize', 16777216);
         PRAGMA user_version = 2;
         COMMIT;",
    )
}

/// Throws the index away.
pub(super) fn remove(workspace: &Workspace) {
    let path = workspace.automation_history();
    for ending in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(format!("{path}{ending}"));
    }
}

/// Returns what a search looks at.
pub(super) fn words(record: &ExecutionRecord) -> String {
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

/// Returns the sign an automation has among the trigrams: three letters that no text is likely
/// to have beside one another. One that has them all the same is looked at in vain.
pub(super) fn sign_of_hook(number: i64) -> String {
    let digit = |at: u32| number.unsigned_abs() / 4096_u64.pow(at) % 4096;
    (0..3).rev().filter_map(|at| char::from_u32(0x4E00 + u32::try_from(digit(at)).unwrap_or(0))).collect()
}

/// Returns the sign a status has among the trigrams.
pub(super) fn sign_of_status(status: &str) -> String {
    // The five words differ in their first two letters.
    let letter = |at: usize| u32::from(status.as_bytes().get(at).copied().unwrap_or(0));
    [0xAC00, 0xAC00 + letter(0), 0xAC00 + letter(1)].into_iter().filter_map(char::from_u32).collect()
}
