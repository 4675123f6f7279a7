//! The records that a server writes about itself: `server.json` and the lines of `serve --json`.

use redact::Redacted;
use serde::{Deserialize, Serialize};
use store::Timestamp;

use crate::serde_formats::millis;

/// `.ai/tmp/automation/server.json`: which process runs the automations, and where its page is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ServerRecord {
    /// The format of the file; 1.
    pub version: u32,
    /// The process.
    pub pid: u32,
    /// The port of its page on 127.0.0.1; absent if it serves no page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// The address of its page, by the name to which the browser's cookie belongs; absent if it serves no page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Why the server polls files every few seconds instead of watching them; absent if it watches them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unwatched: Option<Unwatched>,
}

/// Why the server cannot watch the files of a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unwatched {
    /// A constant for programs: `WATCH_LIMIT`, `WATCHER`.
    pub code: String,
    /// A sentence for people.
    pub message: String,
}

impl ServerRecord {
    /// The format this build writes.
    pub const VERSION: u32 = 1;

    /// Makes the record of this process, without a page.
    #[must_use]
    pub fn of_this_process() -> Self {
        Self { version: Self::VERSION, pid: std::process::id(), port: None, url: None, unwatched: None }
    }
}

/// The severity of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are all there is to say")]
pub enum Level {
    Info,
    Warning,
    Error,
}

/// A line that `serve --json` prints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServeLine {
    /// When it happened, in milliseconds since 1970.
    #[serde(with = "millis")]
    #[cfg_attr(feature = "schema", schemars(with = "u64"))]
    pub ts: Timestamp,
    /// Its severity.
    pub level: Level,
    /// A constant for programs, such as `STARTED`.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[A-Z][A-Z_]+$")))]
    pub code: &'static str,
    /// A sentence for people.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub message: Redacted,
}
