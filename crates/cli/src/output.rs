//! Printing for users.
//!
//! stdout carries the answer, for users or a pipe; stderr carries everything about it: notes, errors, `hint:`
//! lines. Colour only repeats what the words state.

pub(crate) mod moment;
pub(crate) mod paint;
mod prose;
mod snippet;
pub(crate) mod table;
pub(crate) mod text;

use std::fmt;
use std::io::Write;

use anstyle::{AnsiColor, Style};

pub(crate) use snippet::Snippet;

const BOLD_RED: Style = AnsiColor::Red.on_default().bold();
const BOLD_CYAN: Style = AnsiColor::Cyan.on_default().bold();

/// Prints one line of the answer.
pub(crate) fn print(line: fmt::Arguments<'_>) {
    // A reader that closes the pipe early (`| head`) is no reason to fail.
    let _ = writeln!(anstream::stdout(), "{line}");
}

/// Prints a line of the answer that is a sentence or may be long, broken at the width of the terminal.
pub(crate) fn prose(line: fmt::Arguments<'_>) {
    for line in line.to_string().split('\n').flat_map(|line| prose::lay_out(line, columns())) {
        print(format_args!("{line}"));
    }
}

/// Prints a named value of the answer; its further lines are below the first.
pub(crate) fn field(head: &str, value: &str) {
    for line in prose::field(head, value, columns()) {
        print(format_args!("{line}"));
    }
}

/// Prints a note to stderr.
pub(crate) fn note(text: &str) {
    for line in text.split('\n').flat_map(|line| prose::lay_out(line, columns_of_stderr())) {
        anstream::eprintln!("{line}");
    }
}

/// Prints an error message.
pub(crate) fn error(text: &str) {
    note(&format!("{BOLD_RED}error:{BOLD_RED:#} {text}"));
}

/// Prints a hint: a step that the user can take.
pub(crate) fn hint(text: &str) {
    note(&format!("{BOLD_CYAN}hint:{BOLD_CYAN:#} {text}"));
}

/// Prints an error with each of its causes on a separate line.
pub(crate) fn error_chain(failure: &anyhow::Error) {
    let text = failure.to_string();
    let (what, hints): (Vec<_>, Vec<_>) = text.lines().partition(|line| !line.starts_with("hint: "));
    error(&what.join("\n"));
    for cause in failure.chain().skip(1) {
        note(&format!("  because: {cause}"));
    }
    for line in hints {
        hint(line.trim_start_matches("hint: "));
    }
}

/// Prints a value as JSON.
pub(crate) fn json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    print(format_args!("{}", serde_json::to_string_pretty(value)?));
    Ok(())
}

/// Returns the height of the terminal; `None` if stdout is not a terminal.
pub(crate) fn rows() -> Option<usize> {
    terminal_size::terminal_size_of(std::io::stdout()).map(|(_, height)| usize::from(height.0))
}

/// Returns the width of the terminal; `None` if stdout is not a terminal.
pub(crate) fn columns() -> Option<usize> {
    let screen = || terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
    crate::environment::columns().or_else(screen)
}

fn columns_of_stderr() -> Option<usize> {
    let screen = || terminal_size::terminal_size_of(std::io::stderr()).map(|(width, _)| usize::from(width.0));
    crate::environment::columns().or_else(screen)
}
