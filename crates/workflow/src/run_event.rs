//! What a run tells while it goes on.

use agent::ProviderName;

use crate::answer::Tokens;
use crate::record::StepOutcome;

/// Something happened.
#[derive(Debug, Clone, Copy)]
pub enum News<'a> {
    /// A model is asked who begins.
    Choosing,
    /// An agent's turn begins.
    StepBegins {
        /// Which step, from 1.
        step: u64,
        /// How many there may be.
        most: u64,
        /// Whose turn it is.
        agent: &'a str,
        /// Why.
        because: &'a str,
        /// The program it runs in.
        provider: ProviderName,
    },
    /// Its program says something.
    Said(&'a str),
    /// Its program says what it has used.
    Used(Tokens),
    /// Its turn is over.
    StepEnds {
        /// How it ended.
        outcome: StepOutcome,
        /// Why it failed, or what comes next.
        note: &'a str,
    },
}
