//! Requests of agents for a wider scope, kept until a person accepts one.
//!
//! An agent cannot widen its own scope: it asks, here; a person answers with
//! `steersman intent expand`, which edits the file of intents.

use std::time::Duration;

use event::AbsPath;
use redact::Redacted;
use serde::{Deserialize, Serialize};
use store::{Batch, Journal, JournalError, Recordable, Timestamp, read_lines};

use crate::{BadPattern, Intent, IntentId, Pattern};

/// The requests of a workspace.
#[derive(Debug, Clone)]
pub struct ExpansionRequests {
    journal: AbsPath,
}

/// What an agent asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "scope-request"))]
pub struct ExpansionRequest {
    /// The intent whose scope is to grow.
    pub intent_id: IntentId,
    /// What is to be added.
    pub pattern: String,
    /// Why, in the agent's words, without secrets.
    pub reason: String,
    /// When.
    pub timestamp: String,
}

impl Recordable for ExpansionRequest {}

/// Why a request was not kept.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// What was asked for could never be granted.
    #[error(transparent)]
    Pattern(#[from] BadPattern),
    /// It could not be written down.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// The longest reason that is kept; a person has to read it.
const MAX_REASON: usize = 1000;

impl ExpansionRequests {
    /// Keeps the requests in this file.
    pub fn in_file(journal: AbsPath) -> Self {
        Self { journal }
    }

    /// Writes a request down and returns it as it was kept.
    pub fn add(
        &self,
        intent_id: &IntentId,
        pattern: &str,
        reason: &str,
        at: Timestamp,
    ) -> Result<ExpansionRequest, RequestError> {
        let pattern = Pattern::parse(pattern)?;
        let reason: String = reason.chars().take(MAX_REASON).collect();
        let request = ExpansionRequest {
            intent_id: intent_id.clone(),
            pattern: Redacted::from_text(pattern.as_str()).into_string(),
            reason: Redacted::from_text(&reason).into_string(),
            timestamp: at.to_string(),
        };
        let mut batch = Batch::default();
        batch.push(&request);
        let journal = Journal::create(&self.journal)?;
        match journal.lock(Duration::from_millis(100)) {
            Some(held) => held.append(&batch).map(|_| ())?,
            None => journal.append_unlocked(&batch)?,
        }
        Ok(request)
    }

    /// Returns the requests the intents do not grant yet, each once, oldest first.
    pub fn open(&self, intents: &[Intent]) -> Result<Vec<ExpansionRequest>, JournalError> {
        let mut open: Vec<ExpansionRequest> = Vec::new();
        for line in read_lines(&self.journal, 0)?.lines() {
            let Ok(request) = serde_json::from_str::<ExpansionRequest>(line) else { continue };
            let of_intent = intents.iter().find(|intent| intent.id == request.intent_id);
            let granted = of_intent
                .is_none_or(|intent| intent.owned_scope.iter().any(|it| it.as_str() == request.pattern));
            let known = |other: &ExpansionRequest| {
                (&other.intent_id, &other.pattern) == (&request.intent_id, &request.pattern)
            };
            if !granted && !open.iter().any(known) {
                open.push(request);
            }
        }
        Ok(open)
    }
}
