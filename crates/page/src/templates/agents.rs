//! The agents: availability, tools, model.

use maud::html;

use super::frame::{self, Frame, Section};
use crate::view::Agents;

/// Renders the agents.
pub fn agents(frame: &Frame, view: &Agents) -> String {
    let n_available = view.agents.iter().filter(|it| it.available).count();
    let content = html! {
        h1 { "Agents" }
        p.lead { (n_available) " of " (view.agents.len()) " available" }
        @if view.agents.is_empty() {
            p.card.empty { "No agents. Describe them in " code { ".github/agents/" } " or " code { ".rawko/agents/" } "." }
        } @else {
            div.wrap tabindex="0" { table.rows {
                thead { tr { th { "Agent" } th { "State" } th { "Tools" } th { "Model" } th { "From" } } }
                tbody {
                    @for it in &view.agents {
                        tr {
                            td { b { (it.name) } div.mono.faint { (it.id) } @if let Some(text) = &it.description { div { (text) } } }
                            td {
                                @if it.available { span.chip.good { "available" } } @else { span.chip.deny { "unavailable" } }
                                @if let Some(why) = &it.unavailable_reason { div.faint { (why) } }
                            }
                            td.mono { @match &it.tools { Some(tools) => { (tools.join(", ")) }, None => { span.faint { "all" } } } }
                            td { (it.model.as_deref().unwrap_or_default()) }
                            td.mono { (it.source) }
                        }
                    }
                }
            } }
        }
    };
    frame::live(frame, Section::Agents, "Agents", &content)
}
