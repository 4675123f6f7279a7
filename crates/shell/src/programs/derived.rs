//! Derives commands from the wrappers of the table: what is denied alone stays denied, what is harmless is never denied.

use super::wrappers::{KINDS, Wrapper};
use crate::guard::{self, Policy, Verdict};
use crate::{Place, read};

/// The command in the examples of the table.
const EXAMPLE: &str = "rm -rf /";

/// Spellings of commands that are denied, without quotes of the kind that examples have around them.
const DENIED: [&str; 14] = [
    "rm -rf /",
    "rm -fr /etc",
    "rm -r -f /",
    "rm --recursive --force /",
    "rm --recurs --forc /usr",
    "\\rm -rf /",
    "/bin/rm -rf /",
    "/usr/bin/rm -Rf /home",
    "r\"\"m -rf /",
    "\"rm\" -rf /",
    "rm -rf //",
    "rm -rf /./",
    "rm -rf -- /",
    "find / -delete",
];

/// Harmless commands of the same shape.
const HARMLESS: [&str; 4] = ["ls -la /", "cat README.md", "rm -rf /tmp/x", "find . -name x"];

fn verdict(line: &str) -> Verdict {
    let place = Place { home: Some("/home/me"), ..Place::at("/home/me/work/project") };
    guard::judge(&read(line, &place), &Policy::default()).verdict
}

/// Examples that hold the whole command, with their wrappers.
fn examples() -> impl Iterator<Item = (&'static Wrapper, &'static str)> {
    KINDS
        .into_iter()
        .flatten()
        .flat_map(|wrapper| wrapper.matches.iter().map(move |line| (wrapper, *line)))
        .filter(|(_, line)| line.contains(EXAMPLE))
}

#[test]
fn a_denied_command_stays_denied_under_every_wrapper_and_spelling() {
    let mut wrong = Vec::new();
    let mut n = 0;
    for (wrapper, example) in examples() {
        for command in DENIED {
            // Inside of double quotes the spelling would end them.
            if example.contains('"') && command.contains('"') {
                continue;
            }
            n += 1;
            let line = example.replace(EXAMPLE, command);
            if verdict(&line) == Verdict::Allow {
                wrong.push(format!("{}: {line}", wrapper.name));
            }
        }
    }
    assert!(n > 1500, "only {n} lines");
    assert!(wrong.is_empty(), "{} of {n} pass:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_harmless_command_is_not_denied_under_any_wrapper() {
    let mut wrong = Vec::new();
    for (wrapper, example) in examples() {
        for command in HARMLESS {
            let line = example.replace(EXAMPLE, command);
            if verdict(&line) == Verdict::Deny {
                wrong.push(format!("{}: {line}", wrapper.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} denied:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn wrappers_inside_of_wrappers_hide_nothing() {
    let mut wrong = Vec::new();
    let mut n = 0;
    let plain = |line: &str| !line.contains(['\'', '"', '|', '<']);
    for (outer, around) in examples().filter(|(_, line)| plain(line)) {
        for (inner, line) in examples().filter(|(_, line)| plain(line)) {
            n += 1;
            let line = around.replace(EXAMPLE, line);
            if verdict(&line) == Verdict::Allow {
                wrong.push(format!("{} {}: {line}", outer.name, inner.name));
            }
        }
    }
    assert!(n > 10_000, "only {n} lines");
    assert!(wrong.is_empty(), "{} of {n} pass:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
}
