//! The lines of the queue's journal.

use std::collections::BTreeSet;

use redact::RedactedJson;
use serde::{Deserialize, Serialize};
use store::{Batch, Format, Timestamp};

use super::queue_state::Run;
use crate::serde_formats::millis;
use crate::{
    AutomationId, Chain, ExecutionFault, ExecutionId, ExecutionRecord, Occurrence, OccurrenceId,
    OutputStream, State,
};

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Line {
    /// The format of the line; 1.
    pub v: u64,
    /// When it was written, in milliseconds since 1970.
    #[serde(with = "millis")]
    #[cfg_attr(feature = "schema", schemars(with = "u64"))]
    pub ts: Timestamp,
    /// Its entry.
    #[serde(flatten)]
    pub entry: Entry,
}

/// The entry of a line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Entry {
    /// The journal was rotated; the open runs and occurrences follow.
    Rotated {
        /// The number of rotations so far.
        number: u32,
    },
    /// An occurrence that is not matched with automations yet.
    Occurred {
        /// The occurrence.
        occurrence: Occurrence,
    },
    /// An occurrence was matched; the same write contains its runs.
    Matched {
        /// The occurrence.
        occurrence: OccurrenceId,
        /// How many runs it triggered.
        runs: u32,
    },
    /// A run was queued.
    Queued {
        /// The run.
        run: QueuedRun,
    },
    /// Files were added to a pending run of a batch.
    Added {
        /// The run.
        run: ExecutionId,
        /// The files, relative to the workspace.
        files: BTreeSet<String>,
        /// Further runs that must succeed first.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        needs: Vec<ExecutionId>,
        /// The automations that led to these files.
        #[serde(default, skip_serializing_if = "Chain::is_empty")]
        chain: Chain,
    },
    /// A pending run was replaced by a later one about the same file.
    Replaced {
        /// The pending run.
        run: ExecutionId,
        /// The later one.
        by: ExecutionId,
    },
    /// An attempt starts.
    Started {
        /// The run.
        run: ExecutionId,
        /// The number of the attempt, from 1.
        attempt: u32,
        /// The id of the process that executes it.
        process: u32,
    },
    /// A running run entered a state.
    Entered {
        /// The run.
        run: ExecutionId,
        /// The state.
        state: State,
    },
    /// Redacted output of a running run. Written during the run, for commands that follow it and for
    /// the record if its process is killed; otherwise the record at its end has the whole output.
    Printed {
        /// The run.
        run: ExecutionId,
        /// The stream.
        output: OutputStream,
        /// The text, mostly whole lines.
        text: String,
    },
    /// An attempt failed and will be retried.
    Failed {
        /// The run.
        run: ExecutionId,
        /// The cause.
        error: ExecutionFault,
        /// When the next attempt may start, in milliseconds since 1970.
        #[serde(with = "millis")]
        #[cfg_attr(feature = "schema", schemars(with = "u64"))]
        retry_at: Timestamp,
    },
    /// The process of an attempt ended before the attempt; the run is pending again.
    Interrupted {
        /// The run.
        run: ExecutionId,
    },
    /// A user cancelled the run, or a later run of its automation stops it.
    CancelAsked {
        /// The run.
        run: ExecutionId,
        /// The later run.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<ExecutionId>,
    },
    /// A run ended.
    Finished {
        /// Its record.
        record: Box<ExecutionRecord>,
    },
    /// The read offset of a growing file, such as the journal of a session. The lines so far contain
    /// everything read up to it, so that a kill neither loses nor repeats an occurrence.
    Followed {
        /// The file, by a name such as that of a session.
        source: String,
        /// The offset in bytes; zero if the file was deleted.
        offset: u64,
    },
    /// An automation triggered itself again and again; it does not run until a user resumes it.
    Paused {
        /// The automation.
        hook: AutomationId,
        /// The reason, as a sentence.
        why: String,
    },
    /// A user resumed a paused automation.
    Resumed {
        /// The automation.
        hook: AutomationId,
    },
    /// An open run of the journal before the rotation, in its last state.
    Carried {
        /// The run.
        run: Box<Run>,
    },
}

/// A queued run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct QueuedRun {
    /// Its id.
    pub id: ExecutionId,
    /// The automation.
    pub hook: AutomationId,
    /// The occurrence that triggered it.
    pub occurrence: Occurrence,
    /// A run of the same occurrence that must end first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<ExecutionId>,
    /// Runs of its occurrences that must succeed first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub needs: Vec<ExecutionId>,
}

impl QueuedRun {
    /// Makes a run that does not follow another.
    pub fn new(now: Timestamp, hook: AutomationId, occurrence: Occurrence) -> Self {
        Self { id: ExecutionId::fresh(now), hook, occurrence, after: None, needs: Vec::new() }
    }

    /// Returns the runs that must end first.
    pub fn waits_for(&self) -> impl Iterator<Item = &ExecutionId> {
        self.after.iter().chain(&self.needs)
    }

    /// Returns whether the files of another run can be added: both are batches for the same reason.
    ///
    /// WHY the chains may differ: files that a person saves together would be two batches if a run of another
    /// automation ended between two of them.
    pub fn is_batch_with(&self, other: &Self) -> bool {
        let (one, two) = (&self.occurrence, &other.occurrence);
        self.hook == other.hook
            && !one.files.is_empty()
            && !two.files.is_empty()
            && one.kind.to_string() == two.kind.to_string()
            && one.round == two.round
    }

    /// Returns the automation and the file: a later run replaces a pending one with the same subject.
    /// Returns `None` for a run about no file, or about a file whose name is redacted: it may be another one.
    pub fn subject(&self) -> Option<(&AutomationId, &str)> {
        let file = self.occurrence.file().filter(|file| !file.contains(redact::REPLACEMENT));
        let file = file.filter(|_| self.occurrence.files.is_empty());
        file.map(|file| (&self.hook, file))
    }
}

impl Line {
    /// The format this build writes.
    pub const FORMAT: Format = Format(1);

    /// Makes a line.
    pub const fn new(ts: Timestamp, entry: Entry) -> Self {
        Self { v: Self::FORMAT.0, ts, entry }
    }

    /// Parses a line. Returns `None` if it is malformed.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

/// Returns entries as redacted lines to be appended in one write.
pub(super) fn batch(now: Timestamp, entries: impl IntoIterator<Item = Entry>) -> Batch {
    let mut batch = Batch::default();
    for entry in entries {
        batch.push(&redacted(&Line::new(now, entry)));
    }
    batch
}

fn redacted(line: &Line) -> RedactedJson {
    // Strings, numbers and maps with string keys always serialize.
    redact::owned(serde_json::to_value(line).unwrap_or_default())
}
