//! Failures that are no sign of a loop: "not yet" of a command that polls, and the person's own interruption.

use event::ToolCall;
use modules::Context;

/// Programs that wait.
const WAITING: [&str; 3] = ["sleep", "watch", "wait"];

/// Programs whose exit code is their answer about something that changes by itself.
const ASKING: [&str; 12] = [
    "fuser",
    "lsof",
    "mysqladmin",
    "nc",
    "ncat",
    "pg_isready",
    "pgrep",
    "pidof",
    "ping",
    "redis-cli",
    "ss",
    "systemctl",
];

/// Returns whether a command asks for something that is not there yet, as one that polls a build does.
pub(super) fn is_poll(context: &Context<'_>, call: &ToolCall, error: &str) -> bool {
    let Some(command) = &call.command else { return false };
    let reading = context.reading(command);
    let changes_nothing = reading.writes.is_empty() && reading.deletes.is_empty();
    let programs = reading.programs();
    let has = |names: &[&str]| programs.iter().any(|program| names.contains(program));
    let is_late = || error.contains("124") && command.text.split_whitespace().any(|word| word == "timeout");
    has(&WAITING)
        // `timeout` ended it.
        || is_late()
        || has_loop(&command.text)
        || changes_nothing && (reading.network || has(&ASKING))
        // `test -f out`, `grep -q done log`: the exit code is all that they say.
        || reading.is_read_only() && is_bare_exit_code(error)
}

/// Returns whether a command of the line is a loop that waits.
fn has_loop(line: &str) -> bool {
    line.split([';', '\n', '&', '|', '(', '{'])
        .any(|part| matches!(part.split_whitespace().next(), Some("until" | "while")))
}

/// Returns whether an error says no more than that the command ended with an exit code.
fn is_bare_exit_code(error: &str) -> bool {
    let text = error.trim().to_ascii_lowercase();
    text.is_empty() || !text.contains('\n') && text.len() <= 60 && text.contains("exit")
}

/// Returns whether the person stopped the call.
///
/// WHY by the text: the hosts that have a flag for it send the text as well, and others have only the text.
pub(super) fn is_interruption(error: &str) -> bool {
    const PHRASES: [&str; 8] = [
        "interrupted by user",
        "interrupted by the user",
        "user interrupted",
        "user doesn't want to",
        "user rejected",
        "rejected by the user",
        "aborted by user",
        "cancelled by user",
    ];
    let start: String = error.chars().take(400).collect::<String>().to_ascii_lowercase();
    PHRASES.iter().any(|phrase| start.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_and_exit_codes_are_told_from_other_text() {
        for line in ["until curl -sf x; do :; done", "a && while ! b; do c; done", "(until a; do b; done)"] {
            assert!(has_loop(line), "{line}");
        }
        for line in ["git commit -m 'wait until x'", "echo while", "grep while a"] {
            assert!(!has_loop(line), "{line}");
        }
        for error in ["", "Exit code 1", "Command failed with exit code 2."] {
            assert!(is_bare_exit_code(error), "{error}");
        }
        for error in ["Exit code 1\ncat: x: No such file or directory", "no such tool"] {
            assert!(!is_bare_exit_code(error), "{error}");
        }
        assert!(is_interruption("[Request interrupted by user for tool use]"));
        assert!(!is_interruption("the test was interrupted by signal 9"));
    }
}
