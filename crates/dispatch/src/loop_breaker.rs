//! Recognises an agent that repeats a call that is denied or fails, and tells it so.
//!
//! Counts per agent the denials and failures since the last call that may have changed something. The same call so many
//! times in a row, or two calls in alternation, get a stronger answer; after twice as many the session is held.
//!
//! WHY no module: only the final verdict tells whether a call is denied.

mod poll;
mod streak;

use event::{ContextNote, Detail, Outcome, ToolCall};
use modules::Context;
use project_config::LoopSettings;
use serde_json::{Map, Value, json};
use session::allowance;

use crate::merged_verdict::MergedVerdict;

use streak::Streak;

/// The name under which the state lists it.
pub(crate) const NAME: &str = "loop-breaker";

/// How many agents of a session are watched.
const MAX_AGENTS: usize = 16;

/// The start of the reason of a session that is held because of a loop.
pub(crate) const HELD_BY_LOOP: &str = "loop: ";

/// The changes besides the verdict.
#[derive(Debug)]
pub(crate) struct Watched {
    /// The new count, for the state.
    pub(crate) patch: Map<String, Value>,
    /// Why the session is to be held.
    pub(crate) hold: Option<String>,
}

/// Counts a call whose verdict is final. Returns `None` if nothing changes: then it costs a look at the state.
pub(crate) fn watch(context: &Context<'_>, merged: &mut MergedVerdict) -> Option<Watched> {
    match &context.event.detail {
        Detail::PreToolUse { .. } if merged.verdict.decision.is_deny() => {}
        Detail::PostToolUse { .. } => {}
        // The person has seen what happened and wants something.
        Detail::UserPromptSubmit { .. } => return forgotten(context),
        _ => return None,
    }
    let agent = context.ids.agent.to_string();
    let known = context.state.features.get(NAME).and_then(Value::as_object);
    let earlier = known.and_then(|known| known.get(&agent)).map(Streak::parse).unwrap_or_default();
    let (call, failure) = match &context.event.detail {
        Detail::PreToolUse { call } if merged.verdict.decision.is_deny() => (call, Failure::Denied),
        Detail::PostToolUse { outcome: Outcome::Failed { error, .. }, .. }
            if poll::is_interruption(error) =>
        {
            return None;
        }
        Detail::PostToolUse { call, outcome: Outcome::Failed { error, .. } } => {
            (call, Failure::Failed { error: error.clone() })
        }
        // A call that may have changed something is a new situation.
        Detail::PostToolUse { call, outcome: Outcome::Done { .. } }
            if !earlier.is_empty() && !is_read_only(context, call) =>
        {
            return Some(Watched { patch: patch(&agent, &Value::Null), hold: None });
        }
        _ => return None,
    };
    count(context, merged, call, &failure, earlier, (&agent, known))
}

/// How a call ended.
enum Failure {
    Denied,
    Failed { error: String },
}

/// WHY not inlined: only a denied or failed call pays for the stack frame.
#[inline(never)]
fn count(
    context: &Context<'_>,
    merged: &mut MergedVerdict,
    call: &ToolCall,
    failure: &Failure,
    earlier: Streak,
    (agent, known): (&str, Option<&Map<String, Value>>),
) -> Option<Watched> {
    let settings: LoopSettings = context.config.typed(LoopSettings::SECTION).unwrap_or_default();
    let after = settings.after.min(100) as usize;
    if after == 0 || matches!(failure, Failure::Failed { error } if poll::is_poll(context, call, error)) {
        return None;
    }
    let streak = earlier.with(key(call, failure), after);
    let times = streak.repetitions();
    let mut hold = None;
    if times >= after {
        let text = advice(call, failure, times, times < streak.len_of_pattern());
        match &mut merged.verdict.decision {
            event::Decision::Deny { reason } => *reason = format!("{text}\n{reason}"),
            _ => merged.verdict.context.push(ContextNote { key: NAME.to_owned(), value: text }),
        }
        if times >= 2 * after {
            let why = format!("{HELD_BY_LOOP}{} was denied or failed {times} times in a row", call.name);
            merged.verdict.warnings.push(format!(
                "this session is held, because {} was denied or failed {times} times in a row; review it with \
                 `steersman session show`, then run `steersman release`",
                call.name
            ));
            hold = Some(why);
        }
    }
    // A held session starts again from nothing.
    let value = if hold.is_some() { Value::Null } else { streak.to_value() };
    let mut patch = patch(agent, &value);
    if let Some(oldest) = known.and_then(|known| oldest_besides(known, agent)) {
        patch["features"][NAME][oldest] = Value::Null;
    }
    Some(Watched { patch, hold })
}

/// Returns the agent to forget so that another can be watched: the one that started first. The main agent stays.
fn oldest_besides<'a>(known: &'a Map<String, Value>, agent: &str) -> Option<&'a str> {
    let watched = known.iter().filter(|(_, streak)| !streak.is_null());
    if watched.clone().count() < MAX_AGENTS || known.get(agent).is_some_and(|streak| !streak.is_null()) {
        return None;
    }
    let number = |name: &str| name.get(1..).and_then(|digits| digits.parse::<u64>().ok());
    let subagents =
        watched.map(|(name, _)| name.as_str()).filter(|name| number(name).is_some_and(|it| it > 0));
    subagents.min_by_key(|name| number(name))
}

