//! `candidates.json`: lessons worth keeping, ranked.

use serde::{Deserialize, Serialize};

/// The lessons found in the experience of a workspace when a turn ended, the most telling first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Candidates {
    /// The format of this file; 1.
    pub version: u64,
    /// When it was made, in milliseconds since 1970.
    pub generated_ts: u64,
    /// How many sessions were looked at.
    pub sessions: u64,
    /// How many there was no time or room for, the oldest.
    pub sessions_left: u64,
    /// How many lessons there are in all.
    pub total: u64,
    /// The first of them.
    pub candidates: Vec<Candidate>,
}

/// A lesson that nobody has accepted or dropped yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    /// `m` and eight hex digits; the same lesson has the same id in every session.
    pub id: String,
    /// What sort of lesson it is.
    pub kind: LessonKind,
    /// It in one line.
    pub title: String,
    /// It in a few sentences.
    pub lesson: String,
    /// Files it is about.
    pub paths: Vec<String>,
    /// Words by which a call is known that it is about.
    pub words: Vec<String>,
    /// How often it was learned.
    pub times: u64,
    /// In how many sessions.
    pub sessions: u64,
    /// The first time, in milliseconds since 1970.
    pub first_ts: u64,
    /// The last time, in milliseconds since 1970.
    pub last_ts: u64,
    /// How telling it is: every time counts, less the longer ago and the more often in one session.
    pub score: f64,
    /// The last times, as session and run.
    pub evidence: Vec<String>,
}

/// What sort of lesson it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LessonKind {
    /// What failed, and what fixed it.
    Fix,
    /// What fails, and nothing helped.
    Failure,
    /// What is refused here, and what to do instead.
    Refusal,
    /// What a person had to say more than once, or once.
    Correction,
}

impl LessonKind {
    /// Returns its word.
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
