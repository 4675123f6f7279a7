//! What came of a plan's validations, for the journal of the session they were run for.
//!
//! WHY: a node that is called done after its tests have failed is worth knowing of later; the terminal
//! the tests ran in is gone by then.

use event::{LineKind, SessionId};
use serde_json::{Map, Value, json};
use store::Workspace;

use crate::by_hand::{ByHand, ByHandError};
use crate::recorded_input::short;
use crate::sitting::Sitting;

/// One validation and what came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The node it is for.
    pub node: String,
    /// The command or sentence.
    pub validation: String,
    /// `passed`, `failed`, `refused`, `skipped`, or `read` for a sentence.
    pub result: &'static str,
    /// Whether nothing speaks against the node being done.
    pub holds: bool,
}

/// So many validations that do not hold are named.
const MOST_NAMED: usize = 20;

/// Writes down that validations were run, and which do not hold.
pub fn note_check(workspace: &Workspace, id: SessionId, checked: &[Checked]) -> Result<(), ByHandError> {
    let sitting = Sitting::of(workspace, id)?;
    let mut nodes: Vec<&str> = checked.iter().map(|it| it.node.as_str()).collect();
    nodes.dedup();
    let failing = checked.iter().filter(|it| !it.holds);
    let named = failing.clone().take(MOST_NAMED);
    let named: Vec<Value> = named
        .map(|it| json!({"node": it.node, "validation": short(&it.validation), "result": it.result}))
        .collect();
    let data = Map::from_iter([
        ("nodes".to_owned(), json!(nodes)),
        ("holds".to_owned(), Value::from(failing.clone().next().is_none())),
        ("validations".to_owned(), Value::from(checked.len())),
        ("failing".to_owned(), Value::from(failing.count())),
        ("failed".to_owned(), Value::from(named)),
    ]);
    ByHand::begin(&sitting)?.note("plan", LineKind::PlanChecked, data)?;
    Ok(())
}
