//! Reports of the last turn's end that the model has not read: most hosts take no text for it when a turn ends.

use event::{ContextNote, EventName, LineKind};
use intent::journal::{Forged, JournalRecord, ScopeDrift};
use serde_json::Value;

use super::{drift, forged};
use crate::{Context, IntentSettings};

/// Returns the reports of the runs since the last prompt whose text the host could not pass on.
pub(super) fn of(context: &Context<'_>) -> Vec<ContextNote> {
    if IntentSettings::observes(context.config) {
        return Vec::new();
    }
    let lines: Vec<Value> = context
        .journal_tail
        .lines()
        .lines()
        .rev()
        .take_while(|line| !line.contains(&kind_field(LineKind::Prompt)))
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let kind = |line: &Value| line["type"].as_str().map(str::to_owned);
    let dropped: Vec<&Value> = lines
        .iter()
        .filter(|line| kind(line).as_deref() == Some(LineKind::HookRun.name()) && lost_text(&line["data"]))
        .map(|line| &line["hookRunId"])
        .collect();
    let note = |line: &Value| {
        if !dropped.contains(&&line["hookRunId"]) {
            return None;
        }
        let name = kind(line)?;
        if name == ScopeDrift::KIND.name() {
            Some(drift::note(&ScopeDrift::from_data(&line["data"])?))
        } else if name == Forged::KIND.name() {
            Some(forged::note(&Forged::from_data(&line["data"])?))
        } else {
            None
        }
    };
    lines.iter().rev().filter_map(note).map(of_last_turn).collect()
}

/// Returns whether a run ended a turn and the host dropped its text for the model.
fn lost_text(run: &Value) -> bool {
    let ends_turn = [EventName::Stop, EventName::SubagentStop].map(EventName::as_str);
    let dropped = run["dropped"].as_array().into_iter().flatten();
    ends_turn.iter().any(|name| run["event"] == **name) && dropped.into_iter().any(|it| it == CONTEXT)
}

/// How a run's record names text for the model.
const CONTEXT: &str = "context";

fn kind_field(kind: LineKind) -> String {
    format!("\"type\":\"{}\"", kind.name())
}

fn of_last_turn(note: ContextNote) -> ContextNote {
    ContextNote { value: format!("Found when the last turn had ended. {}", note.value), ..note }
}
