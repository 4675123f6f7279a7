//! The intents, and the requests of agents for a wider scope.

use maud::{Markup, html};

use super::files;
use super::frame::{self, Frame, Section};
use crate::moment;
use crate::sentence::sentence;
use crate::view::{IntentRow, IntentWorker, Intents, ScopeRequest};

/// Renders the intents.
pub fn intents(frame: &Frame, view: &Intents) -> String {
    let content = html! {
        h1 { "Intents" }
        p.lead {
            @match view.requests.len() {
                0 => "No agent asks for a wider scope.",
                1 => "One agent asks for a wider scope.",
                n => { (n) " requests for a wider scope." }
            }
        }
        @if let Some(problem) = &view.problem { div.card.notice.bad { (sentence(problem)) } }
        @for it in &view.requests { (request(it, view.ts, frame.may_change)) }
        @if !view.governed {
            p.card.empty { "No intents here, so only the agents' own rules limit what they write. Add one with " code { "steersman intent new" } "." }
        }
        @for it in &view.intents { (intent(it, view.ts)) }
    };
    frame::live(frame, Section::Intents, "Intents", &content)
}

fn request(it: &ScopeRequest, now: u64, may_change: bool) -> Markup {
    html! {
        section.card.notice aria-label={ "Request " (it.request) } {
            p { b { (it.intent) } " wants to write " code { (it.pattern) } " " span.faint { @if let Some(ts) = moment::parse(&it.timestamp) { (moment::ago(ts, now)) } } }
            @if !it.reason.is_empty() { p { (it.reason) } }
            pre.diff tabindex="0" {
                @for line in &it.diff {
                    span class=(match line.sign { '+' => "added", '-' => "removed", _ => "same" }) { (line.sign) " " (line.text) "\n" }
                }
            }
            @if may_change {
                form.inline method="post" action={ "/intents/requests/" (it.request) "/accept" } {
                    button.main type="submit" id={ "accept-" (it.request) } { "Accept" }
                }
                " "
                form.inline method="post" action={ "/intents/requests/" (it.request) "/decline" } {
                    button type="submit" id={ "decline-" (it.request) } { "Decline" }
                }
            }
        }
    }
}

fn intent(it: &IntentRow, now: u64) -> Markup {
    let style = match it.status.as_str() {
        "COMPLETED" => "good",
        "IN_PROGRESS" => "ask",
        "BLOCKED" => "deny",
        _ => "",
    };
    html! {
        section.card aria-label=(it.id) {
            p {
                span.mono { (it.id) } " " b { (it.name) } " "
                span class={ "chip " (style) } { (it.status.to_lowercase().replace('_', " ")) } " "
                @if it.selected { span.chip.good { "selected" } }
            }
            @if !it.description.is_empty() { p.faint { (it.description) } }
            dl.facts {
                dt { "Scope" } dd { @for glob in &it.scope { code.quoted { (glob) } " " } }
                @if !it.workers.is_empty() {
                    dt { "Sessions" }
                    dd { ul.plain { @for it in &it.workers { li { (worker(it, now)) } } } }
                }
                @if !it.files.is_empty() { dt { "Files" } dd { (written(it, now)) } }
            }
            @if it.workers.is_empty() && it.files.is_empty() {
                p.faint { "No session works on it, and no agent has written a file for it." }
            }
        }
    }
}

fn worker(it: &IntentWorker, now: u64) -> Markup {
    html! {
        a.mono href={ "/sessions/" (it.sid) } { (it.sid) } " "
        @if let Some(host) = &it.host { (host) " " }
        span class={ "chip " (it.status.style()) } { (it.status.word()) } " "
        @if let Some(last) = it.last_event { span.faint { (moment::ago(last, now)) } }
    }
}

fn written(it: &IntentRow, now: u64) -> Markup {
    html! {
        details id={ "files-" (it.id) } {
            summary { (it.n_writes) @if it.n_writes == 1 { " write of " } @else { " writes of " } (it.files.len()) @if it.files.len() == 1 { " file" } @else { " files" } }
            ul.plain { @for file in &it.files {
                li { a.mono href=(files::address(&file.path)) { (file.path) } " " span.faint { (file.n) " ×, " @if let Some(ts) = moment::parse(&file.last) { (moment::ago(ts, now)) } } }
            } }
        }
    }
}
