//! `candidates.json`: ranked lessons that a user may accept.

use serde::{Deserialize, Serialize};

/// The lessons found in the experience of a workspace when a turn ended, the highest score first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Candidates {
    /// The format of this file; 1.
    pub version: u64,
    /// When the file was generated, in milliseconds since 1970.
    pub generated_ts: u64,
    /// How many sessions were read.
    pub sessions: u64,
    /// How many sessions, the oldest, were skipped for lack of time or room.
    pub sessions_left: u64,
    /// How many lessons were found.
    pub total: u64,
    /// The highest ranked lessons.
    pub candidates: Vec<Candidate>,
}

/// A lesson that no user has accepted or dropped yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    /// `m` and eight hex digits; the same lesson has the same id in every session.
    pub id: String,
    /// The kind of lesson.
    pub kind: LessonKind,
    /// The lesson in one line.
    pub title: String,
    /// The lesson in a few sentences.
    pub lesson: String,
    /// Files the lesson is about.
    pub paths: Vec<String>,
    /// Words that identify the calls the lesson is about.
    pub words: Vec<String>,
    /// How often it was learned.
    pub times: u64,
    /// In how many sessions.
    pub sessions: u64,
    /// The first time, in milliseconds since 1970.
    pub first_ts: u64,
    /// The last time, in milliseconds since 1970.
    pub last_ts: u64,
    /// The score: each occurrence counts, less the older it is and the more often it occurs in one
    /// session.
    pub score: f64,
    /// The latest occurrences, as session and run.
    pub evidence: Vec<String>,
}

/// The kind of a lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LessonKind {
    /// A command that failed, and its fix.
    Fix,
    /// A command that fails, without a known fix.
    Failure,
    /// A refused call, and what to do instead.
    Refusal,
    /// A correction by the user.
    Correction,
}

impl LessonKind {
    /// Returns the name used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Fix => "fix",
            Self::Failure => "failure",
            Self::Refusal => "refusal",
            Self::Correction => "correction",
        }
    }
}

impl Candidates {
    /// The format this build writes.
    pub const FORMAT: u64 = 1;

    /// The name of the file in the module's output folder.
    pub const FILE: &'static str = "candidates.json";
}
