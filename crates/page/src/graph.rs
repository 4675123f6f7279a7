//! A plan as a graph: every node in the column behind its dependencies.

use std::collections::HashMap;

use maud::{Markup, html};

use crate::view::PlanNode;

const WIDTH: usize = 170;
const HEIGHT: usize = 46;
const GAP: usize = 50;
const ROW: usize = 60;
/// How many characters of a name fit.
const SHOWN: usize = 20;

/// Draws the nodes with an edge from every dependency.
pub(crate) fn graph(nodes: &[PlanNode]) -> Markup {
    let places = places(nodes);
    let columns = places.values().map(|(column, _)| column + 1).max().unwrap_or(0);
    let rows = places.values().map(|(_, row)| row + 1).max().unwrap_or(0);
    let (width, height) = (columns * (WIDTH + GAP), rows * ROW + 4);
    let n_complete = nodes.iter().filter(|it| it.status == "complete").count();
    html! {
        svg.graph width=(width) height=(height) role="img" viewBox={ "0 0 " (width) " " (height) }
            aria-label={ "The plan as a graph, " (n_complete) " of " (nodes.len()) " nodes complete; the table below lists them" } {
            @for node in nodes {
                @for edge in node.dependencies.iter().filter_map(|id| edge(&places, id, &node.id)) { path.edge d=(edge) {} }
            }
            @for node in nodes {
                @if let Some((x, y)) = corner(&places, &node.id) {
                    g {
                        title { (node.id) ": " (node.description) " (" (node.status) ")" }
                        rect class={ "node " (node_style(&node.status)) } x=(x) y=(y) width=(WIDTH) height=(HEIGHT) rx="8" {}
                        text x=(x + 12) y=(y + 20) { (short(&node.id)) }
                        text.state x=(x + 12) y=(y + 36) { (node.status) }
                    }
                }
            }
        }
    }
}

/// Returns the style of a node's status.
pub(crate) fn node_style(status: &str) -> &'static str {
    match status {
        "complete" => "good",
        "active" => "ask",
        "forbidden" | "denied" => "deny",
        _ => "",
    }
}

/// Returns the column and the row of every node. A node whose dependencies form a circle stays in the first column.
fn places(nodes: &[PlanNode]) -> HashMap<&str, (usize, usize)> {
    let mut columns: HashMap<&str, usize> = nodes.iter().map(|node| (node.id.as_str(), 0)).collect();
    // A path has at most as many edges as there are nodes.
    for _ in 0..nodes.len() {
        let mut is_changed = false;
        for node in nodes {
            let behind = node
                .dependencies
                .iter()
                .filter_map(|id| columns.get(id.as_str()))
                .max()
                .map_or(0, |it| it + 1);
            if behind > columns[node.id.as_str()] && behind < nodes.len() {
                columns.insert(&node.id, behind);
                is_changed = true;
            }
        }
        if !is_changed {
            break;
        }
    }
    let mut used: HashMap<usize, usize> = HashMap::new();
    let mut place = |node: &'_ PlanNode| {
        let column = columns[node.id.as_str()];
        let row = used.entry(column).or_default();
        *row += 1;
        (column, *row - 1)
    };
    nodes.iter().map(|node| (node.id.as_str(), place(node))).collect()
}

fn corner(places: &HashMap<&str, (usize, usize)>, id: &str) -> Option<(usize, usize)> {
    let (column, row) = places.get(id)?;
    Some((column * (WIDTH + GAP) + 2, row * ROW + 2))
}

fn edge(places: &HashMap<&str, (usize, usize)>, from: &str, to: &str) -> Option<String> {
    let ((x1, y1), (x2, y2)) = (corner(places, from)?, corner(places, to)?);
    let (start, end) = ((x1 + WIDTH, y1 + HEIGHT / 2), (x2, y2 + HEIGHT / 2));
    let middle = usize::midpoint(start.0, end.0);
    Some(format!("M{} {}C{middle} {} {middle} {} {} {}", start.0, start.1, start.1, end.1, end.0, end.1))
}

fn short(id: &str) -> String {
    match id.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &id[..at]),
        None => id.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(id: &str, dependencies: &[&str]) -> PlanNode {
        PlanNode {
            id: id.to_owned(),
            description: String::new(),
            status: "pending".to_owned(),
            ready: false,
            dependencies: dependencies.iter().map(|it| (*it).to_owned()).collect(),
            waits_for: Vec::new(),
            scope: Vec::new(),
            validations: Vec::new(),
            reason: None,
        }
    }

    #[test]
    fn a_node_is_in_the_column_behind_all_its_dependencies() {
        let nodes = [node("c", &["a", "b"]), node("a", &[]), node("b", &["a"]), node("d", &["a"])];
        let places = places(&nodes);
        assert_eq!(["a", "b", "c", "d"].map(|id| places[id]), [(0, 0), (1, 0), (2, 0), (1, 1)]);
        assert_eq!(graph(&nodes).into_string().matches("class=\"edge\"").count(), 4);
    }

    #[test]
    fn a_circle_ends() {
        assert_eq!(places(&[node("a", &["b"]), node("b", &["a"])]).len(), 2);
    }
}
