//! The files of a workspace that steersman itself writes, at any time and in any session, and that a scan skips: its records
//! and the trace.

use event::AbsPath;
use store::Workspace;

use super::strays;
use crate::FileSystemTime;
use crate::trace::TraceLog;

/// The files that steersman writes.
#[derive(Debug, Clone)]
pub struct OwnFiles {
    /// The folder of records below the workspace; `None` if it is elsewhere.
    records: Option<String>,
    /// The file with the workspace's selected intent.
    selection: AbsPath,
}

impl OwnFiles {
    /// Returns those of a workspace, whose layout may name another folder for records.
    pub fn of(workspace: &Workspace) -> Self {
        let records = workspace.tmp_dir().below(workspace.root()).ok();
        Self { records: records.map(|path| path.as_str().to_owned()), selection: workspace.selection_file() }
    }

    /// Returns whether a path is the trace or the folder of records.
    pub fn has(&self, path: &str) -> bool {
        path == TraceLog::PATH || self.records.as_deref() == Some(path)
    }

    /// Returns the file with the workspace's selected intent.
    pub(super) fn selection(&self) -> &AbsPath {
        &self.selection
    }

    /// Returns the entries of the folder of records that are as new as a moment and that steersman does not write, with the
    /// times of their change in nanoseconds.
    pub(super) fn strays(&self, root: &AbsPath, since: FileSystemTime) -> Vec<(String, u128)> {
        let of = |folder: &String| {
            let place = root.join(folder);
            strays::since(place.as_path(), folder, since.nanoseconds(), Workspace::is_record_name)
        };
        self.records.as_ref().map(of).unwrap_or_default()
    }
}
