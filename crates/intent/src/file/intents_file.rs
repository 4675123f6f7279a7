//! A file of intents that was read and found right.

use super::problem::{Invalid, Problem};
use super::{read, tree};
use crate::{Intent, IntentId};

/// The intents of a workspace.
///
/// INVARIANT: every id is there once, every intent has a scope, every pattern of it stays within
/// the workspace. A file that breaks this does not load at all.
#[derive(Debug, Clone, PartialEq)]
pub struct IntentsFile {
    /// In the order of the file.
    pub intents: Vec<Intent>,
    /// What is odd in the file but does no harm, such as keys nobody knows.
    pub warnings: Vec<Problem>,
}

impl IntentsFile {
    /// Where the file lies in a workspace.
    pub const PATH: &'static str = ".orchestration/active_intents.yaml";

    /// Reads and judges the file's bytes. Every mistake is told, not only the first.
    pub fn parse(bytes: &[u8]) -> Result<Self, Invalid> {
        let invalid = |problems| Invalid { file: Self::PATH.to_owned(), problems };
        let text = text_of(bytes).map_err(|problem| invalid(vec![problem]))?;
        let root = tree::parse(text).map_err(|problem| invalid(vec![problem]))?;
        let (intents, mut problems) = read::intents(root.as_ref());
        problems.sort_by_key(|problem| (problem.line, problem.column));
        if problems.iter().any(|problem| !problem.warning) {
            return Err(invalid(problems));
        }
        Ok(Self { intents, warnings: problems })
    }

    /// Returns the intent of this id.
    pub fn get(&self, id: &IntentId) -> Option<&Intent> {
        self.intents.iter().find(|intent| intent.id == *id)
    }

    /// Returns an intent that could be selected now, or why none of this id can.
    pub fn selectable(&self, id: &IntentId) -> Result<&Intent, NotSelectable> {
        let intent = self.get(id).ok_or_else(|| NotSelectable::Unknown {
            id: id.clone(),
            known: self.intents.iter().map(|intent| intent.id.clone()).collect(),
        })?;
        if intent.status.can_be_selected() {
            Ok(intent)
        } else {
            Err(NotSelectable::Status { id: id.clone(), status: intent.status })
        }
    }
}

/// Why an intent cannot be selected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotSelectable {
    /// There is none of this id.
    #[error("there is no intent `{id}`; there is {}", listed(known))]
    Unknown {
        /// The id.
        id: IntentId,
        /// The ids there are.
        known: Vec<IntentId>,
    },
    /// It is done, or something stands in its way.
    #[error("`{id}` is {status} and cannot be selected; {}", way_out(id, *status))]
    Status {
        /// The id.
        id: IntentId,
        /// Its state.
        status: crate::Status,
    },
}

/// Says what a person can do about it: what is done stays done, what is blocked need not.
fn way_out(id: &IntentId, status: crate::Status) -> String {
    match status.next() {
        [] => "what is done stays done: a person adds an intent for more work with `steersman intent new`"
            .to_owned(),
        [next, ..] => format!("a person can change that with `steersman intent status {id} {next}`"),
    }
}

fn listed(ids: &[IntentId]) -> String {
    let words: Vec<&str> = ids.iter().map(IntentId::as_str).collect();
    if words.is_empty() { "none at all".to_owned() } else { words.join(", ") }
}

/// Returns the text of the bytes, without a byte-order mark.
fn text_of(bytes: &[u8]) -> Result<&str, Problem> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).into_owned();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        Problem::error(super::node::At { line, column }, "this is not UTF-8").hint("save the file as UTF-8")
    })
}
