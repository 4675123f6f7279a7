//! Lines that set functions, aliases or variables in a shell that the host keeps open between calls.
//!
//! WHY whole lines and not the values: the reader follows them again with its own rules, so a definition means in the
//! next call exactly what it would mean on the same line. Hosts that start a shell for each command record nothing.

use serde_json::{Map, Value, json};
use session::State;

use super::NAME;
use crate::Context;

/// The key of the lines in the module's part of the state.
const KEY: &str = "shell";

/// Bytes of lines that only assign variables; the oldest go first, and a variable without its line is merely unknown.
const MAX_ASSIGNED: usize = 8 * 1024;

/// Bytes of lines that define names of commands. No such line may be forgotten: beyond this, every name is in doubt.
const MAX_DEFINED: usize = 24 * 1024;

/// Stands for definitions that no longer fit: with this folder in front, no name is known to be its program.
const IN_DOUBT: &str = "PATH=./forgotten:$PATH";

/// Returns the recorded lines, oldest first, as [`shell::Place::earlier`] takes them.
pub(crate) fn earlier_lines(context: &Context<'_>) -> String {
    if !context.host.keeps_shell() {
        return String::new();
    }
    lines(context.state).map(|(_, line)| line).collect::<Vec<_>>().join("\0")
}

/// Returns the patch that adds a line.
///
/// The keys are a number and a hash, so that the patches of calls that run at the same time commute.
pub(super) fn record(context: &Context<'_>, line: &str) -> Map<String, Value> {
    let known: Vec<_> = lines(context.state).collect();
    if known.iter().any(|(_, earlier)| *earlier == line) {
        return Map::new();
    }
    let next = known.last().map_or(0, |(key, _)| key[..8].parse::<u32>().unwrap_or(0) + 1);
    let mut entries = Map::new();
    let size = |defines: bool| -> usize {
        let of_kind = known.iter().filter(|(_, line)| is_definition(line) == defines);
        of_kind.map(|(_, line)| line.len()).sum::<usize>() + line.len()
    };
    let is_too_much = is_definition(line) && size(true) > MAX_DEFINED;
    let text = if is_too_much { IN_DOUBT } else { line };
    let mut surplus = size(false).saturating_sub(MAX_ASSIGNED);
    for (key, old) in known.iter().filter(|(_, old)| !is_definition(old)) {
        if surplus == 0 {
            break;
        }
        surplus = surplus.saturating_sub(old.len());
        entries.insert((*key).to_owned(), Value::Null);
    }
    let hash =
        text.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    entries.insert(format!("{next:08}-{hash:08x}"), json!(text));
    let feature = json!({NAME: {KEY: entries}});
    Map::from_iter([("features".to_owned(), feature)])
}

fn lines(state: &State) -> impl Iterator<Item = (&str, &str)> {
    let lines = state.features.get(NAME).and_then(|own| own.get(KEY)).and_then(Value::as_object);
    lines.into_iter().flatten().filter_map(|(key, line)| {
        let is_ours = key.len() > 8 && key.is_char_boundary(8);
        Some((key.as_str(), line.as_str()?)).filter(|_| is_ours)
    })
}

/// Returns whether a line may give a name another command; a line that merely mentions these words counts, too.
fn is_definition(line: &str) -> bool {
    ["alias", "()", "function", "PATH", "hash", "enable", "source", ". ", "eval", "_ENV", "LD_", "DYLD_"]
        .iter()
        .any(|sign| line.contains(sign))
}
