//! Requests of agents for a wider scope, stored until a user answers.
//!
//! An agent cannot widen its own scope: it requests an expansion, and a user answers with `steersman
//! intent expand`. Granting edits the intents file; declining appends a line to this journal.
//!
//! INVARIANT: a declined request stays declined. An agent that repeats it gets that answer; only the
//! user can change it.

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

/// An agent's request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExpansionRequest {
    /// The intent whose scope it would expand.
    pub intent_id: IntentId,
    /// The requested pattern.
    pub pattern: String,
    /// The agent's reason, without secrets.
    pub reason: String,
    /// When it was made.
    pub timestamp: String,
}

/// A request that a user declined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeclinedRequest {
    /// The intent whose scope it would have expanded.
    pub intent_id: IntentId,
    /// The requested pattern.
    pub pattern: String,
    /// When the user declined it.
    pub declined: String,
}

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "scope-request"))]
pub(crate) enum RequestLineRecord {
    Declined(DeclinedRequest),
    Asked(ExpansionRequest),
}

impl Recordable for RequestLineRecord {}

impl DeclinedRequest {
    /// Returns whether it answers this request.
    pub fn is_about(&self, request: &ExpansionRequest) -> bool {
        (&self.intent_id, &self.pattern) == (&request.intent_id, &request.pattern)
    }
}

impl ExpansionRequest {
    /// Returns a short key, the same for the same intent and pattern.
    pub fn key(&self) -> String {
        let parts = [self.intent_id.as_str().as_bytes(), self.pattern.as_bytes()];
        fingerprint(parts).to_string().chars().take(6).collect()
    }
}

/// Why a request cannot be stored.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// The pattern could never be granted.
    #[error(transparent)]
    Pattern(#[from] BadPattern),
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// The longest stored reason; a user must read it.
const MAX_REASON: usize = 1000;

impl ExpansionRequests {
    /// Returns the requests of a workspace.
    pub fn of(workspace: &Workspace) -> Self {
        Self::in_file(workspace.scope_requests_file())
    }

    /// Creates the requests of this journal.
    pub fn in_file(journal: AbsPath) -> Self {
        Self { journal }
    }

    /// Stores a request and returns it as stored.
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
        self.append(&RequestLineRecord::Asked(request.clone()))?;
        Ok(request)
    }

    /// Records that a user declined a request.
    pub fn decline(&self, request: &ExpansionRequest, at: Timestamp) -> Result<(), JournalError> {
        self.append(&RequestLineRecord::Declined(DeclinedRequest {
            intent_id: request.intent_id.clone(),
            pattern: request.pattern.clone(),
            declined: at.to_string(),
        }))
    }

    /// Returns the pending requests, neither granted nor declined, each once, oldest first.
    pub fn open(&self, intents: &[Intent]) -> Result<Vec<ExpansionRequest>, JournalError> {
        let mut open: Vec<ExpansionRequest> = Vec::new();
        let declined = self.declined()?;
        for line in self.lines()? {
            let RequestLineRecord::Asked(request) = line else { continue };
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

    /// Returns the declined requests, oldest first.
    pub fn declined(&self) -> Result<Vec<DeclinedRequest>, JournalError> {
        let declined = self.lines()?.into_iter().filter_map(|line| match line {
            RequestLineRecord::Declined(no) => Some(no),
            RequestLineRecord::Asked(_) => None,
        });
        Ok(declined.collect())
    }

    fn append(&self, line: &RequestLineRecord) -> Result<(), JournalError> {
        let mut batch = Batch::default();
        batch.push(line);
        let journal = Journal::create(&self.journal)?;
        match journal.lock(Duration::from_millis(100)) {
            Some(held) => held.append(&batch).map(|_| ()),
            None => journal.append_unlocked(&batch),
        }
    }

    fn lines(&self) -> Result<Vec<RequestLineRecord>, JournalError> {
        let text = read_lines(&self.journal, 0)?;
        Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }
}
