//! Prints the events of a server, one per line, and on a terminal a last line with the running and queued runs.

use std::io::{IsTerminal, Write};

use automation::Level;
use serve::{Note, ServerStatus};

use crate::output::paint::{BAD, CAREFUL, FAINT, GOOD, paint};
use crate::output::{self, moment, text};

/// The codes of notes about the normal course of runs.
const COURSE: [&str; 4] = ["RUN_STARTED", "RUN_SUCCEEDED", "RUN_CANCELED", "RUN_RETRIED"];
/// How many running automations the last line names.
const MAX_NAMED: usize = 4;
/// The width of the last line if the terminal does not tell its own.
const DEFAULT_COLUMNS: usize = 80;

/// The output of a server.
pub(super) struct ServeScreen {
    is_json: bool,
    is_quiet: bool,
    is_terminal: bool,
    /// The last line, if it is shown.
    shown: String,
}

impl ServeScreen {
    pub(super) fn new(is_json: bool, is_quiet: bool) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        Self { is_json, is_quiet, is_terminal, shown: String::new() }
    }

    /// Returns whether a terminal shows the last line.
    pub(super) fn is_watched(&self) -> bool {
        self.is_terminal && !self.is_json && !self.is_quiet
    }

    /// Prints a note above the last line.
    pub(super) fn note(&mut self, note: &Note) {
        if self.is_quiet && COURSE.contains(&note.code) {
            return;
        }
        if self.is_json {
            // A line of numbers and text always serializes.
            output::print(format_args!("{}", serde_json::to_string(&note.line()).unwrap_or_default()));
            return;
        }
        let shown = std::mem::take(&mut self.shown);
        if !shown.is_empty() {
            self.wipe();
        }
        let message = text::one_line(note.message.as_str());
        match run_sign(note.code) {
            Some((sign, style)) => {
                let time = paint(FAINT, &moment::local_second(store::now()));
                output::note(&format!("{time} {} {message}", paint(style, sign)));
            }
            None => match note.level {
                Level::Error => output::error(&message),
                Level::Warning => output::note(&format!("warning: {message}")),
                Level::Info => output::note(&message),
            },
        }
        self.draw(&shown);
    }

    /// Shows what runs and waits.
    pub(super) fn status(&mut self, status: &ServerStatus) {
        let line = status_line(status);
        let line = text::cut(&line, output::columns().unwrap_or(DEFAULT_COLUMNS).saturating_sub(1));
        if line != self.shown {
            self.wipe();
            self.draw(&line);
        }
    }

    /// Removes the last line.
    pub(super) fn clear(&mut self) {
        if !std::mem::take(&mut self.shown).is_empty() {
            self.wipe();
        }
    }

    fn wipe(&self) {
        if self.is_watched() {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
        }
    }

    fn draw(&mut self, line: &str) {
        line.clone_into(&mut self.shown);
        if self.is_watched() && !line.is_empty() {
            let mut stderr = anstream::stderr();
            let _ = write!(stderr, "{}", paint(FAINT, line));
            let _ = stderr.flush();
        }
    }
}

/// Returns the sign of a note about a run, and its colour.
fn run_sign(code: &str) -> Option<(&'static str, anstyle::Style)> {
    match code {
        "RUN_STARTED" => Some(("▶", FAINT)),
        "RUN_SUCCEEDED" => Some(("✓", GOOD)),
        "RUN_CANCELED" => Some(("–", CAREFUL)),
        "RUN_RETRIED" => Some(("↻", CAREFUL)),
        "RUN_FAILED" => Some(("✗", BAD)),
        _ => None,
    }
}

fn status_line(status: &ServerStatus) -> String {
    if status.running.is_empty() && status.queued == 0 {
        return String::new();
    }
    let shown = status.running.iter().take(MAX_NAMED);
    let mut parts: Vec<String> =
        shown.map(|(hook, age)| format!("{} {} s", text::one_line(hook.as_str()), age.as_secs())).collect();
    if status.running.len() > MAX_NAMED {
        parts.push("…".to_owned());
    }
    let names = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    format!("{} running, {} queued{names}", status.running.len(), status.queued)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use automation::AutomationId;

    use super::*;

    #[test]
    fn the_last_line_names_what_runs_and_counts_what_waits() {
        let run = |id: &str, seconds| (AutomationId::new(id).unwrap(), Duration::from_secs(seconds));
        assert_eq!(status_line(&ServerStatus::default()), "");
        let two = ServerStatus { running: vec![run("lint", 12), run("fmt", 0)], queued: 3 };
        assert_eq!(status_line(&two), "2 running, 3 queued: lint 12 s, fmt 0 s");
        let many = ServerStatus { running: (0..6).map(|n| run(&format!("a{n}"), n)).collect(), queued: 0 };
        assert_eq!(status_line(&many), "6 running, 0 queued: a0 0 s, a1 1 s, a2 2 s, a3 3 s, …");
    }
}
