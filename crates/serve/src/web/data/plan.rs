//! Fills the page about the plan.

use page::view::{Plan, PlanNode};
use plan::{CurrentPlan, Node, PlanProgress};
use project_config::Config;
use session::history;

use super::super::Web;

/// Returns the plan of the latest session that has one.
pub(in crate::web) fn plan(web: &Web) -> Plan {
    let ts = store::now().as_millis();
    let config = Config::load(&web.workspace).unwrap_or_default();
    let configured = config.section(plan::MODULE).get("plan").and_then(|plan| plan.as_str());
    for overview in history::overviews(&web.workspace).unwrap_or_default() {
        let folder = web.workspace.session(overview.id);
        let Ok(state) = history::snapshot(&folder) else { continue };
        let session = Some(overview.id.to_string());
        match plan::load(&web.workspace, &folder, &state, configured) {
            Ok(None) => {}
            Ok(Some(current)) => {
                web.shown_plan.set(Some(current.path.clone()));
                return of(web, &current, session, ts);
            }
            Err(problems) => {
                web.shown_plan.set(configured.map(|plan| web.workspace.root().join(plan)));
                let problems = problems.iter().map(ToString::to_string).collect();
                return Plan { ts, session, problems, ..Plan::default() };
            }
        }
    }
    Plan { ts, ..Plan::default() }
}

fn of(web: &Web, current: &CurrentPlan, session: Option<String>, ts: u64) -> Plan {
    let path = current
        .path
        .below(web.workspace.root())
        .map_or_else(|_| current.path.to_string(), |it| it.to_string());
    let nodes = current.progress.graph.nodes.iter().map(|node| view(&current.progress, node)).collect();
    Plan { ts, session, path, problems: Vec::new(), nodes }
}

fn view(progress: &PlanProgress, node: &Node) -> PlanNode {
    PlanNode {
        id: node.id.clone(),
        description: node.description.clone(),
        status: progress.status(node).as_str().to_owned(),
        ready: progress.is_ready(node),
        dependencies: node.dependencies.clone(),
        waits_for: progress.missing(node).map(|it| it.id.clone()).collect(),
        scope: node.scopes().to_vec(),
        validations: node.validations.clone(),
        reason: node.reason.clone(),
    }
}
