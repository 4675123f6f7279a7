//! Adds an intent to the file.

use std::fmt::Write as _;

use config_file::{Entry, Kind};
use serde_json::Value;

use super::edit::{after_line, blanks_before_dash, insert_lines, parse, scalar, verified};
use super::table::LIST;
use super::{EditError, IntentsFile};
use crate::{Criterion, Intent, IntentId, Pattern, Status};

/// A new intent; its status is PENDING.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewIntent {
    /// Its id; `None` for the next free one.
    pub id: Option<IntentId>,
    /// A name for users.
    pub name: String,
    /// The task.
    pub description: String,
    /// The files it may write.
    pub owned_scope: Vec<String>,
    /// The constraints of the work.
    pub constraints: Vec<String>,
    /// The criteria for completion.
    pub acceptance_criteria: Vec<Criterion>,
}

impl IntentsFile {
    /// Returns the text with a new intent at its end, and the intent's id. An empty text becomes a
    /// complete file.
    pub fn add(text: &str, new: &NewIntent) -> Result<(String, IntentId), EditError> {
        let blank = parse(text).is_ok_and(|root| root.is_none_or(|root| root.is_null()));
        let mut wanted = if blank {
            Self { intents: Vec::new(), warnings: Vec::new() }
        } else {
            Self::parse(text.as_bytes())?
        };
        let id = new.id.clone().unwrap_or_else(|| next_id(&wanted.intents));
        if wanted.get(&id).is_some() {
            return Err(EditError::Taken(id));
        }
        let patterns: Result<Vec<_>, _> = new.owned_scope.iter().map(|text| Pattern::parse(text)).collect();
        let intent = Intent {
            id: id.clone(),
            name: new.name.clone(),
            description: new.description.clone(),
            status: Status::Pending,
            owned_scope: patterns?,
            constraints: new.constraints.clone(),
            acceptance_criteria: new.acceptance_criteria.clone(),
            metadata: Value::Null,
        };
        let edited = if blank {
            insert_lines(text, text.len(), &format!("intents:\n{}", block(&intent, 4)))
        } else {
            let root = parse(text).ok().flatten().ok_or(EditError::Layout)?;
            let Entry { at: key, value: list, .. } = root.entry(&LIST).ok_or(EditError::Layout)?;
            match &list.kind {
                Kind::Array { block: true, items } => {
                    let end = items.last().ok_or(EditError::Layout)?.span.end;
                    let first = items.first().map(|item| item.span.start);
                    let blanks =
                        first.and_then(|first| blanks_before_dash(text, first)).ok_or(EditError::Layout)?;
                    insert_lines(text, after_line(text, end), &block(&intent, blanks))
                }
                Kind::Array { items, .. } if items.is_empty() => {
                    let mut shorter = text.to_owned();
                    let from = list.span.start;
                    let to = from + text[from..].find(']').ok_or(EditError::Layout)? + 1;
                    // Removes the space before the brackets with them.
                    let from = shorter[..from].trim_end_matches(' ').len();
                    shorter.replace_range(from..to, "");
                    insert_lines(&shorter, after_line(&shorter, from), &block(&intent, 4))
                }
                _ if list.is_null() => insert_lines(text, after_line(text, key.end), &block(&intent, 4)),
                _ => return Err(EditError::Layout),
            }
        };
        wanted.intents.push(intent);
        verified(edited, &wanted).map(|edited| (edited, id))
    }
}

/// Returns the id after the highest one.
fn next_id(intents: &[Intent]) -> IntentId {
    let numbers =
        intents.iter().filter_map(|intent| intent.id.as_str().strip_prefix("INT-")?.parse::<u64>().ok());
    let next = numbers.max().map_or(1, |highest| highest.saturating_add(1));
    match IntentId::parse(&format!("INT-{next:03}")) {
        Ok(id) => id,
        // `INT-` and digits is always a valid id.
        Err(error) => unreachable!("{error}"),
    }
}

/// Formats an intent as an entry of a block list whose `-` is indented by `n_blanks` spaces.
fn block(intent: &Intent, n_blanks: usize) -> String {
    let (dash, inner) = (" ".repeat(n_blanks), " ".repeat(n_blanks + 2));
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{dash}- id: {}", intent.id);
    let _ = writeln!(text, "{inner}name: {}", scalar(&intent.name));
    let _ = writeln!(text, "{inner}description: {}", scalar(&intent.description));
    let _ = writeln!(text, "{inner}status: {}", intent.status);
    let scope: Vec<&str> = intent.owned_scope.iter().map(Pattern::as_str).collect();
    list(&mut text, &inner, "owned_scope", &scope);
    list(&mut text, &inner, "constraints", &intent.constraints);
    let criteria = intent.acceptance_criteria.iter().map(|criterion| match criterion {
        Criterion::Text(text) => scalar(text),
        Criterion::Run { run } => format!("run: {}", scalar(run)),
    });
    entries(&mut text, &inner, "acceptance_criteria", criteria.collect());
    text
}

fn list(text: &mut String, inner: &str, key: &str, texts: &[impl AsRef<str>]) {
    entries(text, inner, key, texts.iter().map(|it| scalar(it.as_ref())).collect());
}

fn entries(text: &mut String, inner: &str, key: &str, entries: Vec<String>) {
    if entries.is_empty() {
        let _ = writeln!(text, "{inner}{key}: []");
        return;
    }
    let _ = writeln!(text, "{inner}{key}:");
    for entry in entries {
        let _ = writeln!(text, "{inner}  - {entry}");
    }
}
