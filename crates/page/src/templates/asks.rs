//! The calls that wait for a person's decision.

use maud::{Markup, html};

use super::frame::{self, Frame, Section};
use crate::moment;
use crate::sentence::sentence;
use crate::view::{AskRow, Asks};

/// Renders the asks.
pub fn asks(frame: &Frame, view: &Asks) -> String {
    let content = html! {
        h1 { "Asks" }
        p.lead {
            @match view.asks.len() {
                0 => "No agent waits for your decision.",
                1 => "One agent waits for your decision.",
                n => { (n) " agents wait for your decision." }
            }
        }
        @if view.asks.is_empty() {
            p.card.empty { "A call is listed here while its hook waits for your answer. If no agent program ever waits, run " code { "steersman init --ask-wait 120" } "." }
        }
        @for it in &view.asks { (ask(it, view.ts, frame.may_change)) }
    };
    frame::live(frame, Section::Asks, "Asks", &content)
}

fn ask(it: &AskRow, now: u64, may_change: bool) -> Markup {
    let left = it.until.saturating_sub(now) / 1000;
    html! {
        section.card.notice aria-label={ "Ask " (it.id) } {
            p {
                b { (it.tool) } " " span.faint { (it.host) ", agent " (it.agent) ", " (moment::ago(it.opened, now)) ", denied in " (moment::span(left * 1000)) }
            }
            pre tabindex="0" { (it.call) }
            @if let Some(reason) = &it.reason { p { (sentence(reason)) } }
            p.faint { "Session " a.mono href={ "/sessions/" (it.session) } { (it.session) } }
            @if may_change {
                div.answers {
                    form method="post" action={ "/asks/" (it.id) "/allow" } {
                        button.main type="submit" id={ "allow-" (it.id) } { "Allow once" }
                    }
                    form method="post" action={ "/asks/" (it.id) "/allow-session" } {
                        button type="submit" id={ "session-" (it.id) } { "Allow for this session" }
                    }
                    form.deny method="post" action={ "/asks/" (it.id) "/deny" } {
                        label.hidden for={ "reason-" (it.id) } { "Reason for the model" }
                        input type="text" name="reason" maxlength="500" autocomplete="off" id={ "reason-" (it.id) } placeholder="Reason for the model";
                        button type="submit" id={ "deny-" (it.id) } { "Deny" }
                    }
                }
            }
        }
    }
}
