//! A session: turns with their calls, decisions and times.

use maud::{Markup, html};
use timeline::{Call, Entry, EntryKind, Outcome, Prompt, RecordedDecision, Turn};

use super::frame::{self, Frame, Section};
use crate::moment;
use crate::sentence::sentence;
use crate::view::Session;

/// Renders a part of a session's timeline, the latest turn first.
pub fn session(frame: &Frame, view: &Session) -> String {
    let card = &view.session;
    let more = if card.counts_complete { "" } else { "+" };
    let content = html! {
        p { a href="/" { "Now" } }
        div.head {
            h1 { "Session " span.mono { (card.sid) } " " span class={ "chip " (card.status.style()) } { (card.status.word()) } }
            a href={ "/sessions/" (card.sid) "/what-if" } { "What if the rules were different?" }
        }
        p.lead {
            @if let Some(host) = &card.host { (host) " · " }
            "turn " (card.turn) " · phase " (card.phase) " · " (card.tool_calls) (more) @if card.tool_calls == 1 { " call · " } @else { " calls · " }
            (card.denies) (more) " denied · " (card.asks) (more) " asked"
            @if let Some(started) = card.started { " · started " (moment::ago(started, view.ts)) }
        }
        @if let Some(problem) = &card.problem { div.card.notice.bad { (sentence(problem)) } }
        (filter(view))
        @if view.turns.iter().all(|turn| turn.entries.is_empty() && turn.prompt.is_none()) {
            p.card.empty { "Nothing here matches." }
        }
        @for it in view.turns.iter().rev() { (turn(it, view)) }
        (pager(view))
    };
    let title = format!("Session {}", card.sid);
    if view.is_latest {
        frame::live(frame, Section::Now, &title, &content)
    } else {
        frame::fixed(frame, Some(Section::Now), &title, &content)
    }
}

fn filter(view: &Session) -> Markup {
    html! {
        form.search method="get" action={ "/sessions/" (view.session.sid) } role="search" {
            input #search type="search" name="q" value=(view.search) placeholder="Search calls, files, reasons" aria-label="Search the session";
            select name="show" aria-label="Entries" {
                option value="" { "everything" }
                option value="stopped" selected[view.only_stopped] { "only stopped" }
                option value="notes" selected[view.has_notes] { "also notes of modules" }
            }
            button type="submit" { "Filter" }
        }
    }
}

fn pager(view: &Session) -> Markup {
    let sid = &view.session.sid;
    html! {
        div.pager {
            @if let Some(before) = view.older {
                a href={ "/sessions/" (sid) "?before=" (before) (kept_filter(view)) } { "Older" }
            }
            @if !view.is_latest { a href={ "/sessions/" (sid) } { "Latest" } }
        }
    }
}

