//! The transition graph for a terminal.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::edges::edges;
use crate::definition::Definition;

/// Draws the agents one below the other, each with its edges; `first` is marked.
pub fn text(agents: &BTreeMap<String, Definition>, first: Option<&str>) -> String {
    let edges = edges(agents);
    let mut out = String::new();
    for (name, definition) in agents {
        if !out.is_empty() {
            out.push('\n');
        }
        let mark = if first == Some(name) { " (first)" } else { "" };
        let limit = definition.limits.max_iterations.map(|it| format!(" [at most {it}]")).unwrap_or_default();
        let _ = writeln!(out, "{name}{mark}{limit}");
        let own: Vec<_> = edges.iter().filter(|it| it.from == *name).collect();
        let width = own.iter().map(|it| it.kind.label().chars().count()).max().unwrap_or(0);
        for (index, edge) in own.iter().enumerate() {
            let branch = if index + 1 == own.len() { "└─" } else { "├─" };
            let label = edge.kind.label();
            let line = "─".repeat(width - label.chars().count() + 1);
            let itself = if edge.to == *name { " (itself)" } else { "" };
            let _ = writeln!(out, "{branch} {label} {line}▶ {}{itself}", edge.to);
        }
    }
    out
}
