//! A person's answer to an ask.

use serde::{Deserialize, Serialize};

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "decision")]
pub enum Answer {
    /// The call may run.
    Allow {
        /// This call, or also the same call later in the session.
        scope: Scope,
    },
    /// The call must not run.
    Deny {
        /// Why; the model reads it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

/// How far an allow reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Scope {
    /// This call.
    Once,
    /// This call and every call with the same key in this session.
    Session,
}

impl Answer {
    /// Returns the answer in one word, for journals.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Allow { scope: Scope::Once } => "allow",
            Self::Allow { scope: Scope::Session } => "allow-session",
            Self::Deny { .. } => "deny",
        }
    }
}
