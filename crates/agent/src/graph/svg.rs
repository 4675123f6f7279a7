//! The transition graph as SVG, without external resources or scripts.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::edges::{Edge, EdgeKind, edges};
use crate::definition::{COMPLETE, Definition};

const BOX_WIDTH: usize = 200;
const BOX_HEIGHT: usize = 40;
const ROW: usize = 100;
const LANE: usize = 26;
const MARGIN: usize = 30;

/// Draws the agents in a column, the first on top and the end below. Arrows to the next row are
/// straight; the others run along the right side, each in its own lane.
pub fn svg(agents: &BTreeMap<String, Definition>, first: Option<&str>) -> String {
    let order = order(agents, first);
    let row = |name: &str| order.iter().position(|it| *it == name).unwrap_or(order.len() - 1);
    let edges = edges(agents);
    let is_straight = |edge: &Edge| row(&edge.to) == row(&edge.from) + 1 && edge.kind == EdgeKind::Success;
    let n_lanes = edges.iter().filter(|it| !is_straight(it)).count();
    let longest = edges.iter().map(|it| it.kind.label().chars().count().min(40)).max().unwrap_or(0);
    let width = 2 * MARGIN + BOX_WIDTH + (n_lanes + 1) * LANE + longest * 7;
    let height = 2 * MARGIN + (order.len() - 1) * ROW + BOX_HEIGHT;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"13\" role=\"img\" aria-label=\"agents and their transitions\">"
    );
    out.push_str(
        "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" fill=\"#555\"/></marker></defs>\n",
    );
    let _ = writeln!(out, "<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>");
    let mut lane = 0;
    for edge in &edges {
        let (from, to) = (MARGIN + row(&edge.from) * ROW, MARGIN + row(&edge.to) * ROW);
        if is_straight(edge) {
            let x = MARGIN + BOX_WIDTH / 2;
            line(
                &mut out,
                edge,
                &format!("M{x} {} L{x} {to}", from + BOX_HEIGHT),
                x + 6,
                from + BOX_HEIGHT + 24,
            );
        } else {
            lane += 1;
            let (right, bend) = (MARGIN + BOX_WIDTH, MARGIN + BOX_WIDTH + lane * LANE);
            let (start, end) = (from + BOX_HEIGHT / 2 + 6, to + BOX_HEIGHT / 2 - 6);
            let path = format!("M{right} {start} H{bend} V{end} H{right}");
            line(&mut out, edge, &path, bend + 4, usize::midpoint(start, end) + (lane % 3) * 14);
        }
    }
    for name in &order {
        let y = MARGIN + row(name) * ROW;
        let (fill, radius) = if *name == COMPLETE { ("#e6f4ea", BOX_HEIGHT / 2) } else { ("#eef2fb", 6) };
        let shown = agents.get(*name).and_then(|it| it.display_name.as_deref()).unwrap_or(name);
        let _ = writeln!(
            out,
            "<rect x=\"{MARGIN}\" y=\"{y}\" width=\"{BOX_WIDTH}\" height=\"{BOX_HEIGHT}\" rx=\"{radius}\" fill=\"{fill}\" stroke=\"#555\"/><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            MARGIN + BOX_WIDTH / 2,
            y + BOX_HEIGHT / 2 + 5,
            escaped(shown, 26)
        );
    }
    out.push_str("</svg>\n");
    out
}

/// Returns the agents in the order of success transitions, then the others, then the end.
fn order<'a>(agents: &'a BTreeMap<String, Definition>, first: Option<&str>) -> Vec<&'a str> {
    let mut order: Vec<&str> = Vec::new();
    let starts = agents.keys().filter(|it| first == Some(it.as_str())).chain(agents.keys());
    for start in starts {
        let mut at = Some(start);
        while let Some(name) = at.filter(|it| !order.contains(&it.as_str())) {
            order.push(name);
            at = agents
                .get(name)
                .and_then(|it| agents.get_key_value(&it.transitions.on_success))
                .map(|it| it.0);
        }
    }
    order.push(COMPLETE);
    order
}

fn line(out: &mut String, edge: &Edge, path: &str, x: usize, y: usize) {
    let dashes = match edge.kind {
        EdgeKind::Success | EdgeKind::Custom(_) => "",
        EdgeKind::Failure | EdgeKind::MaxIterations => " stroke-dasharray=\"5 4\"",
    };
    let _ = writeln!(
        out,
        "<path d=\"{path}\" fill=\"none\" stroke=\"#555\"{dashes} marker-end=\"url(#head)\"/><text x=\"{x}\" y=\"{y}\" font-size=\"11\" fill=\"#333\">{}</text>",
        escaped(edge.kind.label(), 40)
    );
}

fn escaped(text: &str, most: usize) -> String {
    let cut = text.chars().count() > most;
    let mut escaped = String::new();
    for it in text.chars().take(if cut { most - 1 } else { most }) {
        match it {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ if it.is_control() => escaped.push(' '),
            _ => escaped.push(it),
        }
    }
    if cut {
        escaped.push('…');
    }
    escaped
}
