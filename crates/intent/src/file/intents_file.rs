//! A parsed and valid intents file.

use std::fmt;

use config_file::{Limits, Problem, Report, Source, Syntax, parse_yaml};

use super::read;
use crate::{Intent, IntentId};

/// The limits of an intents file; a larger one is an attack on the parser's stack or memory.
pub(super) const LIMITS: Limits = Limits { depth: 64, nodes: 1 << 20 };

/// The intents of a workspace.
///
/// INVARIANT: ids are unique, every intent has a scope, and every pattern stays within the workspace.
/// A file that violates this does not load at all.
#[derive(Debug, Clone, PartialEq)]
pub struct IntentsFile {
    /// The intents, in the order of the file.
    pub intents: Vec<Intent>,
    /// Harmless problems, such as unknown keys.
    pub warnings: Vec<Problem>,
}

impl IntentsFile {
    /// The path of the file in a workspace.
    pub const PATH: &'static str = ".orchestration/active_intents.yaml";

    /// Parses and checks the file's bytes. The error contains every mistake, not only the first.
    pub fn parse(bytes: &[u8]) -> Result<Self, Invalid> {
        let source = Source::decode(Self::PATH, bytes)
            .map_err(|bad| Invalid { problems: vec![bad.into_problem(Self::PATH)] })?;
        let mut report = Report::new(&source, Syntax::Yaml);
        let intents = match parse_yaml(source.text(), LIMITS) {
            Ok(root) => read::intents(root.as_ref(), &mut report),
            Err(error) => {
                report.syntax_error(error);
                Vec::new()
            }
        };
        let is_invalid = report.has_errors();
        let problems = report.into_problems();
        if is_invalid { Err(Invalid { problems }) } else { Ok(Self { intents, warnings: problems }) }
    }

    /// Returns the intent with this id.
    pub fn get(&self, id: &IntentId) -> Option<&Intent> {
        self.intents.iter().find(|intent| intent.id == *id)
    }

    /// Returns the intent with this id if it can be selected, or why it cannot.
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
    /// It does not exist.
    #[error("unknown intent `{id}` ({})", listed(known))]
    Unknown {
        /// The id.
        id: IntentId,
        /// The existing ids.
        known: Vec<IntentId>,
    },
    /// It is completed or blocked.
    #[error("cannot select `{id}`: it is {status}; hint: {}", way_out(id, *status))]
    Status {
        /// The id.
        id: IntentId,
        /// Its status.
        status: crate::Status,
    },
}

/// Returns the user's remedy: a blocked intent can be unblocked, a completed one stays completed.
fn way_out(id: &IntentId, status: crate::Status) -> String {
    match status.next() {
        [] => "have a user add another intent with `steersman intent new`; a completed one stays completed"
            .to_owned(),
        [next, ..] => format!("have a user run `steersman intent status {id} {next}`"),
    }
}

fn listed(ids: &[IntentId]) -> String {
    let words: Vec<&str> = ids.iter().map(IntentId::as_str).collect();
    if words.is_empty() { "there are no intents".to_owned() } else { format!("known: {}", words.join(", ")) }
}

/// All problems of an intents file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// At least one, in the order of the file.
    pub problems: Vec<Problem>,
}

/// Prints the specification's words, then every problem on its own line.
impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Invalid active_intents.yaml: ")?;
        for (index, problem) in self.problems.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{}", problem.brief())?;
        }
        Ok(())
    }
}

impl std::error::Error for Invalid {}
