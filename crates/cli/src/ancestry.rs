//! The automations that led to this process, by its environment or that of its ancestors.
//!
//! WHY the ancestors: a script that clears its environment before it calls steersman would otherwise count as a
//! person and trigger its own automation for ever.

use std::fs;

use automation::Chain;

use crate::environment;

/// More ancestors than a process has.
const MOST: usize = 64;

/// Returns the automations that led to this process; empty if a person started it.
pub(crate) fn automation_chain() -> Chain {
    let own = environment::automation_chain();
    if !own.is_empty() {
        return own;
    }
    let first = parent_of("self");
    let ancestors = std::iter::successors(first, |pid| parent_of(pid)).take(MOST);
    ancestors.map(|pid| chain_of(&pid)).find(|chain| !chain.is_empty()).unwrap_or_default()
}

/// Returns the parent of a process; `None` for the first of the system, or without a `/proc`.
fn parent_of(pid: &str) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The program's name is in parentheses and may contain anything.
    let parent = stat[stat.rfind(')')? + 1..].split_ascii_whitespace().nth(1)?.to_owned();
    (parent != "0").then_some(parent)
}

fn chain_of(pid: &str) -> Chain {
    let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    let name = format!("{}=", Chain::VARIABLE);
    let value = environment.split(|byte| *byte == 0).find_map(|entry| entry.strip_prefix(name.as_bytes()));
    value.map(|value| Chain::from_variable(&String::from_utf8_lossy(value))).unwrap_or_default()
}
