//! The events that a run reports to its caller while it is running.

use agent::ProviderName;

use crate::answer::Tokens;
use crate::record::StepOutcome;

/// An event of a running workflow.
#[derive(Debug, Clone, Copy)]
pub enum RunEvent<'a> {
    /// A model is choosing the first agent.
    ChoosingFirstAgent,
    /// A step starts.
    StepStarted {
        /// The number of the step, from 1.
        step: u64,
        /// The maximum number of steps.
        most: u64,
        /// The agent of the step.
        agent: &'a str,
        /// The reason for choosing this agent.
        because: &'a str,
        /// The agent's program.
        provider: ProviderName,
    },
    /// The program has printed text.
    Output(&'a str),
    /// The program has reported its token usage.
    TokensUsed(Tokens),
    /// The step has ended.
    StepEnded {
        /// How it ended.
        outcome: StepOutcome,
        /// The failure, or the next step.
        note: &'a str,
    },
}