/// Returns the change of the state that forgets the failures of every agent. Returns `None` without failures.
fn forgotten(context: &Context<'_>) -> Option<Watched> {
    let known = context.state.features.get(NAME).and_then(Value::as_object)?;
    let agents = known.iter().filter(|(_, streak)| !streak.is_null());
    let nothing: Map<String, Value> = agents.map(|(agent, _)| (agent.clone(), Value::Null)).collect();
    let patch = || Map::from_iter([("features".to_owned(), json!({NAME: nothing}))]);
    (!nothing.is_empty()).then(|| Watched { patch: patch(), hold: None })
}

fn patch(agent: &str, streak: &Value) -> Map<String, Value> {
    Map::from_iter([("features".to_owned(), json!({NAME: {agent: streak}}))])
}

/// Returns the message: the failed call, that it will not work, and the alternative.
fn advice(call: &ToolCall, failure: &Failure, times: usize, alternates: bool) -> String {
    let what = if alternates {
        "You alternate between two calls that do not work"
    } else {
        "You repeat a call that does not work"
    };
    let tried = match &call.command {
        Some(command) => format!("`{}`", command.text.chars().take(200).collect::<String>()),
        None => call.name.clone(),
    };
    let ended = match failure {
        Failure::Denied => "was denied",
        Failure::Failed { .. } => "failed",
    };
    format!(
        "{what}: {tried} {ended} {times} times in a row, and it will do so again, whatever its spelling. Do not try it \
         again. Instead: read the message, change what it complains about, or tell the user what you tried and what \
         you need."
    )
}

/// Returns the key that two repetitions share: the call, and how it ended. Numbers such as durations do not count.
fn key(call: &ToolCall, failure: &Failure) -> String {
    let what = match &call.command {
        // Its description and time limit may differ.
        Some(command) => {
            format!("{} {}", command.cwd.as_deref().unwrap_or_default(), normalised(&command.text))
        }
        None => allowance::key(call),
    };
    let ended = match failure {
        // Whatever the reason: it is the call that does not work.
        Failure::Denied => String::from("denied"),
        Failure::Failed { error } => {
            error.chars().filter(|letter| !letter.is_ascii_digit()).take(4000).collect()
        }
    };
    store::fingerprint([call.name.as_bytes(), what.as_bytes(), ended.as_bytes()]).short()
}

/// Returns a command line without its comments, and with one space where several are, outside of quotes.
fn normalised(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let (mut quote, mut is_comment, mut is_escaped) = (None, false, false);
    for letter in line.chars() {
        if is_comment && letter != '\n' {
            continue;
        }
        is_comment = false;
        let is_bare = quote.is_none() && !is_escaped;
        let at_start = text.is_empty() || text.ends_with(' ');
        match letter {
            '#' if is_bare && at_start => is_comment = true,
            _ if is_bare && letter.is_whitespace() => text.push_str(if at_start { "" } else { " " }),
            _ => text.push(letter),
        }
        match (letter, quote) {
            ('\'' | '"', None) if !is_escaped => quote = Some(letter),
            (letter, Some(open)) if letter == open && !is_escaped => quote = None,
            _ => {}
        }
        is_escaped = letter == '\\' && !is_escaped && quote != Some('\'');
    }
    text.truncate(text.trim_end().len());
    text
}

/// Returns whether a call is proven to change nothing.
fn is_read_only(context: &Context<'_>, call: &ToolCall) -> bool {
    use event::ToolKind::{Fetch, Harmless, Read, Search};
    match &call.command {
        Some(command) => context.reading(command).is_read_only(),
        None => matches!(call.kind, Read | Search | Fetch | Harmless),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_and_comments_do_not_make_another_call() {
        for (line, expected) in [
            ("sudo rm -rf /   ", "sudo rm -rf /"),
            ("cargo  test\t-p x # try 2", "cargo test -p x"),
            ("# first\ncargo test", "cargo test"),
            ("echo 'a  b'  # c", "echo 'a  b'"),
            ("echo \"a # b\"", "echo \"a # b\""),
            ("echo a#b", "echo a#b"),
            (r"echo \'  # c", r"echo \'"),
        ] {
            assert_eq!(normalised(line), expected, "{line}");
        }
    }

    #[test]
    fn the_oldest_subagent_makes_room() {
        let of = |names: &[&str]| {
            names.iter().map(|name| ((*name).to_owned(), Value::from("k"))).collect::<Map<_, _>>()
        };
        let names: Vec<String> = (2..17).map(|n| format!("a{n:02}")).chain(["u00".to_owned()]).collect();
        let known = of(&names.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(oldest_besides(&known, "a17"), Some("a02"));
        assert_eq!(oldest_besides(&known, "a05"), None);
        assert_eq!(oldest_besides(&of(&["a01"]), "a17"), None);
    }
}
