//! The plan as a graph with the state of every node, and as a list.

use maud::html;

use super::frame::{self, Frame, Section};
use crate::graph;
use crate::sentence::sentence;
use crate::view::Plan;

/// Renders the plan.
pub fn plan(frame: &Frame, view: &Plan) -> String {
    let n_complete = view.nodes.iter().filter(|it| it.status == "complete").count();
    let content = html! {
        h1 { "Plan" }
        p.lead {
            @if view.nodes.is_empty() && view.problems.is_empty() { "No session has a plan." } @else if view.nodes.is_empty() { "steersman cannot read the plan." } @else {
                (n_complete) " of " (view.nodes.len()) " nodes complete · " span.mono { (view.path) }
                @if let Some(sid) = &view.session { " · " a href={ "/sessions/" (sid) } { "session " (sid) } }
            }
        }
        @for problem in &view.problems { div.card.notice.bad { (sentence(problem)) } }
        @if !view.nodes.is_empty() {
            div.card.wrap tabindex="0" { (graph::graph(&view.nodes)) }
            div.wrap tabindex="0" { table.rows.stack {
                thead { tr { th { "Node" } th { "State" } th { "Waits for" } th { "Files" } th { "Checks" } } }
                tbody {
                    @for it in &view.nodes {
                        tr {
                            td.text { b { (it.id) } div { (it.description) } @if let Some(why) = &it.reason { div.bad { (sentence(why)) } } }
                            td {
                                span class={ "chip " (graph::node_style(&it.status)) } { (it.status) }
                                @if it.ready && it.status == "pending" { " " span.chip { "ready" } }
                            }
                            td { (it.waits_for.join(", ")) }
                            td.mono { (it.scope.join(", ")) }
                            td { @for check in &it.validations { div.mono { (check) } } }
                        }
                    }
                }
            } }
        }
    };
    frame::live(frame, Section::Plan, "Plan", &content)
}
