//! The plan that is in force in a session.

use std::io;

use event::AbsPath;
use serde_json::{Map, Value};
use store::{FileError, ModuleName, SessionDir, Workspace, plain_file};

use super::kept::{KeptPlan, NodeLine, Source};
use super::{Node, NodeStatus, PlanGraph, Standing, checked_graph};
use crate::State;

/// The module whose output folder holds a plan that nobody has accepted.
pub(crate) const MODULE: &str = "planGraph-exec";

/// A plan is never larger than this; what is, is something else.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// The plan in force.
#[derive(Debug, Clone, PartialEq)]
pub struct Current {
    /// The file.
    pub path: AbsPath,
    /// What it says, and what became of it.
    pub standing: Standing,
}

/// Reads the plan in force: the accepted one, else the one the settings name, else the one in
/// the output folder of `planGraph-exec`. Nothing if there is none.
pub fn load(
    workspace: &Workspace,
    session: &SessionDir,
    state: &State,
    configured: Option<&str>,
) -> Result<Option<Current>, Vec<FileError>> {
    let Some(place) = Place::find(workspace, session, state, configured)? else { return Ok(None) };
    let Some(graph) = place.read(workspace)? else { return Ok(None) };
    Ok(Some(Current { standing: Standing::new(graph, &state.plan), path: place.path }))
}

/// Reads the plan in force as far as something needs it: of a large plan that is kept in the user's state
/// the nodes that `choose` names by their places, and those they wait for. `choose` is given the nodes and
/// where each stands.
pub(crate) fn load_part(
    workspace: &Workspace,
    session: &SessionDir,
    state: &State,
    configured: Option<&str>,
    user_state: &AbsPath,
    choose: impl FnOnce(&[NodeLine<'_>], &[NodeStatus]) -> Vec<usize>,
) -> Result<Option<Current>, Vec<FileError>> {
    let Some(place) = Place::find(workspace, session, state, configured)? else { return Ok(None) };
    let source = Source::of(&place.path);
    // Mostly there is no plan, and that has to be cheap.
    if source.is_missing && !place.is_named {
        return Ok(None);
    }
    let kept_in = &workspace.kept_plans(user_state);
    if let Some(identity) = source.identity()
        && let Some(kept) = KeptPlan::read(&place.path, identity, kept_in)
        && workspace.check_way_to(&place.path).is_ok()
        && let Some(graph) = part(&kept, state, choose)
    {
        return Ok(Some(Current { standing: Standing::new(graph, &state.plan), path: place.path }));
    }
    let Some(graph) = place.read(workspace)? else { return Ok(None) };
    source.keep(&place.path, &graph, kept_in);
    Ok(Some(Current { standing: Standing::new(graph, &state.plan), path: place.path }))
}

/// Decodes some nodes, and those they wait for.
fn part(
    kept: &KeptPlan,
    state: &State,
    choose: impl FnOnce(&[NodeLine<'_>], &[NodeStatus]) -> Vec<usize>,
) -> Option<PlanGraph> {
    let nodes = kept.nodes();
    let empty = Map::new();
    let marks = state.plan.get("nodes").and_then(Value::as_object).unwrap_or(&empty);
    let status = |node: &NodeLine<'_>| {
        let mark = if marks.is_empty() { None } else { marks.get(node.id).and_then(Value::as_str) };
        mark.and_then(NodeStatus::parse).unwrap_or_else(|| node.planned())
    };
    let statuses: Vec<NodeStatus> = nodes.iter().map(status).collect();
    let mut chosen = choose(&nodes, &statuses);
    let waited_for: Vec<usize> = chosen.iter().flat_map(|at| nodes[*at].dependencies()).collect();
    chosen.extend(waited_for);
    chosen.sort_unstable();
    chosen.dedup();
    let decoded: Option<Vec<Node>> = chosen.iter().map(|at| nodes.get(*at)?.decode()).collect();
    Some(PlanGraph { nodes: decoded?, ..PlanGraph::default() })
}

/// Where the plan in force lies.
struct Place {
    path: AbsPath,
    /// Somebody says that it is there.
    is_named: bool,
}

impl Place {
    fn find(
        workspace: &Workspace,
        session: &SessionDir,
        state: &State,
        configured: Option<&str>,
    ) -> Result<Option<Self>, Vec<FileError>> {
        let accepted = state.plan.get("currentPath").and_then(Value::as_str);
        let named = accepted.or(configured).map(|path| workspace.root().join(path));
        let is_named = named.is_some();
        let lying = || session.feature(&ModuleName::new(MODULE)?).output_file("planGraph.json");
        let Some(path) = named.or_else(lying) else { return Ok(None) };
        if path.below(workspace.root()).is_err() {
            let problem = "the plan has to lie in the workspace";
            return Err(vec![FileError::about(path.as_path(), b"", "", problem)]);
        }
        Ok(Some(Self { path, is_named }))
    }

    /// Reads and checks all of it.
    fn read(&self, workspace: &Workspace) -> Result<Option<PlanGraph>, Vec<FileError>> {
        let text = match read(workspace, &self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && !self.is_named => return Ok(None),
            Err(source) => {
                return Err(vec![FileError::Read { path: self.path.as_path().to_path_buf(), source }]);
            }
            Ok(text) => text,
        };
        checked_graph(self.path.as_path(), &text).map(Some)
    }
}

/// Reads a file that an agent wrote. What leads out of the workspace, is no file or has no
/// reasonable end is an error.
pub(crate) fn read(workspace: &Workspace, path: &AbsPath) -> io::Result<Vec<u8>> {
    let text = plain_file::read(path.as_path())?;
    workspace.check_way_to(path)?;
    if text.len() > MOST_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "has more than 4 MB"));
    }
    Ok(text)
}
