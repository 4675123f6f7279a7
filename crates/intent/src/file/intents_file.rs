//! A file of intents that was read and found right.

use config_file::{Limits, Problem, Report, Source, Syntax, parse_yaml};

use super::{Invalid, read};
use crate::{Intent, IntentId};

/// No file of intents holds more; what does is an attack on the reader's stack or memory.
pub(super) const LIMITS: Limits = Limits { depth: 64, nodes: 1 << 20 };

/// The intents of a workspace.
///
/// INVARIANT: every id is there once, every intent has a scope, every pattern of it stays within
/// the workspace. A file that breaks this does not load at all.
#[derive(Debug, Clone, PartialEq)]
pub struct IntentsFile {
    /// In the order of the file.
    pub intents: Vec<Intent>,
    /// What is odd in the file but does no harm, such as unknown keys.
    pub warnings: Vec<Problem>,
}

impl IntentsFile {
    /// Where the file lies in a workspace.
    pub const PATH: &'static str = ".orchestration/active_intents.yaml";

    /// Reads and judges the file's bytes. Every mistake is in the result, not only the first.
    pub fn parse(bytes: &[u8]) -> Result<Self, Invalid> {
        let source = Source::decode(Self::PATH, bytes)
            .map_err(|bad| Invalid { problems: vec![bad.into_problem(Self::PATH)] })?;
        let mut report = Report::new(&source, Syntax::Yaml);
        let intents = match parse_yaml(source.text(), LIMITS) {
            Ok(root) => read::intents(root.as_ref(), &mut report),
            Err(fault) => {
                report.fault(fault);
                Vec::new()
            }
        };
        let is_invalid = report.has_errors();
        let problems = report.into_problems();
        if is_invalid { Err(Invalid { problems }) } else { Ok(Self { intents, warnings: problems }) }
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
