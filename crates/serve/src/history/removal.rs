//! Removes rotated journals that are too old or too large, and their runs from the index.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use automation::{ExecutionRecord, HistoryLimits};
use rusqlite::{OptionalExtension, Transaction, TransactionBehavior, params};

use super::index::{marker_of_hook, marker_of_status, searchable_text};
use super::ingestion::{archives, ended_run};
use super::{History, HistoryError};

impl History {
    /// Removes the rotated journals beyond the limits, the oldest first, and returns their number.
    pub fn remove_expired(&mut self, limits: HistoryLimits, now: SystemTime) -> Result<usize, HistoryError> {
        let archives: Vec<(PathBuf, fs::Metadata)> = archives(&self.workspace)
            .into_iter()
            .filter_map(|it| fs::metadata(&it).ok().map(|meta| (it, meta)))
            .collect();
        let mut bytes: u64 = archives.iter().map(|(_, meta)| meta.len()).sum();
        let mut n_removed = 0;
        for (archive, meta) in archives {
            let age = meta.modified().ok().and_then(|at| now.duration_since(at).ok()).unwrap_or_default();
            if age <= limits.max_age && bytes <= limits.max_bytes {
                break;
            }
            // First the index: after a kill in between, the next update adds the runs of the file again.
            self.forget(&archive)?;
            let failed = |source| HistoryError::Journal { path: archive.clone(), source };
            store::remove_file(&archive).map_err(failed)?;
            bytes -= meta.len();
            n_removed += 1;
        }
        Ok(n_removed)
    }

    /// Removes the runs of a rotated journal from the index.
    fn forget(&mut self, archive: &Path) -> Result<(), HistoryError> {
        let failed = |source| HistoryError::Journal { path: archive.to_path_buf(), source };
        let mut reader = BufReader::new(fs::File::open(archive).map_err(failed)?);
        let path = self.workspace.automation_history().as_path().to_path_buf();
        let broken = |source| HistoryError::Index { path: path.clone(), source };
        let transaction =
            self.database.transaction_with_behavior(TransactionBehavior::Immediate).map_err(broken)?;
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).map_err(failed)? > 0 {
            if let Some(record) = ended_run(&line) {
                remove(&transaction, &record).map_err(broken)?;
            }
            line.clear();
        }
        let file = archive.file_name().unwrap_or_default().to_string_lossy();
        transaction.execute("DELETE FROM archives WHERE file = ?", [file]).map_err(broken)?;
        transaction.commit().map_err(broken)
    }
}

/// Removes one run. The trigrams are removed by the text they were made of, since the index does not store it.
fn remove(transaction: &Transaction<'_>, record: &ExecutionRecord) -> Result<(), rusqlite::Error> {
    let known = transaction
        .prepare_cached("SELECT number, hook FROM runs WHERE id = ?")?
        .query_row([record.id.as_str()], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))
        .optional()?;
    let Some((number, hook)) = known else { return Ok(()) };
    let text = searchable_text(record) + "\n\n";
    transaction
        .prepare_cached("INSERT INTO words (words, rowid, hook, status, text) VALUES ('delete', ?, ?, ?, ?)")?
        .execute(params![number, marker_of_hook(hook), marker_of_status(record.status.as_str()), text])?;
    transaction.prepare_cached("DELETE FROM runs WHERE number = ?")?.execute([number])?;
    transaction.prepare_cached("UPDATE hooks SET n = n - 1 WHERE number = ?")?.execute([hook])?;
    Ok(())
}
