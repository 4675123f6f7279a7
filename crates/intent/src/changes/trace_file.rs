//! The state of the trace, to which steersman only appends: a shorter one lost lines to another program.

use serde::{Deserialize, Serialize};

use crate::trace::{GitIndex, TraceLog};
use event::AbsPath;

/// The kind of file at the path of the trace.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) enum TraceFile {
    /// Nothing.
    #[default]
    Missing,
    /// A file of this length.
    Length(u64),
    /// Something else: a link, a folder.
    Other,
}

impl TraceFile {
    /// Reads the state of a workspace's trace.
    pub(super) fn of(root: &AbsPath) -> Self {
        match root.join(TraceLog::PATH).as_path().symlink_metadata() {
            Ok(meta) if meta.is_file() => Self::Length(meta.len()),
            Ok(_) => Self::Other,
            Err(_) => Self::Missing,
        }
    }

    pub(super) fn is_missing(&self) -> bool {
        *self == Self::Missing
    }

    /// Returns whether lines are gone in `later`, or another thing took the place of the file. Returns `false`
    /// for a shorter trace that git checked out with another branch.
    pub(super) fn has_lost_lines(self, later: Self, root: &AbsPath) -> bool {
        let is_less = match (self, later) {
            (_, Self::Other) => self != Self::Other,
            (Self::Length(before), Self::Length(now)) => now < before,
            (Self::Length(before), Self::Missing) => before > 0,
            _ => false,
        };
        is_less && !GitIndex::of(root).is_unchanged(root, TraceLog::PATH)
    }
}
