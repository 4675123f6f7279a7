//! The way of a command's output.

use crate::reading::{Outlet, Reading, Simple};

use super::look::Words;

/// The printed part of a command's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Printed {
    /// All of it.
    AsItIs,
    /// The begin of it; the command ends when that is read.
    Shortened,
    /// The result of another program, or nothing.
    Digested,
}

/// Programs that hand on as much as they get.
const PASSES_ON: [&str; 17] = [
    "sort",
    "uniq",
    "sed",
    "awk",
    "gawk",
    "cut",
    "tr",
    "tee",
    "cat",
    "nl",
    "column",
    "rev",
    "tac",
    "less",
    "more",
    "sort-object",
    "format-table",
];

/// Programs that print at least a line for each file `xargs` hands them.
const PRINTS_EACH: [&str; 14] = [
    "cat",
    "egrep",
    "fgrep",
    "file",
    "grep",
    "head",
    "ls",
    "md5sum",
    "rg",
    "sha256sum",
    "stat",
    "tail",
    "wc",
    "echo",
];

/// Longest chain of programs that is followed.
const MAX_STAGES: usize = 32;

/// Follows the output of the command at `index`.
pub(super) fn of(reading: &Reading, index: usize, max_lines: u64) -> Printed {
    let Some(mut command) = reading.commands.get(index) else { return Printed::Digested };
    for _ in 0..MAX_STAGES {
        match command.outlet {
            Outlet::Shown => return Printed::AsItIs,
            Outlet::Kept => return Printed::Digested,
            Outlet::Command(next) => match take(reading, next, max_lines) {
                Some((next, Taken::On)) => command = next,
                Some((_, Taken::Head)) => return Printed::Shortened,
                Some((_, Taken::In)) | None => return Printed::Digested,
            },
        }
    }
    Printed::Digested
}

enum Taken {
    /// Hands on as much as it gets.
    On,
    /// Hands on the begin.
    Head,
    /// Makes something shorter of it.
    In,
}

/// Returns the command at `index`, or its inner command, and the use of its input.
fn take(reading: &Reading, index: usize, max_lines: u64) -> Option<(&Simple, Taken)> {
    let command = reading.commands.get(index)?;
    if matches!(command.program.as_str(), "xargs" | "parallel") {
        let is_inner = |other: &&Simple| other.via.contains(&command.program);
        let inner = reading.commands.get(index + 1..)?.iter().find(is_inner)?;
        let prints = PRINTS_EACH.contains(&inner.program.as_str());
        return Some((inner, if prints { Taken::On } else { Taken::In }));
    }
    Some((command, taken(command, max_lines)))
}

fn taken(command: &Simple, max_lines: u64) -> Taken {
    let words = Words::of(command);
    match command.program.as_str() {
        "head" if lines(command).is_none_or(|lines| lines <= max_lines) => Taken::Head,
        // `tail -n +5` is all but the first lines.
        "tail" if lines(command).is_none_or(|lines| lines <= max_lines) => Taken::In,
        "head" | "tail" => Taken::On,
        "sed" if words.args("").has("-n|--quiet|--silent") || quits(command) => Taken::Head,
        "awk" | "gawk" if command.argv.iter().any(|word| word.text.contains("NR")) => Taken::Head,
        "select-object" | "select" if words.args("").has("-f|-first|-First|-last|-Last") => Taken::Head,
        name if PASSES_ON.contains(&name) => Taken::On,
        _ => Taken::In,
    }
}

/// `sed 10q`.
fn quits(command: &Simple) -> bool {
    command.argv.iter().skip(1).any(|word| {
        word.text
            .strip_suffix('q')
            .is_some_and(|line| !line.is_empty() && line.bytes().all(|digit| digit.is_ascii_digit()))
    })
}

/// Returns the number of lines that `head` or `tail` let through: ten by default; bytes count as few.
fn lines(command: &Simple) -> Option<u64> {
    let words = Words::of(command);
    let args = words.args("-n --lines -c --bytes");
    let given = args.values("-n|--lines").first().map(|value| value.text.clone()).or_else(|| {
        let short = command.argv.iter().skip(1).filter_map(|word| word.text.strip_prefix('-'));
        short.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit())).map(str::to_owned).next()
    })?;
    Some(given.parse().unwrap_or(u64::MAX))
}
