//! How things are shown to people.
//!
//! stdout carries the answer, for eyes or a pipe; stderr carries everything about it:
//! notes, complaints, `hint:` lines. Colour only says again what the words say.

pub(crate) mod moment;
pub(crate) mod paint;
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
    // A reader that has seen enough (`| head`) is no reason to fail.
    let _ = writeln!(anstream::stdout(), "{line}");
}

/// Says something about the answer.
pub(crate) fn note(text: &str) {
    anstream::eprintln!("{text}");
}

/// Says why the answer is no.
pub(crate) fn complain(text: &str) {
    anstream::eprintln!("{BOLD_RED}error:{BOLD_RED:#} {text}");
}

/// Says what to do about it.
pub(crate) fn hint(text: &str) {
    anstream::eprintln!("{BOLD_CYAN}hint:{BOLD_CYAN:#} {text}");
}

/// Says what failed, with every cause on a line of its own.
pub(crate) fn error(error: &anyhow::Error) {
    let text = error.to_string();
    let (what, hints): (Vec<_>, Vec<_>) = text.lines().partition(|line| !line.starts_with("hint: "));
    complain(&what.join("\n"));
    for cause in error.chain().skip(1) {
        note(&format!("  because: {cause}"));
    }
    for line in hints {
        hint(line.trim_start_matches("hint: "));
    }
}

/// Prints a value as JSON, for programs.
pub(crate) fn json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    print(format_args!("{}", serde_json::to_string_pretty(value)?));
    Ok(())
}

/// Returns how many columns there are; none if nobody looks at a screen.
pub(crate) fn columns() -> Option<usize> {
    let screen = || terminal_size::terminal_size_of(std::io::stdout()).map(|(width, _)| usize::from(width.0));
    crate::environment::columns().or_else(screen)
}
