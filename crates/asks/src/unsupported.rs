//! Systems on which no hook can see who answers: no hook waits, and there is nothing to answer.

use std::io;
use std::time::Instant;

use event::AbsPath;

use crate::{Answer, Ask, AskId, Outcome, WaitingPlace};

/// An ask that waits; none exists here.
#[derive(Debug)]
pub struct OpenAsk {
    /// The question.
    pub ask: Ask,
}

/// Why an answer does not count.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// No hook waits on this system.
    #[error("hooks cannot wait for a person on this system")]
    Unsupported,
}

/// Returns no asks.
pub fn open(_user_state: &AbsPath, _known: &[&AskId]) -> Vec<OpenAsk> {
    Vec::new()
}

/// Returns `None`.
pub fn find(_user_state: &AbsPath, _id: &AskId) -> Option<OpenAsk> {
    None
}

/// Returns no ids.
pub fn ids(_user_state: &AbsPath) -> Vec<AskId> {
    Vec::new()
}

/// Does nothing.
pub fn withdraw(_user_state: &AbsPath, _ids: &[AskId]) {}

/// Returns `false`: no hook waits.
pub fn follow(_user_state: &AbsPath, _id: &AskId, _until: Instant) -> bool {
    false
}

/// Returns `false`: the system does not tell.
pub fn is_unattended(_flags: &[&str]) -> bool {
    false
}

/// Fails: the hook could not see who answers.
pub fn wait(
    _ask: &Ask,
    _place: WaitingPlace<'_>,
    _until: Instant,
    _opened: impl FnOnce(),
    _record: impl FnMut(&Answer, u32) -> Result<(), String>,
) -> io::Result<Outcome> {
    Err(io::ErrorKind::Unsupported.into())
}

impl OpenAsk {
    /// Fails.
    pub fn answer(&mut self, _answer: &Answer) -> Result<(), AnswerError> {
        Err(AnswerError::Unsupported)
    }
}
