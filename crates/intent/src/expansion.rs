//! Requests of agents for a wider scope, kept until a person answers.
//!
//! An agent cannot widen its own scope: it asks, here; a person answers with
//! `steersman intent expand`. A yes is an edit of the file of intents, a no is a line here.
//!
//! INVARIANT: a no stays. An agent that asks again for what was declined is told so; only the
//! person who reads the request can change their mind.

use std::time::Duration;

use event::AbsPath;
use redact::Redacted;
use serde::{Deserialize, Serialize};
use store::{Batch, Journal, JournalError, Recordable, Timestamp, Workspace, fingerprint, read_lines};

use crate::{BadPattern, Intent, IntentId, Pattern};

/// The requests of a workspace.
#[derive(Debug, Clone)]
pub struct ExpansionRequests {
    journal: AbsPath,
}

/// What an agent asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// What a person said no to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeclinedRequest {
    /// The intent whose scope was to grow.
    pub intent_id: IntentId,
    /// What was to be added.
    pub pattern: String,
    /// When a person said no.
    pub declined: String,
}

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "scope-request"))]
pub(crate) enum LineWire {
    Declined(DeclinedRequest),
    Asked(ExpansionRequest),
}

impl Recordable for LineWire {}

impl DeclinedRequest {
    /// Returns whether it answers this request.
    pub fn is_about(&self, request: &ExpansionRequest) -> bool {
        (&self.intent_id, &self.pattern) == (&request.intent_id, &request.pattern)
    }
}

impl ExpansionRequest {
    /// Returns a short name for it, the same for the same intent and pattern.
    pub fn key(&self) -> String {
        let parts = [self.intent_id.as_str().as_bytes(), self.pattern.as_bytes()];
        fingerprint(parts).to_string().chars().take(6).collect()
    }
}

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
    /// Returns the requests of a workspace.
    pub fn of(workspace: &Workspace) -> Self {
        Self::in_file(workspace.scope_requests_file())
    }

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
        self.append(&LineWire::Asked(request.clone()))?;
        Ok(request)
    }

    /// Writes down that a person said no.
    pub fn decline(&self, request: &ExpansionRequest, at: Timestamp) -> Result<(), JournalError> {
        self.append(&LineWire::Declined(DeclinedRequest {
            intent_id: request.intent_id.clone(),
            pattern: request.pattern.clone(),
            declined: at.to_string(),
        }))
    }

    /// Returns the requests the intents do not grant yet and nobody declined, each once, oldest first.
    pub fn open(&self, intents: &[Intent]) -> Result<Vec<ExpansionRequest>, JournalError> {
        let mut open: Vec<ExpansionRequest> = Vec::new();
        let declined = self.declined()?;
        for line in self.lines()? {
            let LineWire::Asked(request) = line else { continue };
            let of_intent = intents.iter().find(|intent| intent.id == request.intent_id);
            let granted = of_intent
                .is_none_or(|intent| intent.owned_scope.iter().any(|it| it.as_str() == request.pattern));
            let known = open.iter().any(|other| other.key() == request.key());
            if !granted && !known && !declined.iter().any(|no| no.is_about(&request)) {
                open.push(request);
            }
        }
        Ok(open)
    }

    /// Returns what was declined, oldest first.
    pub fn declined(&self) -> Result<Vec<DeclinedRequest>, JournalError> {
        let declined = self.lines()?.into_iter().filter_map(|line| match line {
            LineWire::Declined(no) => Some(no),
            LineWire::Asked(_) => None,
        });
        Ok(declined.collect())
    }

    fn append(&self, line: &LineWire) -> Result<(), JournalError> {
        let mut batch = Batch::default();
        batch.push(line);
        let journal = Journal::create(&self.journal)?;
        match journal.lock(Duration::from_millis(100)) {
            Some(held) => held.append(&batch).map(|_| ()),
            None => journal.append_unlocked(&batch),
        }
    }

    fn lines(&self) -> Result<Vec<LineWire>, JournalError> {
        let text = read_lines(&self.journal, 0)?;
        Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }
}
