//! Somebody says where a node of the plan stands.
//!
//! Written like a run: under the lock, the journal first, the state after it.

use std::time::Duration;

use event::{AgentId, SessionId};
use serde_json::{Map, Value};
use store::{Batch, FileError, Workspace};

use super::{NodeStatus, Standing, load};
use crate::record::{self, EventRecord, LINE_FORMAT};
use crate::sitting::Sitting;
use crate::{Config, UnblockError};

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked {
    /// Where it stood before.
    pub from: NodeStatus,
    /// Where it stands now.
    pub to: NodeStatus,
}

/// Why a node could not be marked.
#[derive(Debug, thiserror::Error)]
pub enum MarkError {
    /// There is no plan.
    #[error("this session has no plan")]
    NoPlan,
    /// The plan cannot be used.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Plan(Vec<FileError>),
    /// The plan has no such node.
    #[error("the plan has no node `{0}`")]
    NoNode(String),
    /// Other nodes have to be complete first.
    #[error("`{node}` waits for {missing}")]
    Waits {
        /// The node.
        node: String,
        /// The nodes it waits for, for a sentence.
        missing: String,
    },
    /// The session cannot be written.
    #[error(transparent)]
    Session(#[from] UnblockError),
}

/// How long a person may wait for the lock.
const PATIENCE: Duration = Duration::from_secs(2);

/// Marks a node of a session's plan.
pub fn mark(
    workspace: &Workspace,
    id: SessionId,
    config: &Config,
    node: &str,
    to: NodeStatus,
) -> Result<Marked, MarkError> {
    let sitting = Sitting::of(workspace, id)?;
    let journal = sitting.journal.as_ref().ok_or(UnblockError::Busy)?;
    let held = journal.lock(PATIENCE).ok_or(UnblockError::Busy)?;
    let end = held.heal().map_err(UnblockError::Journal)?;
    let mut state = sitting.fresh_state(&held, end);
    let configured = config.section(super::MODULE).get("plan").and_then(Value::as_str);
    let current = load(workspace, &sitting.dir, &state, configured).map_err(MarkError::Plan)?;
    let standing = current.ok_or(MarkError::NoPlan)?.standing;
    let known = standing.node(node).ok_or_else(|| MarkError::NoNode(node.to_owned()))?;
    let from = standing.status(known);
    if matches!(to, NodeStatus::Active | NodeStatus::Complete) {
        let missing: Vec<String> = standing.missing(known).map(|other| format!("`{}`", other.id)).collect();
        if !missing.is_empty() {
            return Err(MarkError::Waits { node: node.to_owned(), missing: missing.join(", ") });
        }
    }
    let patch = Standing::patch(node, to);
    let now = store::now().as_millis();
    let core = &state.core;
    let record = EventRecord {
        v: LINE_FORMAT,
        ts: now,
        kind: record::PLAN_NODE.into(),
        hook_run_id: format!("plan-{}-{now}", core.last_turn_id),
        session_id: id.to_string(),
        work_id: core.work().to_string(),
        agent_id: AgentId::MAIN.to_string(),
        turn_id: core.last_turn_id,
        module: None,
        data: Map::from_iter([
            ("node".to_owned(), Value::from(node)),
            ("from".to_owned(), Value::from(from.as_str())),
            ("to".to_owned(), Value::from(to.as_str())),
            ("by".to_owned(), Value::from("plan mark")),
            ("patch".to_owned(), Value::Object(patch.clone())),
        ]),
    };
    let mut batch = Batch::default();
    record::push(&mut batch, &record);
    let end = held.append(&batch).map_err(UnblockError::Journal)?;
    state.apply(&patch);
    sitting.keep_state(&held, &state, end).map_err(UnblockError::Write)?;
    Ok(Marked { from, to })
}
