//! Records the results of a plan's validations in the session's journal.
//!
//! WHY: a reader of the journal must see that a node was marked complete although its tests failed; the output in the
//! terminal is gone by then.

use event::{LineKind, SessionId};
use serde_json::{Map, Value, json};
use session::recorded_input::short;
use session::{ManualChange, ManualChangeError, OpenSession};
use store::Workspace;

/// The result of one validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidationResult {
    /// The node that it validates.
    pub node: String,
    /// The command or sentence.
    pub validation: String,
    /// `passed`, `failed`, `refused`, `skipped`, or `read` for a sentence.
    pub result: &'static str,
    /// Whether the result permits the node to be complete.
    pub holds: bool,
}

/// The record lists at most this many failing validations.
const MOST_NAMED: usize = 20;

/// Records that validations ran, and which of them fail.
pub fn record_validations(
    workspace: &Workspace,
    id: SessionId,
    results: &[ValidationResult],
) -> Result<(), ManualChangeError> {
    let session = OpenSession::existing(workspace, id)?;
    let mut nodes: Vec<&str> = results.iter().map(|it| it.node.as_str()).collect();
    nodes.dedup();
    let failing = results.iter().filter(|it| !it.holds);
    let named = failing.clone().take(MOST_NAMED);
    let named: Vec<Value> = named
        .map(|it| json!({"node": it.node, "validation": short(&it.validation), "result": it.result}))
        .collect();
    let data = Map::from_iter([
        ("nodes".to_owned(), json!(nodes)),
        ("holds".to_owned(), Value::from(failing.clone().next().is_none())),
        ("validations".to_owned(), Value::from(results.len())),
        ("failing".to_owned(), Value::from(failing.count())),
        ("failed".to_owned(), Value::from(named)),
    ]);
    ManualChange::begin(&session)?.note("plan", LineKind::PlanChecked, data)?;
    Ok(())
}
