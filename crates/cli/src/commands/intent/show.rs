//! `steersman intent show [ID] [--json]`
//!
//! With `--json`: the intent with `id`, `name`, `description`, `status`, `selected`, `ownedScope`,
//! `constraints`, `acceptanceCriteria`, `metadata`, and the open `scopeRequests`.

use intent::{ExpansionRequest, ExpansionRequests, Intent, IntentId, IntentsFile, Pattern, Selection};
use serde_json::{Value, json};

use super::{error_output, list, to_json};
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::paint::{FAINT, STRONG, paint};
use crate::output::{self, print, text};

/// Show an intent with its scope, constraints and requests
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The intent [default: the selected intent of this workspace]
    #[arg(value_parser = id)]
    id: Option<IntentId>,
    /// Print JSON: {id, name, description, status, selected, ownedScope, constraints, acceptanceCriteria,
    /// metadata, scopeRequests}
    #[arg(long)]
    json: bool,
}

/// Parses an id from the command line.
pub(crate) fn id(text: &str) -> Result<IntentId, String> {
    IntentId::parse(text).map_err(|error| error.to_string())
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let intents = match error_output::read(place)? {
        Ok(intents) => intents,
        Err(exit) => return Ok(exit),
    };
    let selection = error_output::selection(place);
    let Some(id) = args.id.as_ref().or(selection.as_ref().map(|selection| &selection.intent_id)) else {
        output::error("no intent is selected for this workspace");
        output::hint("pass an id; `steersman intent list` lists them");
        return Ok(Exit::No);
    };
    let Some(intent) = intents.get(id) else { return Ok(error_output::unknown(id, &intents)) };
    let requests = requests_of(place, &intents, id)?;
    if args.json {
        let mut value = to_json(intent, selection.as_ref());
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
    output::prose(format_args!(
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
    points("Constraints", intent.constraints.iter().map(String::as_str), columns);
    let criteria: Vec<String> = intent.acceptance_criteria.iter().map(ToString::to_string).collect();
    points("Acceptance criteria", criteria.iter().map(String::as_str), columns);
    if let Value::Object(metadata) = &intent.metadata
        && !metadata.is_empty()
    {
        let lines: Vec<String> = metadata.iter().map(|(key, value)| format!("{key}: {value}")).collect();
        points("Metadata", lines.iter().map(String::as_str), columns);
    }
    if !requests.is_empty() {
        let lines: Vec<String> =
            requests.iter().map(|it| format!("{} {} ({})", it.key(), it.pattern, it.reason)).collect();
        points("Open scope requests", lines.iter().map(String::as_str), columns);
        output::hint("answer with `steersman intent expand --accept REQUEST` or `--decline REQUEST`");
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
