//! The lines of the queue's journal.

use redact::RedactedJson;
use serde::{Deserialize, Serialize};
use store::{Batch, Format, Timestamp};

use super::fold::Run;
use crate::wire::millis;
use crate::{
    AutomationId, ExecutionFault, ExecutionId, ExecutionRecord, Occurrence, OccurrenceId, Output, State,
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
    /// What it says.
    #[serde(flatten)]
    pub entry: Entry,
}

/// What a line says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Entry {
    /// The journal began anew; what was open follows.
    Rotated {
        /// How many times it did.
        number: u32,
    },
    /// Something happened; which automations it sets off is not yet known.
    Occurred {
        /// What.
        occurrence: Occurrence,
    },
    /// It is known now; the runs are among the lines written with this one.
    Matched {
        /// What had happened.
        occurrence: OccurrenceId,
        /// How many runs it led to.
        runs: u32,
    },
    /// An automation shall run.
    Queued {
        /// The run.
        run: QueuedRun,
    },
    /// A waiting run is not needed any more: a later one is about the same file.
    Replaced {
        /// The waiting run.
        run: ExecutionId,
        /// The later one.
        by: ExecutionId,
    },
    /// A try begins.
    Started {
        /// The run.
        run: ExecutionId,
        /// Which try, from 1.
        attempt: u32,
        /// The process that does it.
        process: u32,
    },
    /// A run at work reached a step.
    Entered {
        /// The run.
        run: ExecutionId,
        /// The step.
        state: State,
    },
    /// A run at work printed something, secrets taken out. Written while it works, for those who watch
    /// and for what is known of it should its process be killed; what it printed in all stands in
    /// the record of its end.
    Printed {
        /// The run.
        run: ExecutionId,
        /// Where to.
        output: Output,
        /// What, mostly whole lines.
        text: String,
    },
    /// A try failed; there will be another.
    Failed {
        /// The run.
        run: ExecutionId,
        /// Why.
        error: ExecutionFault,
        /// When the next try may begin, in milliseconds since 1970.
        #[serde(with = "millis")]
        #[cfg_attr(feature = "schema", schemars(with = "u64"))]
        retry_at: Timestamp,
    },
    /// A try was at work when its process ended; the run waits again.
    Interrupted {
        /// The run.
        run: ExecutionId,
    },
    /// Somebody wants the run stopped.
    CancelAsked {
        /// The run.
        run: ExecutionId,
    },
    /// A run ended for good.
    Finished {
        /// How.
        record: Box<ExecutionRecord>,
    },
    /// Something that grows elsewhere was read up to here, and what it said is among the lines
    /// written so far: after a kill it is neither lost nor told twice.
    Followed {
        /// What is read, such as the journal of a session.
        source: String,
        /// How far, in bytes; zero if it is not there any more.
        offset: u64,
    },
    /// An automation set itself off again and again; it does not run until a person resumes it.
    Paused {
        /// The automation.
        hook: AutomationId,
        /// What it did, as a sentence.
        why: String,
    },
    /// A person lets a paused automation run again.
    Resumed {
        /// The automation.
        hook: AutomationId,
    },
    /// A run that was open in the journal before this one, as it stood there.
    Carried {
        /// The run.
        run: Box<Run>,
    },
}

/// A run as it was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct QueuedRun {
    /// Its id.
    pub id: ExecutionId,
    /// The automation.
    pub hook: AutomationId,
    /// What set it off.
    pub occurrence: Occurrence,
    /// A run of the same occurrence that has to end first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<ExecutionId>,
}

impl QueuedRun {
    /// Asks for a run that waits for no other.
    pub fn new(now: Timestamp, hook: AutomationId, occurrence: Occurrence) -> Self {
        Self { id: ExecutionId::fresh(now), hook, occurrence, after: None }
    }

    /// Returns what makes two waiting runs the same: the automation and the file. Without a
    /// file every run is one of its own.
    pub fn subject(&self) -> Option<(&AutomationId, &str)> {
        self.occurrence.file().map(|file| (&self.hook, file))
    }
}

impl Line {
    /// The format this build writes.
    pub const FORMAT: Format = Format(1);

    /// Makes a line.
    pub const fn new(ts: Timestamp, entry: Entry) -> Self {
        Self { v: Self::FORMAT.0, ts, entry }
    }

    /// Reads a line back; one that is none of ours reads as nothing.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

/// Returns entries as lines to be appended together, their secrets taken out.
pub(super) fn batch(now: Timestamp, entries: impl IntoIterator<Item = Entry>) -> Batch {
    let mut batch = Batch::default();
    for entry in entries {
        batch.push(&redacted(&Line::new(now, entry)));
    }
    batch
}

fn redacted(line: &Line) -> RedactedJson {
    // Strings, numbers and maps with text for keys always serialize.
    redact::owned(serde_json::to_value(line).unwrap_or_default())
}
