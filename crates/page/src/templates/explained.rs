//! One hook run, explained.

use maud::{Markup, html};
use serde_json::Value;

use super::decision::decision;
use super::frame::{self, Frame, Section};
use crate::moment;
use crate::sentence::sentence;
use crate::view::{CommandReading, Explained, ModuleAnswer, PathsOfVerb};

/// Renders an explained run.
pub fn explained(frame: &Frame, view: &Explained) -> String {
    let title = view.tool.clone().unwrap_or_else(|| view.event.clone());
    let content = html! {
        p { a href="/" { "Now" } " / " a href={ "/sessions/" (view.sid) } { "Session " (view.sid) } }
        h1 { (title) " " (decision(&view.decision)) }
        p.lead.mono { (view.run) }
        div class={ "card" @match view.decision.as_str() { "deny" => " notice bad", "ask" => " notice", _ => "" } } {
            (verdict(view))
            @if let Some(reason) = &view.reason { p { (sentence(reason)) } }
            @for remark in &view.remarks { p.faint { (remark) } }
        }
        dl.facts {
            dt { "Agent" } dd { (view.host) @if view.agent != "u00" { ", agent " (view.agent) } ", turn " (view.turn) ", work " (view.work_id) }
            dt { "When" } dd { (moment::clock(view.ts)) ", took " (moment::micros(view.us)) }
            dt { "Event" } dd { (view.event) }
            @if let Some(cwd) = &view.cwd { dt { "Folder" } dd.mono { (cwd) } }
        }
        @if let Some(input) = &view.input { h2 { "Input" } (value(input)) }
        @if let Some(rewrite) = &view.rewrite { h2 { "Rewritten to" } (value(rewrite)) }
        @if let Some(it) = &view.reading { h2 { "The command as steersman reads it" } (reading(it)) }
        @if !view.confinement.is_empty() {
            h2 { "Confinement" }
            ul { @for it in &view.confinement { li class=(if it.holds { "" } else { "bad" }) { (it.text) } } }
        }
        h2 { "Answers of the modules" }
        @if view.modules.is_empty() { p.faint { "No module handles this event." } } @else { (modules(&view.modules)) }
        @if !view.warnings.is_empty() { h2 { "Warnings" } ul { @for it in &view.warnings { li { (it) } } } }
        @if !view.context.is_empty() { h2 { "Texts for the model" } ul { @for it in &view.context { li.mono { (it) } } } }
        @if !view.dropped.is_empty() {
            h2 { "Parts that the host could not carry out" }
            ul { @for it in &view.dropped { li { b { (it.verb) } ": " (it.why) "; " (it.means) } } }
        }
        @if !view.emitted.is_empty() {
            h2 { "Recorded" }
            div.wrap tabindex="0" { table.rows.stack { tbody {
                @for it in &view.emitted {
                    tr { td.mono.tight { (it.kind) } td.tight { (it.module.as_deref().unwrap_or_default()) } td.mono.text { (Value::Object(it.data.clone()).to_string()) } }
                }
            } } }
        }
        @if !view.patch.is_empty() { h2 { "Change of the state" } (value(&Value::Object(view.patch.clone()))) }
    };
    frame::fixed(frame, Some(Section::Now), &title, &content)
}

/// Renders a command line as a tree: its commands, below each its files.
fn reading(it: &CommandReading) -> Markup {
    html! {
        div.card {
            p { code { (it.command) } }
            ul.tree {
                @for command in &it.commands {
                    li { code { (command.text) } " " span.faint { (command.notes.join(", ")) } (files(&command.files)) }
                }
                @if !it.redirections.is_empty() { li { span.faint { "redirection" } (files(&it.redirections)) } }
            }
            @if let Some(stop) = &it.stopped_at { p.bad { "The reading stopped at " (stop) "." } }
            @for doubt in &it.unknown { p.faint { "Unknown: " (doubt) } }
            p { "By the rules for commands alone: " (decision(&it.verdict)) " " (it.class) @for name in &it.traits { ", " (name) } }
            @for finding in &it.findings {
                p { (decision(&finding.level)) " " span.mono { (finding.rule) } " " (sentence(&finding.text)) }
                p.faint { "Instead: " (sentence(&finding.hint)) }
            }
            p.faint { "steersman read the command again, with the rules and files of now; the recorded decision is at the top." }
        }
    }
}

fn files(all: &[PathsOfVerb]) -> Markup {
    html! {
        @if !all.is_empty() {
            ul { @for it in all { li { b { (it.verb) } " " @for path in &it.paths { span.mono.path { (path) } " " } } } }
        }
    }
}

fn verdict(view: &Explained) -> Markup {
    let by = view.module.as_deref();
    html! {
        p {
            b {
                @match view.decision.as_str() {
                    "deny" => "Denied", "ask" => "The user was asked", "allow" => "Allowed",
                    "none" => "No decision: the watchdog answered", _ => "No module objected; the host followed its own rules",
                }
            }
            @if let Some(module) = by { " by " (module) }
        }
    }
}

fn modules(all: &[ModuleAnswer]) -> Markup {
    let longest = all.iter().map(|it| it.us).max().unwrap_or(0).max(1);
    html! {
        div.wrap tabindex="0" { table.rows.stack {
            thead { tr { th { "Module" } th { "Decision" } th { "Time" } th.num { span.faint { "µs" } } th { "Reason" } } }
            tbody {
                @for it in all {
                    tr {
                        td.tight { (it.name) }
                        td { @if it.error.is_some() { span.chip.deny { "failed" } } @else { (decision(it.decision.as_str())) } }
                        td {
                            svg.bar-box viewBox="0 0 140 8" preserveAspectRatio="none" aria-hidden="true" {
                                rect width=((it.us * 140).div_ceil(longest)) height="8" rx="3" {}
                            }
                        }
                        td.num { (it.us) }
                        td.text { (sentence(it.error.as_deref().or(it.reason.as_deref()).unwrap_or_default())) }
                    }
                }
            }
        } }
    }
}

/// Renders the fields of an object, or another value as it is.
fn value(value: &Value) -> Markup {
    let plain = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    };
    match value {
        Value::Object(fields) => html! {
            dl.facts { @for (key, value) in fields { dt.mono { (key) } dd { pre tabindex="0" { (plain(value)) } } } }
        },
        other => html! { pre tabindex="0" { (plain(other)) } },
    }
}
