//! The agents: availability, tools, model.

use maud::{Markup, html};

use super::frame::{self, Frame, Section};
use crate::sentence::sentence;
use crate::view::{Agents, ToolPolicy, WorkflowRun};
use crate::{lanes, moment};

/// Renders the agents.
pub fn agents(frame: &Frame, view: &Agents) -> String {
    let n_available = view.agents.iter().filter(|it| it.available).count();
    let content = html! {
        h1 { "Agents" }
        p.lead { (n_available) " of " (view.agents.len()) " available" }
        @if view.agents.is_empty() {
            p.card.empty { "No agents. Describe them in " code { ".github/agents/" } " or " code { ".rawko/agents/" } "." }
        } @else {
            div.wrap tabindex="0" { table.rows.stack {
                thead { tr { th { "Agent" } th { "State" } th { "Tools" } th { "Model" } th { "From" } } }
                tbody {
                    @for it in &view.agents {
                        tr {
                            td.text { b { (it.name) } div.mono.faint { (it.id) } @if let Some(text) = &it.description { div { (text) } } }
                            td {
                                @if it.available { span.chip.good { "available" } } @else { span.chip.deny { "unavailable" } }
                                @if let Some(why) = &it.unavailable { div.faint { (sentence(why)) } }
                            }
                            td { (tools(it.tools.as_ref())) }
                            td.tight { (it.model.as_deref().unwrap_or_default()) }
                            td.mono.text { (it.source) }
                        }
                    }
                }
            } }
        }
        h2 { "Workflow runs" }
        @if view.runs.is_empty() { p.faint { "No workflow ran here. Start one with " code { "steersman agent run" } "." } }
        @for it in &view.runs { (run(it, view.ts)) }
    };
    frame::live(frame, Section::Agents, "Agents", &content)
}

fn tools(policy: Option<&ToolPolicy>) -> Markup {
    let list = |label: &str, names: &[String]| {
        html! { @if !names.is_empty() { div { span.faint { (label) " " } span.mono { (names.join(", ")) } } } }
    };
    html! {
        @match policy {
            None => { span.faint { "unknown" } }
            Some(ToolPolicy { allowed, blocked, commands, blocked_commands }) => {
                @match allowed {
                    None => { div { @if blocked.is_empty() { "all" } @else { "all others" } } }
                    Some(names) if names.is_empty() => { div { "none" } }
                    Some(names) => { (list("only", names)) }
                }
                (list("never", blocked))
                (list("runs only", commands))
                (list("never runs", blocked_commands))
            }
        }
    }
}

fn run(it: &WorkflowRun, now: u64) -> Markup {
    let style = match it.result.as_str() {
        "complete" => "good",
        "failed" => "deny",
        _ => "ask",
    };
    html! {
        section.card aria-label={ "Run " (it.id) } {
            p { span class={ "chip " (style) } { (it.result) } " " b { (it.task) } " " span.faint { (moment::ago(it.started, now)) } }
            @if let Some(reason) = &it.reason { p.bad { (reason) } }
            @if it.steps.is_empty() { p.faint { "No step has started." } } @else {
                div.wrap tabindex="0" { (lanes::lanes(&it.steps)) }
                details id={ "steps-" (it.id) } {
                    summary { @match it.steps.len() { 1 => "One step", n => { (n) " steps" } } }
                    ol { @for step in &it.steps {
                        li { b { (step.agent) } " " (step.outcome) @if let Some(ms) = step.ms { " after " (moment::duration(ms)) } ", because " (step.because) }
                    } }
                }
            }
        }
    }
}
