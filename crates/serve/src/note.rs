//! The log notes of a server, for a person or as a JSON line.

use automation::{Level, ServeLine};
use redact::Redacted;

/// A log note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Its severity.
    pub level: Level,
    /// A constant for programs, such as `STARTED`.
    pub code: &'static str,
    /// A sentence for people, redacted because it may quote a file.
    pub message: Redacted,
}

impl Note {
    pub(crate) fn info(code: &'static str, message: impl AsRef<str>) -> Self {
        Self::new(Level::Info, code, message.as_ref())
    }

    pub(crate) fn warning(code: &'static str, message: impl AsRef<str>) -> Self {
        Self::new(Level::Warning, code, message.as_ref())
    }

    pub(crate) fn error(code: &'static str, message: impl AsRef<str>) -> Self {
        Self::new(Level::Error, code, message.as_ref())
    }

    fn new(level: Level, code: &'static str, message: &str) -> Self {
        Self { level, code, message: Redacted::from_text(message) }
    }

    /// Returns it as a log line with the current time.
    #[must_use]
    pub fn line(&self) -> ServeLine {
        ServeLine { ts: store::now(), level: self.level, code: self.code, message: self.message.clone() }
    }
}
