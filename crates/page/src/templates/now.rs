//! The start page.

use maud::{Markup, html};

use super::automations::{ended_rows, open_runs};
use super::frame::{self, Frame, Section};
use crate::sentence::sentence;
use crate::view::{Now, SessionCard, SessionStatus};
use crate::{chart, moment};

/// Renders the start page.
pub fn now(frame: &Frame, view: &Now) -> String {
    let n_waiting = view.sessions.iter().filter(|it| it.status.urgency().is_some()).count();
    let lead = match n_waiting {
        0 => "No agent waits for you.".to_owned(),
        1 => "One agent waits for you.".to_owned(),
        n => format!("{n} agents wait for you."),
    };
    let content = html! {
        h1 { "Now" }
        p.lead { (lead) }
        @if let Some(problem) = &view.problem {
            div.card.notice { (sentence(problem)) }
        }
        @if view.sessions.is_empty() {
            p.card.empty { "No sessions yet. Run " code { "steersman init" } " to register agent programs; a session starts with the first event of one." }
        } @else {
            ul.cards {
                @for session in &view.sessions {
                    li { (card(session, view.ts)) }
                }
            }
        }
        @if view.older_sessions > 0 {
            p.faint { (view.older_sessions) " older sessions: " code { "steersman session list" } }
        }
        @if !view.runs.is_empty() {
            h2 { "Running and queued automations" }
            (open_runs(&view.runs, view.ts, frame.may_change))
        }
        @if !view.failed.is_empty() {
            h2 { "Failed lately" }
            (ended_rows(&view.failed, view.ts))
        }
        h2 { "The last hours" }
        div.charts {
            (chart::calls(&view.activity))
            @if view.activity.approved() > 0 { (chart::saved_prompts(&view.activity)) }
        }
    };
    frame::live(frame, Section::Now, "Now", &content)
}

/// Renders a session in a few words.
fn card(session: &SessionCard, now: u64) -> Markup {
    let waits = session.status.urgency().is_some();
    let more = if session.counts_complete { "" } else { "+" };
    html! {
        div class={ "card session" @if waits { " waits" } } {
            span { span class={ "chip " (session.status.style()) } { (session.status.word()) } }
            a.doing href={ "/sessions/" (session.sid) } id={ "session-" (session.sid) } {
                @if session.doing.is_empty() { "Session " (session.sid) } @else { (session.doing) }
            }
            span.since {
                @if session.status == SessionStatus::Asking { a href="/asks" { "answer" } " · " }
                @if let Some(since) = session.waiting_since {
                    "for " (moment::span(now.saturating_sub(since)))
                } @else if let Some(last) = session.last_event {
                    (moment::ago(last, now))
                }
            }
            span.meta {
                span.mono { (session.sid) }
                @if let Some(host) = &session.host { " · " (host) }
                @if session.turn > 0 { " · turn " (session.turn) }
                " · " (session.tool_calls) (more) @if session.tool_calls == 1 { " call" } @else { " calls" }
                @if session.denies > 0 { " · " span.bad { (session.denies) (more) " denied" } }
                @if session.asks > 0 { " · " (session.asks) (more) " asked" }
                @if let Some(problem) = &session.problem { " · " span.bad { (problem) } }
            }
        }
    }
}
