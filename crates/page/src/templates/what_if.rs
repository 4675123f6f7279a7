//! A session judged again under another manifest.

use maud::{Markup, html};

use super::decision::decision;
use super::frame::{self, Frame, Section};
use crate::moment;
use crate::sentence::sentence;
use crate::view::{ChangedDecision, DecisionWord, Judged, WhatIf};

/// Renders the manifest and what would differ under it.
pub fn what_if(frame: &Frame, view: &WhatIf) -> String {
    let content = html! {
        p { a href="/" { "Now" } " / " a href={ "/sessions/" (view.sid) } { "Session " (view.sid) } }
        h1 { "What if" }
        p.lead { "steersman judges every recorded event of this session again. It writes nothing and runs no tool." }
        @if let Some(problem) = &view.problem { div.card.notice.bad { (sentence(problem)) } }
        @if let Some(result) = &view.result { (judged(result, &view.sid)) }
        form method="post" action={ "/sessions/" (view.sid) "/what-if" } {
            p { label for="manifest" { "The manifest (" code { ".ai/hooks/dispatch.manifest.json" } "), as it would be:" } }
            textarea #manifest name="manifest" rows="18" spellcheck="false" { (view.manifest) }
            p { button type="submit" id="judge" { "Judge again" } }
        }
    };
    frame::fixed(frame, Some(Section::Now), "What if", &content)
}

fn judged(result: &Judged, sid: &str) -> Markup {
    html! {
        div.figures {
            div.figure { b { (result.judged) } span { "judged" } }
            div.figure { b { (result.same + result.other_reason) } span { "the same" } }
            div.figure { b { (result.different) } span { "different" } }
        }
        @if result.is_cut { p.bad { "The replay took too long; later events are left out." } }
        @if result.changes.is_empty() { p.card.empty { "No decision would differ." } } @else {
            div.wrap tabindex="0" { table.rows.stack {
                thead { tr { th { "When" } th { "Call" } th { "Then" } th { "Under this manifest" } th { span.hidden { "Explanation" } } } }
                tbody { @for it in &result.changes { (change(it, sid)) } }
            } }
            @if result.different > result.changes.len() { p.faint { "and " (result.different - result.changes.len()) " more" } }
        }
        @if !result.not_replayable.is_empty() {
            details id="left-out" {
                summary { (result.not_replayable.iter().map(|it| it.count).sum::<usize>()) " events cannot be judged again" }
                ul { @for it in &result.not_replayable { li { (it.count) " × " (it.event) ": " (it.why) } } }
            }
        }
    }
}

fn change(it: &ChangedDecision, sid: &str) -> Markup {
    html! {
        tr {
            td.when { (moment::clock(it.ts)) }
            td.text { b { (it.tool.as_deref().unwrap_or(&it.event)) } " " span.mono { (it.target) } }
            td.text { (word(&it.before)) }
            td { (word(&it.after)) }
            td.tight { a href={ "/sessions/" (sid) "/runs/" (it.run) } aria-label={ "Explain " (it.run) } { "explain" } }
        }
    }
}

fn word(it: &DecisionWord) -> Markup {
    html! {
        (decision(it.decision.as_str()))
        @if let Some(module) = &it.module { " " span.faint { (module) } }
        @if let Some(reason) = &it.reason { div.faint { (sentence(reason)) } }
    }
}
