//! The capability table as Markdown, for people.

use std::fmt::Write;

use crate::capability::has;
use crate::{Moment, Protocol, Support, Verb, capability};

/// Returns the whole table in Markdown: one line per host and moment, one column per
/// verb, and the footnotes the cells refer to.
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
        for moment in Moment::ALL {
            if moment == Moment::Other || !has(protocol, moment) {
                continue;
            }
            let spelling = protocol.spelling(moment).unwrap_or("");
            let _ = write!(table, "| {} | {spelling} |", protocol.name());
            for verb in Verb::ALL {
                let support = capability(protocol, moment, verb);
                let cell = match footnote(moment, support) {
                    Some(note) => format!("{} {}", sign(support), number(note, &mut notes)),
                    None => String::from(sign(support)),
                };
                let _ = write!(table, " {cell} |");
            }
            table.push('\n');
        }
    }
    table.push_str("\n✓ as asked · text: said to the model as context · – not needed or not possible\n");
    push_notes(&mut table, &notes);
    table
}

/// Returns what matters most in Markdown: one line per host, a column for each thing a
/// person would ask whether steersman can do there.
pub fn capability_summary() -> String {
    let columns = [
        ("deny a call", Moment::PreToolUse, Verb::Deny),
        ("ask", Moment::PreToolUse, Verb::Ask),
        ("rewrite its input", Moment::PreToolUse, Verb::Rewrite),
        ("tell the model before", Moment::PreToolUse, Verb::Context),
        ("after", Moment::PostToolUse, Verb::Context),
        ("refuse a prompt", Moment::UserPromptSubmit, Verb::Deny),
        ("keep it from stopping", Moment::Stop, Verb::Deny),
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
        for (_, moment, verb) in columns {
            let support = capability(protocol, moment, verb);
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
    table.push_str("\n✓ as asked · – not possible\n");
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

/// Returns what a reader would ask about. That there is nothing to permit when a
/// session starts goes without saying; that a tool call cannot be asked about does not.
fn footnote(moment: Moment, support: Support) -> Option<&'static str> {
    match support {
        Support::Mostly(note) => Some(note),
        Support::No(note) if moment.plain() == Moment::PreToolUse => Some(note),
        _ => None,
    }
}

/// Returns the number of a footnote, which it gets when it is first referred to.
fn number(note: &'static str, notes: &mut Vec<&'static str>) -> usize {
    let known = notes.iter().position(|known| *known == note);
    known.unwrap_or_else(|| {
        notes.push(note);
        notes.len() - 1
    }) + 1
}
