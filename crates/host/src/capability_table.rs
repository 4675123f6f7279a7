//! Prints the capability table as Markdown.

use std::fmt::Write;

use crate::capability::has;
use crate::{EventKind, Protocol, Support, Verb, capability};

/// Returns the whole table in Markdown: one line per host and event kind, one column per verb, and
/// footnotes.
pub fn capability_table() -> String {
    let mut notes: Vec<&'static str> = Vec::new();
    let mut table = String::from("| host | event |");
    for verb in Verb::ALL {
        let _ = write!(table, " {verb} |");
    }
    table.push_str("\n|---|---|");
    table.push_str(&"---|".repeat(Verb::ALL.len()));
    table.push('\n');
    for protocol in Protocol::ALL {
        for event_kind in EventKind::ALL {
            if event_kind == EventKind::Other || !has(protocol, event_kind) {
                continue;
            }
            let spelling = protocol.spelling(event_kind).unwrap_or("");
            let _ = write!(table, "| {} | {spelling} |", protocol.name());
            for verb in Verb::ALL {
                let support = capability(protocol, event_kind, verb);
                let cell = match footnote(event_kind, support) {
                    Some(note) => format!("{} {}", sign(support), number(note, &mut notes)),
                    None => String::from(sign(support)),
                };
                let _ = write!(table, " {cell} |");
            }
            table.push('\n');
        }
    }
    table.push_str("\n✓ supported · text: sent to the model as context · – not needed or not possible\n");
    push_notes(&mut table, &notes);
    table
}

/// Returns a summary in Markdown: one line per host, one column for each main capability.
pub fn capability_summary() -> String {
    let columns = [
        ("deny a call", EventKind::PreToolUse, Verb::Deny),
        ("ask", EventKind::PreToolUse, Verb::Ask),
        ("rewrite its input", EventKind::PreToolUse, Verb::Rewrite),
        ("tell the model before", EventKind::PreToolUse, Verb::Context),
        ("after", EventKind::PostToolUse, Verb::Context),
        ("refuse a prompt", EventKind::UserPromptSubmit, Verb::Deny),
        ("prevent it from stopping", EventKind::Stop, Verb::Deny),
    ];
    let mut notes: Vec<&'static str> = Vec::new();
    let mut table = String::from("| host |");
    for (title, _, _) in columns {
        let _ = write!(table, " {title} |");
    }
    table.push_str("\n|---|");
    table.push_str(&"---|".repeat(columns.len()));
    table.push('\n');
    for protocol in Protocol::ALL.into_iter().filter(|protocol| *protocol != Protocol::Raw) {
        let _ = write!(table, "| {} |", protocol.name());
        for (_, event_kind, verb) in columns {
            let support = capability(protocol, event_kind, verb);
            let note = match support {
                Support::Mostly(note) | Support::No(note) => Some(note),
                _ => None,
            };
            let _ = match note {
                Some(note) => write!(table, " {} {} |", sign(support), number(note, &mut notes)),
                None => write!(table, " {} |", sign(support)),
            };
        }
        table.push('\n');
    }
    table.push_str("\n✓ supported · – not possible\n");
    push_notes(&mut table, &notes);
    table
}

fn push_notes(table: &mut String, notes: &[&str]) {
    table.push('\n');
    for (index, note) in notes.iter().enumerate() {
        let _ = writeln!(table, "{}. {note}", index + 1);
    }
}

const fn sign(support: Support) -> &'static str {
    match support {
        Support::Yes | Support::Mostly(_) => "✓",
        Support::AsContext => "text",
        Support::Implied | Support::No(_) => "–",
    }
}

/// Returns the footnote of a cell. Omits the obvious, such as that there is nothing to permit when a
/// session starts, but not that a tool call cannot be asked about.
fn footnote(event_kind: EventKind, support: Support) -> Option<&'static str> {
    match support {
        Support::Mostly(note) => Some(note),
        Support::No(note) if event_kind.plain() == EventKind::PreToolUse => Some(note),
        _ => None,
    }
}

/// Returns the number of a footnote, assigned at its first reference.
fn number(note: &'static str, notes: &mut Vec<&'static str>) -> usize {
    let known = notes.iter().position(|known| *known == note);
    known.unwrap_or_else(|| {
        notes.push(note);
        notes.len() - 1
    }) + 1
}
