//! `steersman intent show [ID] [--json]`
//!
//! With `--json`: the intent with `id`, `name`, `description`, `status`, `selected`, `ownedScope`,
//! `constraints`, `acceptanceCriteria`, `metadata`, and `scopeRequests` that nobody answered yet.

use intent::{ExpansionRequest, ExpansionRequests, Intent, IntentId, IntentsFile, Pattern, Selection};
use serde_json::{Value, json};

use super::{list, refusal, wire};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::paint::{FAINT, STRONG, paint};
use crate::output::{self, print, text};

/// Show an intent with everything that belongs to it
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The intent; without one, the one that is selected for this workspace
    #[arg(value_parser = id)]
    id: Option<IntentId>,
    /// Print JSON: {id, name, description, status, selected, ownedScope, constraints, acceptanceCriteria,
    /// metadata, scopeRequests}
    #[arg(long)]
    json: bool,
}

/// Reads an id from the command line.
pub(crate) fn id(text: &str) -> Result<IntentId, String> {
    IntentId::parse(text).map_err(|error| error.to_string())
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let intents = match refusal::read(place)? {
        Ok(intents) => intents,
        Err(exit) => return Ok(exit),
    };
    let selection = refusal::selection(place);
    let Some(id) = args.id.as_ref().or(selection.as_ref().map(|selection| &selection.intent_id)) else {
        output::complain("no intent is named, and none is selected for this workspace");
        output::hint("`steersman intent list` lists them");
        return Ok(Exit::No);
    };
    let Some(intent) = intents.get(id) else { return Ok(refusal::unknown(id, &intents)) };
    let requests = requests_of(place, &intents, id)?;
    if args.json {
        let mut value = wire::intent(intent, selection.as_ref());
        let requests: Vec<Value> = requests
            .iter()
            .map(|it| json!({"request": it.key(), "pattern": it.pattern, "reason": it.reason, "timestamp": it.timestamp}))
            .collect();
        value["scopeRequests"] = requests.into();
        output::json(&value)?;
        return Ok(Exit::Fine);
    }
    draw(intent, selection.as_ref(), &requests);
    Ok(Exit::Fine)
}

fn requests_of(place: &Place, intents: &IntentsFile, id: &IntentId) -> anyhow::Result<Vec<ExpansionRequest>> {
    let mut open = ExpansionRequests::of(&place.workspace).open(&intents.intents)?;
    open.retain(|request| request.intent_id == *id);
    Ok(open)
}

fn draw(intent: &Intent, selection: Option<&Selection>, requests: &[ExpansionRequest]) {
    let columns = output::columns().unwrap_or(100);
    let head = format!("{} {}", intent.id, text::one_line(&intent.name));
    print(format_args!(
        "{}  {}",
        paint(STRONG, &head),
        paint(list::style(intent.status), intent.status.as_str())
    ));
    if let Some(selection) = selection.filter(|selection| selection.intent_id == intent.id) {
        print(format_args!(
            "{}",
            paint(FAINT, &format!("selected for this workspace since {}", text::one_line(&selection.since)))
        ));
    }
    if !intent.description.is_empty() {
        print(format_args!(""));
        for line in text::wrap(&intent.description, columns) {
            print(format_args!("{line}"));
        }
    }
    points("May write", intent.owned_scope.iter().map(Pattern::as_str), columns);
    points("Has to keep to", intent.constraints.iter().map(String::as_str), columns);
    points("Is done when", intent.acceptance_criteria.iter().map(String::as_str), columns);
    if let Value::Object(metadata) = &intent.metadata
        && !metadata.is_empty()
    {
        let lines: Vec<String> = metadata.iter().map(|(key, value)| format!("{key}: {value}")).collect();
        points("Also noted", lines.iter().map(String::as_str), columns);
    }
    if !requests.is_empty() {
        let lines: Vec<String> =
            requests.iter().map(|it| format!("{} {} ({})", it.key(), it.pattern, it.reason)).collect();
        points("An agent asked to write", lines.iter().map(String::as_str), columns);
        output::hint("`steersman intent expand --accept REQUEST` grants one, `--decline REQUEST` does not");
    }
}

fn points<'a>(title: &str, entries: impl Iterator<Item = &'a str>, columns: usize) {
    let mut entries = entries.peekable();
    if entries.peek().is_none() {
        return;
    }
    print(format_args!("\n{}", paint(FAINT, title)));
    for entry in entries {
        for (index, line) in text::wrap(entry, columns.saturating_sub(4)).iter().enumerate() {
            print(format_args!("  {} {line}", if index == 0 { "-" } else { " " }));
        }
    }
}
