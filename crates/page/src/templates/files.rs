//! The files that agents wrote, and one file with the author of every line.

use std::fmt::Write;

use maud::{Markup, html};
use timeline::EntryKind;

use super::frame::{self, Frame, Section};
use super::session;
use crate::moment;
use crate::view::{File, FileLine, FileTurn, Files, LineWrite};

/// How many lines one part has, as the server cuts them.
const LINES: usize = 500;

/// Renders the files.
pub fn files(frame: &Frame, view: &Files) -> String {
    let content = html! {
        h1 { "Files" }
        p.lead { "The files that agents wrote under an intent; open one to see who wrote each line." }
        form.search method="get" action="/files" role="search" {
            input #search type="search" name="q" value=(view.search) placeholder="Search paths and intents" aria-label="Search the files";
            button type="submit" { "Search" }
        }
        @if view.files.is_empty() {
            p.card.empty { @if view.search.is_empty() { "No agent has written a file under an intent." } @else { "No file matches." } }
        } @else {
            div.wrap tabindex="0" { table.rows.stack {
                thead { tr { th { "File" } th { "Intents" } th.num { "Writes" } th { "Last" } } }
                tbody {
                    @for it in &view.files {
                        tr {
                            td.mono.text {
                                @if it.exists { a href=(address(&it.path)) { (it.path) } } @else { (it.path) " " span.chip { "gone" } }
                            }
                            td { @for intent in &it.intents { span.mono { (intent) } " " } }
                            td.num { (it.n) " ×" }
                            td.when { @if let Some(ts) = moment::parse(&it.last) { (moment::ago(ts, view.ts)) } }
                        }
                    }
                }
            } }
        }
        @if view.n_files > view.files.len() { p.faint { "and " (view.n_files - view.files.len()) " more; search for them" } }
    };
    frame::live(frame, Section::Files, "Files", &content)
}

/// Renders a file, side by side with the turn of the chosen line.
pub fn file(frame: &Frame, view: &File) -> String {
    let content = html! {
        p { a href="/files" { "Files" } }
        h1.mono { (view.path) }
        p.lead {
            (view.n_agent_lines) " of " (view.n_lines) " lines by agents"
            @if let Some(line) = view.line { " · line " (line) }
        }
        @if view.n_lines == 0 { p.card.empty { "The file is empty." } } @else {
            div.sides {
                div.wrap tabindex="0" { (lines(view)) }
                @if view.line.is_some() { section.beside aria-label="The turn of the line" tabindex="0" { (beside(view)) } }
            }
        }
        (pager(view))
    };
    frame::fixed(frame, Some(Section::Files), &view.path, &content)
}

/// Returns the address of a file's page.
pub(super) fn address(path: &str) -> String {
    let mut address = "/files".to_owned();
    for part in path.split('/') {
        address.push('/');
        for byte in part.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                    address.push(char::from(byte));
                }
                _ => {
                    let _ = write!(address, "%{byte:02X}");
                }
            }
        }
    }
    address
}

fn lines(view: &File) -> Markup {
    let mut last: Option<&FileLine> = None;
    html! {
        table.blame {
            thead.hidden { tr { th { "Author" } th { "When" } th { "Line" } th { "Text" } } }
            tbody {
                @for line in &view.lines {
                    @let is_first = last.is_none_or(|last| !is_same_write(last, line));
                    @let _ = last.replace(line);
                    tr id={ "L" (line.line) } class={ (age(view, line)) @if is_first { " first" } @if view.line == Some(line.line) { " chosen" } } {
                        @match line.write() {
                            Some(write) => { (author(view, line, write, is_first)) },
                            None => { td.by.faint { @if is_first { "person" } } td.when {} },
                        }
                        td.num { a href={ (address(&view.path)) "?line=" (line.line) "#L" (line.line) } { (line.line) } }
                        td.code { (line.text) }
                    }
                }
            }
        }
    }
}

fn author(view: &File, line: &FileLine, write: &LineWrite, is_first: bool) -> Markup {
    html! {
        td.by {
            @if is_first {
                a href={ (address(&view.path)) "?line=" (line.line) "#L" (line.line) } title={ (write.tool) @if !write.certain { ", perhaps not this line" } } {
                    (write.intent) @if !write.certain { "?" }
                }
                @if let Some(session) = &write.session { " " a.faint.mono href={ "/sessions/" (session) } { (session) } }
            }
        }
        td.when { @if is_first { @if let Some(ts) = moment::parse(&write.timestamp) { (moment::ago(ts, view.ts)) } } }
    }
}

/// Returns the class of a line's age, which colours its edge. Returns an empty string for a line of a person.
fn age(view: &File, line: &FileLine) -> &'static str {
    const HOUR: u64 = 3_600_000;
    let written = line.write().and_then(|write| moment::parse(&write.timestamp));
    match written.map(|ts| view.ts.saturating_sub(ts) / HOUR) {
        None => "",
        Some(0) => "hour",
        Some(1..24) => "day",
        Some(24..168) => "week",
        Some(_) => "older",
    }
}

fn is_same_write(one: &FileLine, other: &FileLine) -> bool {
    one.author == other.author
}

fn beside(view: &File) -> Markup {
    let write = view.line.and_then(|line| view.lines.iter().find(|it| it.line == line)).map(FileLine::write);
    html! {
        @match (&view.turn, write.flatten()) {
            (Some(turn), _) => { (turn_of(view, turn)) },
            (None, Some(write)) => {
                p { b { (write.intent) } " wrote this line with " (write.tool) "." }
                p.faint { "No journal of this machine has the call: a colleague's session, or one that was removed." }
            },
            (None, None) => { p.faint { "No record of an agent explains this line: a person wrote it." } },
        }
    }
}

fn turn_of(view: &File, FileTurn { session: sid, turn }: &FileTurn) -> Markup {
    html! {
        h2 { "Turn " (turn.number) " of session " a.mono href={ "/sessions/" (sid) } { (sid) } }
        @if let Some(prompt) = &turn.prompt { (session::prompt(prompt)) }
        ul.entries { @for it in turn.entries.iter().filter(|it| !matches!(it.what, EntryKind::Note { .. })) { (session::entry(it, sid, session::is_about(it, &view.path))) } }
    }
}

fn pager(view: &File) -> Markup {
    let (first, last) =
        (view.lines.first().map_or(1, |it| it.line), view.lines.last().map_or(0, |it| it.line));
    html! {
        div.pager {
            @if first > 1 { a href={ (address(&view.path)) "?from=" (first.saturating_sub(LINES).max(1)) } { "Earlier lines" } }
            @if last < view.n_lines { a href={ (address(&view.path)) "?from=" (last + 1) } { "Later lines" } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_escapes_what_a_path_may_contain() {
        assert_eq!(address("src/a b/ü?#%.rs"), "/files/src/a%20b/%C3%BC%3F%23%25.rs");
    }
}
