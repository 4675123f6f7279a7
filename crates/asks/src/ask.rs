//! An ask: the call about which a person decides.

use std::fmt;

use redact::Redacted;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::fingerprint;

/// The id of an ask: eight lower-case hex digits, the name of its socket.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct AskId(String);

/// The question, as clients read it. No part of it contains a secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Ask {
    /// Its id.
    pub id: AskId,
    /// The workspace.
    pub workspace: String,
    /// The session.
    pub session: String,
    /// The agent program.
    pub host: String,
    /// The agent within the session.
    pub agent: String,
    /// The turn.
    pub turn: u64,
    /// The run of the hook, which journal and `steersman explain` name.
    pub run: String,
    /// The tool.
    pub tool: String,
    /// The call in one line: the command, the path or the input.
    pub call: String,
    /// The input of the tool, long strings cut.
    pub input: Value,
    /// Why a person must decide. Absent where the agent program itself asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The key that calls share which "for this session" permits.
    pub key: String,
    /// When the hook began to wait, in milliseconds since 1970.
    pub opened: u64,
    /// When it stops waiting, in milliseconds since 1970.
    pub until: u64,
}

impl AskId {
    /// Makes the id of this process's ask about a call.
    pub fn new(session: &str, run: &str, opened: u64) -> Self {
        let parts = [session, run, &opened.to_string(), &std::process::id().to_string()].map(str::to_owned);
        let hash = fingerprint(parts.iter().map(String::as_bytes));
        Self(hash.short()[..8].to_owned())
    }

    /// Parses eight digits. Returns `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let is_id = text.len() == 8 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        is_id.then(|| Self(text.to_owned()))
    }

    /// Returns the digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Ask {
    /// Replaces the secrets in every text of it.
    pub fn redact(&mut self) {
        for text in std::iter::once(&mut self.call).chain(&mut self.reason) {
            *text = Redacted::from_text(text).into_string();
        }
        self.input = redact::value(&self.input).into_value();
    }
}
