//! Somebody says where a node of the plan stands.

use event::{LineKind, SessionId};
use serde_json::{Map, Value};
use store::{FileError, Workspace};

use super::{NodeStatus, Standing, load};
use crate::Config;
use crate::by_hand::{ByHand, ByHandError};
use crate::sitting::Sitting;

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
    Session(#[from] ByHandError),
}

/// Marks a node of a session's plan.
pub fn mark(
    workspace: &Workspace,
    id: SessionId,
    config: &Config,
    node: &str,
    to: NodeStatus,
) -> Result<Marked, MarkError> {
    let sitting = Sitting::of(workspace, id)?;
    let session = ByHand::begin(&sitting)?;
    let configured = config.section(super::MODULE).get("plan").and_then(Value::as_str);
    let current = load(workspace, &sitting.dir, &session.state, configured).map_err(MarkError::Plan)?;
    let standing = current.ok_or(MarkError::NoPlan)?.standing;
    let known = standing.node(node).ok_or_else(|| MarkError::NoNode(node.to_owned()))?;
    let from = standing.status(known);
    if matches!(to, NodeStatus::Active | NodeStatus::Complete) {
        let missing: Vec<String> = standing.missing(known).map(|other| format!("`{}`", other.id)).collect();
        if !missing.is_empty() {
            return Err(MarkError::Waits { node: node.to_owned(), missing: missing.join(", ") });
        }
    }
    let data = Map::from_iter([
        ("node".to_owned(), Value::from(node)),
        ("from".to_owned(), Value::from(from.as_str())),
        ("to".to_owned(), Value::from(to.as_str())),
        ("by".to_owned(), Value::from("plan mark")),
    ]);
    session.change("plan", LineKind::PlanNode, data, &Standing::patch(node, to))?;
    Ok(Marked { from, to })
}
