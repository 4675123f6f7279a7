//! `steersman intent expand [ID GLOB | --accept REQUEST… | --decline REQUEST…] [--json]`
//!
//! With `--json`: `{"requests": […], "accepted": […], "declined": […]}`, each request with `request`,
//! `intent`, `pattern`, `reason` and `timestamp`; `requests` are the open ones.

use intent::{ExpansionRequest, ExpansionRequests, IntentId, IntentsFile, WorkspaceIntents};
use serde_json::{Value, json};

use super::error_output;
use super::show::id;
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::paint::STRONG;
use crate::output::table::{Cell, Column, Table};
use crate::output::{self, print, text};
use crate::person;

/// Widen the scope of an intent, or answer agents' requests to widen it
///
/// Without arguments, lists the open requests. A declined request stays declined if an agent asks again.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The intent whose scope to widen
    #[arg(value_parser = id, requires = "glob", conflicts_with_all = ["accept", "decline"])]
    id: Option<IntentId>,
    /// The glob to add to its scope
    glob: Option<String>,
    /// Accept these requests
    #[arg(long, value_name = "REQUEST", num_args = 1..)]
    accept: Vec<String>,
    /// Decline these requests
    #[arg(long, value_name = "REQUEST", num_args = 1..)]
    decline: Vec<String>,
    /// Print JSON: {"requests": [{request, intent, pattern, reason, timestamp}], "accepted", "declined"}
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let is_change = args.id.is_some() || !args.accept.is_empty() || !args.decline.is_empty();
    if is_change && let Some(exit) = person::refusal(place, "intent expand") {
        return Ok(exit);
    }
    let intents = match error_output::read(place)? {
        Ok(intents) => intents,
        Err(exit) => return Ok(exit),
    };
    if let (Some(id), Some(glob)) = (&args.id, &args.glob) {
        if intents.get(id).is_none() {
            return Ok(error_output::unknown(id, &intents));
        }
        if let Err(error) = WorkspaceIntents::of(&place.workspace).expand(id, glob) {
            return error_output::not_changed(error);
        }
        person::changed_intents(place);
        if args.json {
            return list(args, place, &[], &[]);
        }
        output::note(&format!("✓ {id} may now write {}", text::one_line(glob)));
        return Ok(Exit::Fine);
    }
    let requests = ExpansionRequests::of(&place.workspace);
    let open = requests.open(&intents.intents)?;
    let (Some(accepted), Some(declined)) = (named(&args.accept, &open), named(&args.decline, &open)) else {
        return Ok(Exit::No);
    };
    for request in &accepted {
        let expanded = WorkspaceIntents::of(&place.workspace).expand(&request.intent_id, &request.pattern);
        if let Err(error) = expanded {
            return error_output::not_changed(error);
        }
        person::changed_intents(place);
        note_unless_json(
            args,
            &format!("✓ {} may now write {}", request.intent_id, text::one_line(&request.pattern)),
        );
    }
    for request in &declined {
        requests.decline(request, store::now())?;
        let pattern = text::one_line(&request.pattern);
        note_unless_json(
            args,
            &format!("✓ {} may not write {pattern}; repeated requests are declined", request.intent_id),
        );
    }
    if accepted.is_empty() && declined.is_empty() || args.json {
        return list(args, place, &accepted, &declined);
    }
    Ok(Exit::Fine)
}

fn note_unless_json(args: &Args, sentence: &str) {
    if !args.json {
        output::note(sentence);
    }
}

/// Finds the named requests. Reports an unknown name and returns `None`.
fn named(names: &[String], open: &[ExpansionRequest]) -> Option<Vec<ExpansionRequest>> {
    let mut found = Vec::new();
    for name in names {
        let Some(request) = open.iter().find(|request| request.key() == *name) else {
            output::error(&format!("no open request has the id `{}`", text::one_line(name)));
            output::hint("run `steersman intent expand` for the open requests");
            return None;
        };
        found.push(request.clone());
    }
    Some(found)
}

fn list(
    args: &Args,
    place: &Place,
    accepted: &[ExpansionRequest],
    declined: &[ExpansionRequest],
) -> anyhow::Result<Exit> {
    let intents = WorkspaceIntents::of(&place.workspace).read()?;
    let intents = intents.unwrap_or(IntentsFile { intents: Vec::new(), warnings: Vec::new() });
    let open = ExpansionRequests::of(&place.workspace).open(&intents.intents)?;
    if args.json {
        let all = |requests: &[ExpansionRequest]| requests.iter().map(to_json).collect::<Vec<Value>>();
        output::json(&json!({"requests": all(&open), "accepted": all(accepted), "declined": all(declined)}))?;
        return Ok(Exit::Fine);
    }
    if open.is_empty() {
        output::note("no open requests");
        return Ok(Exit::Fine);
    }
    let mut table = Table::new([
        Column::whole("REQUEST"),
        Column::whole("INTENT"),
        Column::left("WANTS TO WRITE"),
        Column::left("BECAUSE"),
        Column::left("ASKED, UTC"),
    ]);
    for request in &open {
        table.push([
            Cell::styled(request.key(), STRONG),
            request.intent_id.as_str().into(),
            text::one_line(&request.pattern).into(),
            text::one_line(&request.reason).into(),
            request.timestamp.get(..16).unwrap_or_default().replace('T', " ").into(),
        ]);
    }
    for line in table.lines(output::columns()) {
        print(format_args!("{line}"));
    }
    output::hint("answer with `steersman intent expand --accept REQUEST` or `--decline REQUEST`");
    Ok(Exit::Fine)
}

fn to_json(request: &ExpansionRequest) -> Value {
    json!({
        "request": request.key(),
        "intent": request.intent_id.as_str(),
        "pattern": request.pattern,
        "reason": request.reason,
        "timestamp": request.timestamp,
    })
}