/// Returns the filter as a part of an address.
fn kept_filter(view: &Session) -> String {
    let show = if view.only_stopped {
        "&show=stopped"
    } else if view.has_notes {
        "&show=notes"
    } else {
        ""
    };
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~".contains(byte);
    let search = view
        .search
        .bytes()
        .map(|byte| if is_plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") });
    if view.search.is_empty() { show.to_owned() } else { format!("{show}&q={}", search.collect::<String>()) }
}

fn turn(turn: &Turn, view: &Session) -> Markup {
    html! {
        section.turn aria-label={ "Turn " (turn.number) } {
            h2 {
                @if turn.number == 0 { "Before the first prompt" } @else { "Turn " (turn.number) }
                span.faint { (moment::ago(turn.ts, view.ts)) (counts(turn)) }
            }
            @if let Some(it) = &turn.prompt { (prompt(it)) }
            @if !turn.entries.is_empty() {
                ul.entries { @for it in &turn.entries { (entry(it, &view.session.sid, false)) } }
            }
        }
    }
}

/// Renders how many calls of a turn the page shows, and how many of them steersman stopped.
fn counts(turn: &Turn) -> Markup {
    let calls = || {
        turn.entries
            .iter()
            .filter_map(|it| if let EntryKind::Call(call) = &it.what { Some(call) } else { None })
    };
    let stopped = calls().filter(|call| matches!(call.decision.as_str(), "deny" | "ask")).count();
    html! {
        @match calls().count() { 0 => {}, 1 => " · one call", n => { " · " (n) " calls" } }
        @if stopped > 0 { " · " span.bad { (stopped) " stopped" } }
    }
}

/// Renders a prompt: its text, if the project records it.
pub(super) fn prompt(prompt: &Prompt) -> Markup {
    html! {
        @match &prompt.text {
            Some(text) => div.prompt tabindex="0" { (text) },
            None => p.faint { "A prompt of " (prompt.chars) " characters; this project does not record its text." },
        }
    }
}

/// Returns whether an entry is a call about a file.
pub(super) fn is_about(entry: &Entry, path: &str) -> bool {
    matches!(&entry.what, EntryKind::Call(call) if call.target.contains(path))
}

/// Renders an entry.
pub(super) fn entry(entry: &Entry, sid: &str, is_marked: bool) -> Markup {
    let (style, word) = sign(&entry.what);
    html! {
        li class={ "entry" @if entry.agent != "u00" { " sub" } @if is_marked { " marked" } } {
            span.faint { (moment::clock(entry.ts)) }
            span { span class={ "chip " (style) } { (word) } }
            span.what { (text(&entry.what)) @if entry.agent != "u00" { span.why { "agent " (entry.agent) } } }
            span.right {
                @if let Some(took) = took(&entry.what) { span.faint { (moment::duration(took)) " " } }
                a href={ "/sessions/" (sid) "/runs/" (entry.run) } aria-label={ "Explain " (entry.run) } { "explain" }
            }
        }
    }
}

/// Returns the style and the word of an entry.
fn sign(what: &EntryKind) -> (&'static str, &'static str) {
    match what {
        EntryKind::Call(call) => match call.decision {
            RecordedDecision::Deny if call.could_not_ask => ("deny", "could not ask"),
            RecordedDecision::Deny => ("deny", "denied"),
            RecordedDecision::Ask => ("ask", "asked"),
            _ if call.rewritten => ("wait", "rewritten"),
            _ if call.outcome.as_ref().is_some_and(|it| !it.ok) => ("faint", "failed"),
            RecordedDecision::Allow => ("good", "allowed"),
            RecordedDecision::Abstain => ("faint", "passed"),
        },
        EntryKind::Result { .. } => ("faint", "result"),
        EntryKind::Refused { .. } => ("deny", "refused"),
        EntryKind::Start { .. } => ("faint", "start"),
        EntryKind::Phase { .. } => ("faint", "phase"),
        EntryKind::Compaction { .. } => ("faint", "compaction"),
        EntryKind::AgentStart { .. } | EntryKind::AgentStop { .. } => ("faint", "subagent"),
        EntryKind::Stop { kept_going: true } => ("ask", "kept going"),
        EntryKind::Stop { kept_going: false } => ("faint", "stop"),
        EntryKind::Failure { .. } => ("deny", "failure"),
        EntryKind::OutOfTime { .. } => ("deny", "out of time"),
        EntryKind::Order { stops: true, .. } => ("ask", "order"),
        EntryKind::Order { .. } => ("good", "order"),
        EntryKind::Plan { holds, .. } => (if *holds { "good" } else { "deny" }, "plan"),
        EntryKind::Confined { holds, .. } => (if *holds { "good" } else { "deny" }, "confined"),
        EntryKind::Warning { .. } => ("ask", "warning"),
        EntryKind::Note { .. } => ("faint", "note"),
    }
}

fn text(what: &EntryKind) -> Markup {
    match what {
        EntryKind::Call(it) => call(it),
        EntryKind::Result { tool, outcome } => html! { b { (tool) } " " (result(outcome)) },
        EntryKind::Refused { event, module, reason } => {
            html! { b { (event) } (by(module.as_deref())) span.why { (sentence(reason)) } }
        }
        EntryKind::Start { source, model } => html! {
            "session " (source.as_deref().unwrap_or("started")) @if let Some(model) = model { " with " (model) }
        },
        EntryKind::Phase { from, to, why } => html! { (from) " → " b { (to) } span.why { (why) } },
        EntryKind::Compaction { trigger, is_certain } => html! {
            @if *is_certain { "the context was compacted" } @else { "the context may be compacted" }
            @if let Some(trigger) = trigger { " (" (trigger) ")" }
        },
        EntryKind::AgentStart { role } => html! { "started " (role.as_deref().unwrap_or("a subagent")) },
        EntryKind::AgentStop { role } => html! { (role.as_deref().unwrap_or("a subagent")) " stopped" },
        EntryKind::Stop { kept_going } => html! {
            @if *kept_going { "a module made the agent continue" } @else { "the turn ended" }
        },
        EntryKind::Failure { module, error, critical } => html! {
            b { (module) } " failed" @if *critical { ", so the call was denied" } span.why { (error) }
        },
        EntryKind::OutOfTime { budget_ms, module } => html! {
            @match module { Some(module) => { b { (module) } " exceeded the budget" }, None => { "the run exceeded its budget" } }
            " of " (budget_ms) " ms"
        },
        EntryKind::Order { text, .. }
        | EntryKind::Plan { text, .. }
        | EntryKind::Confined { text, .. }
        | EntryKind::Warning { text } => {
            html! { (sentence(text)) }
        }
        EntryKind::Note { name, module } => html! { span.mono { (name) } (by(module.as_deref())) },
    }
}

fn call(call: &Call) -> Markup {
    html! {
        b { (call.tool) } " " span.mono { (call.target) }
        @if let Some(outcome) = &call.outcome { @if !outcome.ok { (result(outcome)) } }
        @if let Some(basis) = &call.approved { span.why { "approved for you: " (basis) } }
        @if call.no_result { span.why { "no result was reported" } }
        @if let Some(reason) = &call.reason { span.why { @if let Some(module) = &call.module { b { (module) } ": " } (sentence(reason)) } }
    }
}

fn result(outcome: &Outcome) -> Markup {
    html! {
        @if outcome.ok { "succeeded" } @else { span.why.bad { "failed" @if let Some(error) = &outcome.error { ": " (error) } } }
    }
}

fn by(module: Option<&str>) -> Markup {
    html! { @if let Some(module) = module { " by " (module) } }
}

fn took(what: &EntryKind) -> Option<u64> {
    match what {
        EntryKind::Call(call) => call.outcome.as_ref()?.ms,
        _ => None,
    }
}
