//! The log lines of a module, within limits.

use serde_json::Value;

use crate::Limits;

/// The level of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// For debugging the module.
    Debug,
    /// For information.
    Info,
    /// A problem that did not stop the module.
    Warn,
    /// A failure.
    Error,
}

impl Level {
    /// Parses a level as modules spell it; unknown levels count as `info`.
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

/// One log line of a module. It may contain secrets: redact it before writing it.
#[derive(Debug, Clone, PartialEq)]
pub struct LogLine {
    /// The level.
    pub level: Level,
    /// The text.
    pub msg: String,
    /// The data passed with the text.
    pub data: Option<Value>,
}

/// The log lines of one event; lines beyond the limits are only counted.
#[derive(Debug)]
pub(crate) struct LogBuffer {
    lines: Vec<LogLine>,
    lines_left: usize,
    bytes_left: usize,
    n_dropped: usize,
}

impl LogBuffer {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self { lines: Vec::new(), lines_left: limits.log_lines, bytes_left: limits.log_bytes, n_dropped: 0 }
    }

    /// Returns how many bytes the next line may have.
    pub(crate) fn room(&self) -> usize {
        if self.lines_left == 0 { 0 } else { self.bytes_left }
    }

    /// Adds a line; `size` is the size of its data as JSON.
    pub(crate) fn push(&mut self, mut line: LogLine, size: usize) {
        if self.room() == 0 {
            // Converting an earlier argument may itself have logged.
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

    /// Counts a line that is dropped before its conversion.
    pub(crate) fn drop_line(&mut self) {
        self.n_dropped += 1;
    }

    /// Returns the lines; the last one states how many were dropped.
    pub(crate) fn into_lines(mut self) -> Vec<LogLine> {
        if self.n_dropped > 0 {
            let msg = format!("{} more lines were dropped: the log is full", self.n_dropped);
            self.lines.push(LogLine { level: Level::Warn, msg, data: None });
        }
        self.lines
    }
}
