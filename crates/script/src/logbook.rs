//! What a module wrote to its log, within limits.

use serde_json::Value;

use crate::Limits;

/// How much a line matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// For whoever debugs the module.
    Debug,
    /// Worth knowing.
    Info,
    /// Something is not as it should be.
    Warn,
    /// Something failed.
    Error,
}

impl Level {
    /// Reads a level as modules spell it; what is not known counts as `info`.
    pub fn parse(name: &str) -> Self {
        match name {
            "debug" | "trace" => Self::Debug,
            "warn" | "warning" => Self::Warn,
            "error" | "fatal" => Self::Error,
            _ => Self::Info,
        }
    }

    /// Returns the level's name in a log file.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

/// One line a module logged. It may hold anything, secrets too: redact it before it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct LogLine {
    /// How much it matters.
    pub level: Level,
    /// The text.
    pub msg: String,
    /// What was passed along with it.
    pub data: Option<Value>,
}

/// The lines of one event; what exceeds the limits is counted, not kept.
#[derive(Debug)]
pub(crate) struct Logbook {
    lines: Vec<LogLine>,
    lines_left: usize,
    bytes_left: usize,
    n_dropped: usize,
}

impl Logbook {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self { lines: Vec::new(), lines_left: limits.log_lines, bytes_left: limits.log_bytes, n_dropped: 0 }
    }

    /// Returns how many bytes a next line may have.
    pub(crate) fn room(&self) -> usize {
        if self.lines_left == 0 { 0 } else { self.bytes_left }
    }

    /// Adds a line; `size` is what its data weighs as JSON.
    pub(crate) fn push(&mut self, mut line: LogLine, size: usize) {
        if self.room() == 0 {
            // Converting an earlier argument may have logged, too.
            return self.drop_line();
        }
        if line.msg.len() > self.bytes_left {
            line.msg.truncate(line.msg.floor_char_boundary(self.bytes_left));
            line.msg.push('…');
        }
        self.bytes_left = self.bytes_left.saturating_sub(line.msg.len() + size);
        self.lines_left -= 1;
        self.lines.push(line);
    }

    /// Counts a line that was not even worth converting.
    pub(crate) fn drop_line(&mut self) {
        self.n_dropped += 1;
    }

    /// Returns the lines, the last of which says how many are missing.
    pub(crate) fn into_lines(mut self) -> Vec<LogLine> {
        if self.n_dropped > 0 {
            let msg = format!("{} more lines were dropped: the log is full", self.n_dropped);
            self.lines.push(LogLine { level: Level::Warn, msg, data: None });
        }
        self.lines
    }
}
