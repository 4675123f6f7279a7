//! The plan that is in force in a session.

use std::io;

use event::AbsPath;
use serde_json::{Map, Value};
use session::State;
use store::{FileError, ModuleName, SessionDir, Workspace, plain_file};

use crate::cache::CachedPlan;
use crate::{Node, NodeLine, NodeStatus, PlanFile, PlanGraph, PlanProgress, checked_graph};

/// The module whose output folder may hold a plan that was not submitted for acceptance.
pub const MODULE: &str = "planGraph-exec";

/// A larger file is not a plan.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// The plan in force.
#[derive(Debug, Clone, PartialEq)]
pub struct CurrentPlan {
    /// The file.
    pub path: AbsPath,
    /// Its nodes and their status.
    pub progress: PlanProgress,
}

/// Reads the plan in force: the accepted one, else the one in the settings, else the one in the output folder of
/// `planGraph-exec`. Returns `None` if none of them exists.
pub fn load(
    workspace: &Workspace,
    session: &SessionDir,
    state: &State,
    configured: Option<&str>,
) -> Result<Option<CurrentPlan>, Vec<FileError>> {
    let Some(place) = Place::find(workspace, session, state, configured)? else { return Ok(None) };
    let Some(graph) = place.read(workspace)? else { return Ok(None) };
    Ok(Some(CurrentPlan { progress: PlanProgress::new(graph, &state.plan), path: place.path }))
}

/// Reads the needed part of the plan in force: of a large plan that is cached in the user's state, the nodes that
/// `choose` selects by index, and their dependencies. `choose` receives the nodes and the status of each.
pub fn load_part(
    workspace: &Workspace,
    session: &SessionDir,
    state: &State,
    configured: Option<&str>,
    user_state: &AbsPath,
    choose: impl FnOnce(&[NodeLine<'_>], &[NodeStatus]) -> Vec<usize>,
) -> Result<Option<CurrentPlan>, Vec<FileError>> {
    let Some(place) = Place::find(workspace, session, state, configured)? else { return Ok(None) };
    let file = PlanFile::of(&place.path);
    // Most sessions have no plan, so this case must be cheap.
    if file.is_missing && !place.is_named {
        return Ok(None);
    }
    let cache = &workspace.plan_cache_dir(user_state);
    if let Some(identity) = file.identity()
        && let Some(cached) = CachedPlan::read(&place.path, identity, cache)
        && workspace.check_way_to(&place.path).is_ok()
        && let Some(graph) = part(&cached, state, choose)
    {
        return Ok(Some(CurrentPlan { progress: PlanProgress::new(graph, &state.plan), path: place.path }));
    }
    let Some(graph) = place.read(workspace)? else { return Ok(None) };
    file.cache(&place.path, &graph, cache);
    Ok(Some(CurrentPlan { progress: PlanProgress::new(graph, &state.plan), path: place.path }))
}

/// Decodes the chosen nodes and their dependencies.
fn part(
    cached: &CachedPlan,
    state: &State,
    choose: impl FnOnce(&[NodeLine<'_>], &[NodeStatus]) -> Vec<usize>,
) -> Option<PlanGraph> {
    let nodes = cached.nodes();
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

/// The path of the plan in force.
struct Place {
    path: AbsPath,
    /// Whether the state or the settings name it.
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
        let output = || session.feature(&ModuleName::new(MODULE)?).output_file("planGraph.json");
        let Some(path) = named.or_else(output) else { return Ok(None) };
        // The output of our own module may lie in the user's state folder.
        if is_named && path.below(workspace.root()).is_err() {
            let problem = "the plan must be inside the workspace";
            return Err(vec![FileError::about(path.as_path(), b"", "", problem)]);
        }
        Ok(Some(Self { path, is_named }))
    }

    /// Reads and checks the whole file.
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

/// Reads a file that an agent wrote. Returns an error if a link leaves the workspace, or the path is not a regular
/// file, or the file is too large.
pub fn read(workspace: &Workspace, path: &AbsPath) -> io::Result<Vec<u8>> {
    let text = plain_file::read(path.as_path())?;
    workspace.check_way_to(path)?;
    if text.len() > MOST_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "larger than 4 MB"));
    }
    Ok(text)
}
