//! The report of a run that waits for the journal: its lines for the trace, the calls that it settles, and what its search
//! covered.
//!
//! A run writes its report to a file of its own, then its lines to the journal, one of which names the file, and only then
//! appends to the trace, settles the calls and removes the file. If it is killed before the journal has the report, the
//! calls are still pending, and the next event reports them again. If it is killed later, the next event applies the report.
//!
//! INVARIANT: a run locks its file before it writes the content, and no process removes a file without its lock. A file that can
//! be locked belongs to a run that has ended, or to one that notices that the file is gone and creates it again. The file's
//! name is the hash of its content.

use std::fs::File;
use std::io::{self, Read, Write};
use std::time::SystemTime;

use event::AbsPath;
use serde::{Deserialize, Serialize};
use store::{no_follow, plain_file};

use super::TraceRecord;
use crate::Coverage;

/// The content of a report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "staged-report"))]
#[serde(rename_all = "camelCase")]
pub struct StagedReportRecord {
    /// The process that wrote it: two registrations of one host report the same.
    pub process: u32,
    /// The length of the trace before any line of the report was in it.
    pub trace_length: u64,
    /// The length of the trace that the search has read; lines since then may be about the same writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_length: Option<u64>,
    /// The settled calls.
    pub calls: Vec<SettledCallRecord>,
    /// The coverage of the search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Coverage>,
}

/// A settled call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SettledCallRecord {
    /// The pending call; absent for changes of calls that were settled before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// Its lines for the trace.
    pub records: Vec<TraceRecord>,
}

/// The reports of a session that wait.
#[derive(Debug, Clone)]
pub struct StagedReports {
    folder: AbsPath,
}

/// A report that waits; no other process applies it while this value exists.
#[derive(Debug)]
pub struct StagedReport {
    /// The hash of its content.
    pub name: String,
    /// Its content.
    pub report: StagedReportRecord,
    path: AbsPath,
    /// Holds the lock.
    _file: File,
}

impl StagedReports {
    /// Stores reports in this folder, which is created for the first one.
    pub fn in_folder(folder: AbsPath) -> Self {
        Self { folder }
    }

    /// Writes a report.
    pub fn stage(&self, report: StagedReportRecord) -> io::Result<StagedReport> {
        let content = serde_json::to_vec(&report)?;
        let name = name_of(&content);
        let path = self.folder.child(&name);
        let create = || no_follow::options().read(true).write(true).create_new(true).open(path.as_path());
        let attempt = || match create() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                store::create_folder(self.folder.as_path())?;
                create()
            }
            other => other,
        };
        // Another process that completes earlier runs may remove the file before it is locked.
        let is_ours = |file: &File| file.try_lock().is_ok() && path.as_path().symlink_metadata().is_ok();
        let mut file = attempt()?;
        if !is_ours(&file) {
            file = attempt()?;
            if !is_ours(&file) {
                return Err(io::ErrorKind::WouldBlock.into());
            }
        }
        file.write_all(&content)?;
        Ok(StagedReport { name, report, path, _file: file })
    }

    /// Returns whether there is no report.
    pub fn is_empty(&self) -> bool {
        self.names().is_empty()
    }

    /// Returns the reports whose run has ended, in the order in which they were written. Removes incomplete ones.
    pub fn left_behind(&self) -> Vec<StagedReport> {
        let mut reports: Vec<_> = self.names().iter().filter_map(|name| self.take(name)).collect();
        reports.sort_by_key(|(written, _)| *written);
        reports.into_iter().map(|(_, report)| report).collect()
    }

    /// Returns the text of all reports, for a search.
    pub fn text(&self) -> String {
        let read = |name: &String| plain_file::read(self.folder.child(name).as_path()).ok();
        self.names()
            .iter()
            .filter_map(read)
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .collect()
    }

    fn names(&self) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.folder.as_path()) else { return Vec::new() };
        let name = |entry: io::Result<std::fs::DirEntry>| entry.ok()?.file_name().into_string().ok();
        entries.filter_map(name).filter(|name| is_name(name)).collect()
    }

    fn take(&self, name: &str) -> Option<(SystemTime, StagedReport)> {
        let path = self.folder.child(name);
        let mut file = no_follow::options().read(true).write(true).open(path.as_path()).ok()?;
        let meta = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
        file.try_lock().ok()?;
        let mut content = Vec::new();
        file.read_to_end(&mut content).ok()?;
        // Another process may have applied and removed it before this one got the lock.
        path.as_path().symlink_metadata().ok()?;
        let complete = || serde_json::from_slice(&content).ok().filter(|_| name_of(&content) == name);
        let Some(report) = complete() else {
            let _ = store::remove_file(path.as_path());
            return None;
        };
        Some((meta.modified().ok()?, StagedReport { name: name.to_owned(), report, path, _file: file }))
    }
}

impl StagedReport {
    /// Removes the report: it is applied, or no journal will know it.
    pub fn remove(&self) {
        // A report that cannot be removed is applied again, which changes nothing.
        let _ = store::remove_file(self.path.as_path());
    }
}

fn name_of(content: &[u8]) -> String {
    store::fingerprint([content]).short()
}

fn is_name(name: &str) -> bool {
    name.len() == 16 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn reports() -> (tempfile::TempDir, StagedReports) {
        let dir = tempfile::tempdir().unwrap();
        let reports = StagedReports::in_folder(AbsPath::new(dir.path().join("deep/reports")).unwrap());
        (dir, reports)
    }

    fn report(process: u32) -> StagedReportRecord {
        StagedReportRecord { process, ..StagedReportRecord::default() }
    }

    #[test]
    fn a_report_is_left_behind_when_its_run_has_ended() {
        let (_dir, reports) = reports();
        assert!(reports.is_empty() && reports.left_behind().is_empty());
        let staged = reports.stage(report(1)).unwrap();
        assert!(!reports.is_empty());
        assert!(reports.left_behind().is_empty(), "its run has not ended");
        drop(staged);
        let left = reports.left_behind();
        assert_eq!(left.iter().map(|it| it.report.process).collect::<Vec<_>>(), [1]);
        assert!(reports.left_behind().is_empty(), "another process applies it");
        left[0].remove();
        drop(left);
        assert!(reports.is_empty());
    }

    #[test]
    fn a_file_that_is_not_as_a_run_wrote_it_is_no_report() {
        let (_dir, reports) = reports();
        let staged = reports.stage(report(1)).unwrap();
        let path = staged.path.clone();
        drop(staged);
        let text = fs::read_to_string(path.as_path()).unwrap();
        fs::write(path.as_path(), text.replace("\"process\":1", "\"process\":2")).unwrap();
        fs::write(reports.folder.child("readme").as_path(), "x").unwrap();
        fs::create_dir(reports.folder.child("0123456789abcdef").as_path()).unwrap();
        assert!(reports.left_behind().is_empty());
        assert!(!path.as_path().exists(), "its run has ended before it was complete");
    }
}
