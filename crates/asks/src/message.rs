//! The lines of JSON between a hook that waits and its clients.

use serde::{Deserialize, Serialize};

use crate::{Answer, Ask};

/// A line from the hook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "type")]
pub(crate) enum HookLine {
    /// The first line: the question.
    Ask {
        /// The ask.
        ask: Box<Ask>,
        /// The text that an answer on this connection must repeat: so it was sent after the hook had identified its sender.
        token: String,
    },
    /// The answer is recorded, and the hook acts on it.
    Accepted,
    /// The answer does not count.
    Refused {
        /// Why.
        why: String,
    },
    /// The last line: the hook has stopped waiting.
    Closed {
        /// How.
        outcome: Outcome,
    },
}

/// A line from a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "type")]
pub(crate) enum ClientLine {
    /// A person's answer.
    Answer {
        /// The token of the connection.
        token: String,
        /// The answer.
        #[serde(flatten)]
        answer: Answer,
    },
    /// The agent program has ended the call; a later hook of the same program says so.
    Withdraw,
}

/// How the wait for an answer ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "how")]
pub enum Outcome {
    /// A person answered.
    Answered(Answer),
    /// No person answered in time.
    TimedOut,
    /// The agent program or its call has ended.
    Withdrawn,
}

/// The longest line of a client.
pub(crate) const MAX_LINE: usize = 16 * 1024;

/// Writes a line. Returns an empty one if the value cannot be written, which no value of these types is.
pub(crate) fn line(value: &impl Serialize) -> Vec<u8> {
    let mut bytes = serde_json::to_vec(value).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}
