//! A plan on the terminal: each node below its dependencies, indented by its depth, with a sign for its
//! status.

use std::collections::HashMap;

use anstyle::{AnsiColor, Style};
use event::SessionId;
use plan::{Node, NodeStatus, PlanProgress};

use crate::output::table::{Cell, Column, Table};
use crate::output::{self, print, text};

/// The maximum indentation, because a terminal is narrow.
const DEEPEST: usize = 8;

/// Draws a plan.
pub(super) fn draw(session: Option<SessionId>, path: &str, progress: &PlanProgress) {
    let nodes = &progress.graph.nodes;
    let n_done = nodes.iter().filter(|node| progress.status(node) == NodeStatus::Complete).count();
    let whose = session.map_or_else(|| "no session yet".to_owned(), |session| format!("session {session}"));
    print(format_args!("{path}, {whose}: {n_done} of {} nodes complete\n", nodes.len()));
    let columns = [
        Column::whole("NODE"),
        Column::left("STATUS"),
        Column::left("WHAT"),
        Column::left("AFTER"),
        Column::left("WHERE"),
    ];
    let mut table = Table::new(columns);
    for (node, depth) in in_order(progress) {
        let (sign, word, style) = sign_and_status(progress, node);
        let indent = "  ".repeat(depth.min(DEEPEST));
        table.push([
            Cell::styled(format!("{indent}{sign} {}", text::one_line(&node.id)), style),
            Cell::styled(text::one_line(&word), style),
            Cell::from(text::one_line(&node.description)),
            Cell::from(text::one_line(&node.dependencies.join(", "))),
            Cell::from(text::one_line(&node.scopes().join(", "))),
        ]);
    }
    for line in table.lines(output::columns()) {
        print(format_args!("{line}"));
    }
}

fn sign_and_status(progress: &PlanProgress, node: &Node) -> (char, String, Style) {
    let status = progress.status(node);
    let why = node.reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
    match status {
        NodeStatus::Complete => ('✓', "done".to_owned(), AnsiColor::Green.on_default()),
        NodeStatus::Forbidden | NodeStatus::Denied => {
            ('✗', format!("{status}{why}"), AnsiColor::Red.on_default())
        }
        NodeStatus::Active | NodeStatus::Pending if !progress.is_ready(node) => {
            let missing: Vec<&str> = progress.missing(node).map(|other| other.id.as_str()).collect();
            ('…', format!("waits for {}", missing.join(", ")), Style::new().dimmed())
        }
        NodeStatus::Active => ('▶', "active".to_owned(), AnsiColor::Yellow.on_default().bold()),
        NodeStatus::Pending => ('○', "ready".to_owned(), Style::new()),
    }
}

/// Returns the nodes, each after its dependencies, with the length of the longest chain to it. Independent
/// nodes keep the order of the plan.
fn in_order(progress: &PlanProgress) -> Vec<(&Node, usize)> {
    let nodes = &progress.graph.nodes;
    let place: HashMap<&str, usize> =
        nodes.iter().enumerate().map(|(at, node)| (node.id.as_str(), at)).collect();
    let mut depths: Vec<Option<usize>> = vec![None; nodes.len()];
    let mut order = Vec::with_capacity(nodes.len());
    for start in 0..nodes.len() {
        // Depth first with an explicit stack: a plan may be one long chain.
        let mut stack = vec![(start, 0)];
        while let Some((at, next)) = stack.pop() {
            if depths[at].is_some() {
                continue;
            }
            let dependencies = &nodes[at].dependencies;
            match dependencies.get(next).and_then(|id| place.get(id.as_str())) {
                Some(other) if depths[*other].is_none() && stack.len() <= nodes.len() => {
                    stack.push((at, next + 1));
                    stack.push((*other, 0));
                }
                _ if next < dependencies.len() => stack.push((at, next + 1)),
                _ => {
                    let of = |id: &String| depths[*place.get(id.as_str())?];
                    depths[at] = Some(dependencies.iter().filter_map(of).max().map_or(0, |depth| depth + 1));
                    order.push((&nodes[at], depths[at].unwrap_or(0)));
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan::PlanGraph;

    fn order(nodes: &[(&str, &[&str])]) -> Vec<(String, usize)> {
        let nodes = nodes.iter().map(|(id, waits)| Node {
            id: (*id).into(),
            dependencies: waits.iter().map(|it| (*it).into()).collect(),
            ..Node::default()
        });
        let progress = PlanProgress::new(
            PlanGraph { nodes: nodes.collect(), ..PlanGraph::default() },
            &serde_json::Map::new(),
        );
        in_order(&progress).into_iter().map(|(node, depth)| (node.id.clone(), depth)).collect()
    }

    #[test]
    fn a_node_comes_after_its_dependencies() {
        let told = order(&[("ship", &["ui", "api"]), ("ui", &["api"]), ("api", &[]), ("docs", &[])]);
        let told: Vec<(&str, usize)> = told.iter().map(|(id, depth)| (id.as_str(), *depth)).collect();
        assert_eq!(told, [("api", 0), ("ui", 1), ("ship", 2), ("docs", 0)]);
    }
}
