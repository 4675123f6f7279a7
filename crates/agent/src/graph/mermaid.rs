//! The transition graph in Mermaid.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::edges::{EdgeKind, edges};
use crate::definition::{COMPLETE, Definition};

/// Draws the agents as a flow chart; `first` is the entry.
pub fn mermaid(agents: &BTreeMap<String, Definition>, first: Option<&str>) -> String {
    // Ids are numbers: `end`, `class` and others are keywords of Mermaid.
    let ids: BTreeMap<&str, String> =
        agents.keys().enumerate().map(|(index, name)| (name.as_str(), format!("a{index}"))).collect();
    let id = |name: &str| ids.get(name).cloned().unwrap_or_else(|| "done".to_owned());
    let mut out = String::from("flowchart TD\n");
    if let Some(first) = first.filter(|it| agents.contains_key(*it)) {
        let _ = writeln!(out, "    start(( )) --> {}", id(first));
    }
    for (name, definition) in agents {
        let shown = definition.display_name.as_deref().unwrap_or(name);
        let _ = writeln!(out, "    {}[\"{}\"]", id(name), escaped(shown));
    }
    let _ = writeln!(out, "    done([\"{COMPLETE}\"])");
    for edge in edges(agents) {
        let arrow = match edge.kind {
            EdgeKind::Success | EdgeKind::Custom(_) => "-->",
            EdgeKind::Failure | EdgeKind::MaxIterations => "-.->",
        };
        let (from, to) = (id(&edge.from), id(&edge.to));
        let _ = writeln!(out, "    {from} {arrow}|\"{}\"| {to}", escaped(edge.kind.label()));
    }
    out
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for it in text.chars() {
        match it {
            '"' => escaped.push_str("#quot;"),
            '#' => escaped.push_str("#35;"),
            '<' => escaped.push_str("#lt;"),
            '>' => escaped.push_str("#gt;"),
            _ if it.is_control() => escaped.push(' '),
            _ => escaped.push(it),
        }
    }
    escaped
}
