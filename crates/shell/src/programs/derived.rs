//! Derives commands from the wrappers of the table: a command that is denied alone stays denied, a harmless one passes.

use super::wrappers::{Inner, KINDS, Wrapper};
use crate::guard::{self, GuardDecision, Policy};
use crate::reading::Site;
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

fn verdict(line: &str) -> GuardDecision {
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
            if verdict(&line) == GuardDecision::Allow {
                wrong.push(format!("{}: {line}", wrapper.name));
            }
        }
    }
    assert!(n > 1500, "only {n} lines");
    assert!(wrong.is_empty(), "{} of {n} pass:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_harmless_command_passes_under_every_wrapper_that_gives_no_rights() {
    let mut wrong = Vec::new();
    let mut n = 0;
    for (wrapper, example) in examples() {
        for command in HARMLESS {
            n += 1;
            let line = example.replace(EXAMPLE, command);
            let verdict = verdict(&line);
            // Other rights, and deleting on another machine, are asked about.
            let is_asked = wrapper.privilege || wrapper.site == Site::Remote || line.starts_with("sshpass");
            if verdict == GuardDecision::Deny || verdict == GuardDecision::Ask && !is_asked {
                wrong.push(format!("{}: {line}", wrapper.name));
            }
        }
    }
    assert!(n > 900, "only {n} lines");
    assert!(wrong.is_empty(), "{} of {n} held back:\n{}", wrong.len(), wrong.join("\n"));
}

/// An example cut in front of the options of the wrapper: its name with the subcommand, and the rest.
fn cut(wrapper: &Wrapper, example: &'static str) -> Option<(&'static str, &'static str)> {
    let words: Vec<&str> = example.split(' ').collect();
    let subs =
        wrapper.sub.split('|').map(|sub| sub.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>());
    let n = subs
        .filter(|sub| sub.iter().zip(&words[1..]).all(|(part, word)| *part == "*" || part == word))
        .map(|sub| sub.len())
        .max()?;
    let at: usize = words[..=n].iter().map(|word| word.len() + 1).sum();
    (words[0] == wrapper.name).then(|| example.split_at(at))
}

#[test]
fn every_option_of_a_wrapper_may_stand_in_front_of_its_command() {
    let mut wrong = Vec::new();
    let mut n = 0;
    for wrapper in KINDS.into_iter().flatten().filter(|row| matches!(row.inner, Inner::Words | Inner::Shell))
    {
        let Some((front, rest)) =
            examples().filter(|(row, _)| std::ptr::eq(*row, wrapper)).find_map(|(row, line)| cut(row, line))
        else {
            continue;
        };
        // Their value is a command by itself, or nothing runs with them.
        let is_other = |name: &str| {
            wrapper.text.split('|').any(|text| text == name)
                || wrapper.idle.split(' ').any(|idle| idle == name)
        };
        let mut given = Vec::new();
        for value in wrapper.values.split(' ').filter(|name| !name.is_empty()) {
            let (name, n_values) =
                value.split_once(':').map_or((value, 1), |(name, n)| (name, n.parse().unwrap()));
            if is_other(name) {
                continue;
            }
            given.push(format!("{name}{}", " 1".repeat(n_values)));
            if n_values == 1 {
                given.push(if name.starts_with("--") { format!("{name}=1") } else { format!("{name} 1") });
            }
            if n_values == 1 && name.len() == 2 {
                given.push(format!("{name}1"));
            }
        }
        let takes = |name: &str| wrapper.values.split(' ').any(|value| value == name);
        let flags = wrapper.flags.split(' ').chain(wrapper.optional.split(' '));
        given.extend(
            flags.filter(|name| !name.is_empty() && !is_other(name) && !takes(name)).map(str::to_owned),
        );
        for option in given {
            n += 1;
            let line = format!("{front}{option} {rest}");
            if verdict(&line) == GuardDecision::Allow {
                wrong.push(line);
            }
        }
    }
    assert!(n > 3000, "only {n} lines");
    assert!(wrong.is_empty(), "{} of {n} pass:\n{}", wrong.len(), wrong.join("\n"));
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
            if verdict(&line) == GuardDecision::Allow {
                wrong.push(format!("{} {}: {line}", outer.name, inner.name));
            }
        }
    }
    assert!(n > 10_000, "only {n} lines");
    assert!(wrong.is_empty(), "{} of {n} pass:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
}
