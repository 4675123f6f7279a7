//! Asks the user a question in the terminal.

use std::io::{self, BufRead, IsTerminal, Write};

/// Asks a question whose default is no. Returns `None` if no terminal is there to ask in.
pub(crate) fn yes_or_no(question: &str) -> Option<bool> {
    line(question).map(|answer| matches!(answer.to_lowercase().as_str(), "y" | "yes"))
}

/// Asks for a line of text. Returns `None` if no terminal is there to ask in, and an empty string at its end.
pub(crate) fn line(question: &str) -> Option<String> {
    let stdin = io::stdin();
    if !stdin.is_terminal() || !io::stderr().is_terminal() {
        return None;
    }
    let mut stderr = io::stderr();
    write!(stderr, "{question}").and_then(|()| stderr.flush()).ok()?;
    let mut answer = String::new();
    stdin.lock().read_line(&mut answer).ok()?;
    Some(answer.trim().to_owned())
}
