//! The same event announced twice.
//!
//! A host that reads our registration from two of its settings files fires every hook twice,
//! and some hosts tell the same thing again and again. The second gets the first one's
//! answer and leaves no second trace.

use event::{Decision, Detail, Event, TurnId};
use host::Host;
use serde_json::{Map, Value};
use store::fingerprint;

use crate::{EventRecord, record};

/// How long a host without call ids may take to announce one event to both of its hooks.
/// A model that tries the same thing again needs longer than this to come back.
const A_MOMENT_MS: u64 = 1000;

/// By what a repetition is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mark {
    /// What it has in common with the first.
    pub key: String,
    reach: Reach,
}

/// How far back the first may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// The key says it all.
    Any,
    /// Just now.
    Moment,
    /// In this turn, and it was let through.
    Turn,
}

impl Mark {
    /// Returns what repetitions of an event are known by; nothing if it cannot be told from
    /// a model that tries again.
    ///
    /// WHY by host: Copilot gives its calls no id and reads `.claude/settings.json` beside its
    /// own file; Qwen announces the prompt before every call of the model, and Gemini the
    /// compression, whether it compresses or not.
    pub(crate) fn of(event: &Event, host: Host, turn: TurnId) -> Option<Self> {
        let name = event.name().as_str();
        let mark = |parts: &[&str], reach| Some(Self { key: key(name, parts), reach });
        match (host, &event.detail) {
            (_, Detail::PreToolUse { call } | Detail::PostToolUse { call, .. }) => {
                let input = call.input.to_string();
                match &call.id {
                    Some(id) => mark(&[id, &call.name, &input], Reach::Any),
                    None if host == Host::CopilotCli => mark(&[&call.name, &input], Reach::Moment),
                    None => None,
                }
            }
            (Host::CopilotCli, Detail::UserPromptSubmit { prompt }) => mark(&[prompt], Reach::Moment),
            (
                Host::CopilotCli,
                Detail::SessionStart { .. } | Detail::Stop { .. } | Detail::PreCompact { .. },
            ) => mark(&[], Reach::Moment),
            (Host::Qwen, Detail::UserPromptSubmit { prompt }) => mark(&[prompt], Reach::Turn),
            (Host::Gemini, Detail::PreCompact { .. }) => mark(&[&turn.to_string()], Reach::Any),
            _ => None,
        }
    }

    /// Finds the decision that the first was given, in the last lines of a journal.
    pub(crate) fn decision_in(&self, lines: &str, now_ms: u64) -> Option<Decision> {
        let needle = format!("\"callKey\":\"{}\"", self.key);
        // The same words may stand in the input of another call.
        let is_first = |data: &Map<String, Value>| {
            data.get("callKey").and_then(Value::as_str) == Some(self.key.as_str())
        };
        // The key comes first in the data, so most of a line needs no look.
        let begins_with_key = |line: &&str| data_of(line).is_some_and(|data| data.starts_with(&needle));
        let in_reach = |line: &&str| self.reach != Reach::Turn || !ends_turn(line);
        let candidates = lines.lines().rev().take_while(in_reach).filter(begins_with_key);
        let (ts, data) = candidates.filter_map(dispatcher_line).find(|(_, data)| is_first(data))?;
        if self.reach == Reach::Moment && now_ms.saturating_sub(ts) > A_MOMENT_MS {
            return None;
        }
        decision(&data).filter(|decision| self.reach != Reach::Turn || !decision.is_deny())
    }
}

fn key(name: &str, parts: &[&str]) -> String {
    fingerprint(std::iter::once(name).chain(parts.iter().copied()).map(str::as_bytes)).short()
}

/// Returns what follows the brace that opens a line's data, the first one within the line: before it
/// there are only names and numbers of ours.
fn data_of(line: &str) -> Option<&str> {
    let (before, data) = line.strip_prefix('{')?.split_once('{')?;
    before.ends_with("\"data\":").then_some(data)
}

fn ends_turn(line: &str) -> bool {
    line.contains("\"hookRunId\":\"Stop-") && dispatcher_line(line).is_some()
}

fn dispatcher_line(line: &str) -> Option<(u64, Map<String, Value>)> {
    let data = record::of_dispatcher(line)?;
    Some((serde_json::from_str::<EventRecord>(line).ok()?.ts, data))
}

fn decision(data: &Map<String, Value>) -> Option<Decision> {
    let reason = || data.get("reason").and_then(Value::as_str).unwrap_or_default().to_owned();
    match data.get("decision")?.as_str()? {
        "abstain" => Some(Decision::Abstain),
        "allow" => Some(Decision::Allow),
        "ask" => Some(Decision::Ask { reason: reason() }),
        "deny" => Some(Decision::Deny { reason: reason() }),
        _ => None,
    }
}
