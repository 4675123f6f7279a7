//! Sets the status of a node on behalf of a user or agent.

use event::{LineKind, SessionId};
use serde_json::{Map, Value};
use session::{ManualChange, ManualChangeError, OpenSession};
use store::{FileError, Workspace};

use crate::{NodeStatus, PlanProgress, load};

/// The change of a node's status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked {
    /// The status before.
    pub from: NodeStatus,
    /// The status now.
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
    /// Other nodes must be complete first.
    #[error("`{node}` waits for {missing}")]
    Waits {
        /// The node.
        node: String,
        /// The nodes it waits for, for a sentence.
        missing: String,
    },
    /// The session cannot be written.
    #[error(transparent)]
    Session(#[from] ManualChangeError),
}

/// Marks a node of a session's plan. `configured` is the path of the plan in the settings.
pub fn mark(
    workspace: &Workspace,
    id: SessionId,
    configured: Option<&str>,
    node: &str,
    to: NodeStatus,
) -> Result<Marked, MarkError> {
    let session = OpenSession::existing(workspace, id)?;
    let change = ManualChange::begin(&session)?;
    let current = load(workspace, &session.dir, &change.state, configured).map_err(MarkError::Plan)?;
    let progress = current.ok_or(MarkError::NoPlan)?.progress;
    let known = progress.node(node).ok_or_else(|| MarkError::NoNode(node.to_owned()))?;
    let from = progress.status(known);
    if matches!(to, NodeStatus::Active | NodeStatus::Complete) {
        let missing: Vec<String> = progress.missing(known).map(|other| format!("`{}`", other.id)).collect();
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
    change.change("plan", LineKind::PlanNode, data, &PlanProgress::patch(node, to))?;
    Ok(Marked { from, to })
}
