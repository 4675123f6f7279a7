//! What a server tells about itself, for a person or as a line of JSON.

use serde::Serialize;

/// Something worth telling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Note {
    /// `info`, `warning` or `error`.
    pub level: &'static str,
    /// A constant for programs, such as `STARTED`.
    pub code: &'static str,
    /// A sentence for people, without secrets.
    pub message: String,
}

impl Note {
    pub(crate) fn info(code: &'static str, message: impl Into<String>) -> Self {
        Self { level: "info", code, message: message.into() }
    }

    pub(crate) fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self { level: "warning", code, message: message.into() }
    }

    pub(crate) fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self { level: "error", code, message: message.into() }
    }
}
