//! Asks for a secret in the terminal without showing the typed text.

use std::io::{self, BufRead, Write};

/// Asks for a line. Returns `None` if the standard input is not a terminal.
#[cfg(unix)]
pub(crate) fn ask(prompt: &str) -> io::Result<Option<String>> {
    use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

    let stdin = io::stdin();
    let Ok(usual) = tcgetattr(&stdin) else { return Ok(None) };
    let mut silent = usual.clone();
    silent.local_modes.remove(LocalModes::ECHO);
    silent.local_modes.insert(LocalModes::ECHONL | LocalModes::ICANON);
    write!(io::stderr(), "{prompt}")?;
    io::stderr().flush()?;
    tcsetattr(&stdin, OptionalActions::Now, &silent)?;
    let mut line = String::new();
    let read = stdin.lock().read_line(&mut line);
    tcsetattr(&stdin, OptionalActions::Now, &usual)?;
    read?;
    Ok(Some(line.trim_end_matches(['\n', '\r']).to_owned()))
}

/// Returns no PIN: this system has no way to hide the typed text.
#[cfg(not(unix))]
pub(crate) fn ask(_prompt: &str) -> io::Result<Option<String>> {
    Ok(None)
}
