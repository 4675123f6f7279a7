//! Names of machines that carry the output of a command to the server of the domain behind it.

use super::{Call, Walker};
use crate::guard::RuleId;
use crate::text::{Taint, Text};

/// Programs that ask for the machine their operand names.
const ASKERS: [&str; 17] = [
    "dig",
    "nslookup",
    "host",
    "drill",
    "kdig",
    "delv",
    "resolvectl",
    "getent",
    "ping",
    "ping6",
    "fping",
    "traceroute",
    "tracepath",
    "mtr",
    "curl",
    "wget",
    "http",
];

impl Walker<'_> {
    /// Records that the output of a command is a part of the name of the machine that `call` asks.
    pub(super) fn names_host_by_output(&mut self, call: &Call) {
        if !ASKERS.contains(&call.name.as_str()) {
            return;
        }
        if let Some(word) = call.rest().iter().find(|word| carries_output(word)) {
            self.risk(RuleId::OutputInHostName, word.text.clone(), call.span);
        }
    }
}

/// `$(whoami).x.org`, `https://$(id).x.org/`: an unknown part that a program printed, with a domain behind it.
fn carries_output(word: &Text) -> bool {
    if !word.taint.has(Taint::PRINTED) || word.is_known() {
        return false;
    }
    let start = word.text.find("://").map_or(0, |at| at + 3);
    word.holes.iter().any(|(from, to)| {
        let behind = word.text.get(*to..).unwrap_or("");
        let host = behind.split(['/', ':', '?', '#']).next().unwrap_or("");
        // A path in front of it: the part does not belong to the name.
        let is_in_name = *from >= start && !word.text[start..*from].contains(['/', '?']);
        let labels = host.strip_prefix('.').or_else(|| host.split_once('.').map(|(_, rest)| rest));
        is_in_name && labels.is_some_and(|rest| rest.contains(|letter: char| letter.is_ascii_alphabetic()))
    })
}
