//! What came of a plan's validations, for the journal of the session they were run for.
//!
//! WHY: a node that is called done after its tests have failed is worth knowing of later; the terminal
//! the tests ran in is gone by then.

use std::time::Duration;

use event::{AgentId, SessionId};
use serde_json::{Map, Value, json};
use store::{Batch, Workspace};

use crate::UnblockError;
use crate::record::{self, EventRecord, LINE_FORMAT};
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

/// The type of the line.
const PLAN_CHECKED: &str = "PLAN_CHECKED";

/// So many validations that do not hold are named.
const MOST_NAMED: usize = 20;

/// How long a person may wait for the lock.
const PATIENCE: Duration = Duration::from_secs(2);

/// Writes down that validations were run, and which do not hold.
pub fn note_check(workspace: &Workspace, id: SessionId, checked: &[Checked]) -> Result<(), UnblockError> {
    let sitting = Sitting::of(workspace, id)?;
    let journal = sitting.journal.as_ref().ok_or(UnblockError::Busy)?;
    let held = journal.lock(PATIENCE).ok_or(UnblockError::Busy)?;
    let end = held.heal()?;
    let core = sitting.fresh_state(&held, end).core;
    let now = store::now().as_millis();
    let mut nodes: Vec<&str> = checked.iter().map(|it| it.node.as_str()).collect();
    nodes.dedup();
    let failing = checked.iter().filter(|it| !it.holds);
    let named = failing.clone().take(MOST_NAMED);
    let named: Vec<Value> = named
        .map(|it| json!({"node": it.node, "validation": short(&it.validation), "result": it.result}))
        .collect();
    let record = EventRecord {
        v: LINE_FORMAT,
        ts: now,
        kind: PLAN_CHECKED.into(),
        hook_run_id: format!("plan-{}-{now}", core.last_turn_id),
        session_id: id.to_string(),
        work_id: core.work().to_string(),
        agent_id: AgentId::MAIN.to_string(),
        turn_id: core.last_turn_id,
        module: None,
        data: Map::from_iter([
            ("nodes".to_owned(), json!(nodes)),
            ("holds".to_owned(), Value::from(failing.clone().next().is_none())),
            ("validations".to_owned(), Value::from(checked.len())),
            ("failing".to_owned(), Value::from(failing.count())),
            ("failed".to_owned(), Value::from(named)),
        ]),
    };
    let mut batch = Batch::default();
    record::push(&mut batch, &record);
    held.append(&batch)?;
    Ok(())
}
