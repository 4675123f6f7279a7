//! The final report of a run.

use crate::answer::Tokens;
use crate::record::{RecordWire, RunRecord, RunResult, StepOutcome};
use crate::run_id::RunId;

/// The final report of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The run's id.
    pub id: RunId,
    /// How it ended.
    pub result: RunResult,
    /// The reason for the failure.
    pub reason: Option<String>,
    /// The steps in order.
    pub steps: Vec<ReportedStep>,
    /// The sum of the reported token usage; `None` if no program reported any.
    pub tokens: Option<Tokens>,
    /// The sum of the steps' durations in milliseconds.
    pub ms: u64,
}

/// One step.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportedStep {
    /// The number of the step, from 1.
    pub step: u64,
    /// The agent of the step.
    pub agent: String,
    /// The reason for choosing this agent.
    pub because: String,
    /// The agent's program.
    pub provider: String,
    /// How it ended.
    pub outcome: StepOutcome,
    /// The answer, or the failure.
    pub text: String,
    /// The duration in milliseconds.
    pub ms: u64,
    /// The token usage that the program reports.
    pub tokens: Option<Tokens>,
}

impl Report {
    /// Builds the report from the lines of a journal.
    pub(crate) fn of(id: RunId, records: &[RecordWire], result: RunResult, reason: Option<String>) -> Self {
        let mut steps: Vec<ReportedStep> = Vec::new();
        let mut started = (String::new(), String::new());
        for line in records {
            match &line.record {
                RunRecord::StepStarted { because, provider, .. } => {
                    started = (because.clone(), provider.clone());
                }
                RunRecord::StepEnded { step, agent, outcome, text, ms, tokens, .. } => {
                    let (because, provider) = started.clone();
                    steps.push(ReportedStep {
                        step: *step,
                        agent: agent.clone(),
                        because,
                        provider,
                        outcome: *outcome,
                        text: text.clone(),
                        ms: *ms,
                        tokens: *tokens,
                    });
                }
                _ => {}
            }
        }
        let tokens = steps.iter().filter_map(|it| it.tokens).reduce(Tokens::plus);
        let ms = steps.iter().map(|it| it.ms).sum();
        Self { id, result, reason, steps, tokens, ms }
    }
}
