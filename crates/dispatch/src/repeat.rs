//! The same call announced twice: a host that reads our registration from two of its
//! settings files fires every hook twice. The second gets the first one's answer and
//! leaves no second trace.

use event::{Decision, Event};
use serde_json::{Map, Value};
use store::fingerprint;

use crate::record;

/// Returns what a repeated event has in common with the first; hosts that give their
/// calls no id cannot be told apart from a model that tries again.
pub(crate) fn key(event: &Event) -> Option<String> {
    let call = event.call()?;
    let id = call.id.as_ref()?;
    let input = call.input.to_string();
    let parts = [event.name().as_str().as_bytes(), id.as_bytes(), call.name.as_bytes(), input.as_bytes()];
    Some(fingerprint(parts).short())
}

/// Finds the decision a call with this key was given, in the last lines of a journal.
pub(crate) fn decision_in(lines: &str, key: &str) -> Option<Decision> {
    let needle = format!("\"callKey\":\"{key}\"");
    // The same words may stand in the input of another call.
    let is_of_call = |data: &Map<String, Value>| data.get("callKey").and_then(Value::as_str) == Some(key);
    // The key comes first in the data, so most of a line needs no look.
    let begins_with_key =
        |line: &&str| line.split_once("\"data\":{").is_some_and(|(_, data)| data.starts_with(&needle));
    let candidates = lines.lines().rev().filter(begins_with_key);
    let data = candidates.filter_map(record::of_dispatcher).find(is_of_call)?;
    let reason = || data.get("reason").and_then(Value::as_str).unwrap_or_default().to_owned();
    match data.get("decision")?.as_str()? {
        "abstain" => Some(Decision::Abstain),
        "allow" => Some(Decision::Allow),
        "ask" => Some(Decision::Ask { reason: reason() }),
        "deny" => Some(Decision::Deny { reason: reason() }),
        _ => None,
    }
}
