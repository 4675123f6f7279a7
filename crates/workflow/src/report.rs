//! What came of a run, for the end of it.

use crate::answer::Tokens;
use crate::record::{RecordWire, RunRecord, RunResult, StepOutcome};
use crate::run_id::RunId;

/// A run as a whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Its name.
    pub id: RunId,
    /// How it ended.
    pub result: RunResult,
    /// Why it failed.
    pub reason: Option<String>,
    /// Its steps in order.
    pub steps: Vec<ReportedStep>,
    /// What its programs say they have used, together; `None` when none of them said.
    pub tokens: Option<Tokens>,
    /// How long its steps took, in milliseconds.
    pub ms: u64,
}

/// One step.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportedStep {
    /// Which, from 1.
    pub step: u64,
    /// Whose turn it was.
    pub agent: String,
    /// Why.
    pub because: String,
    /// The program it ran in.
    pub provider: String,
    /// How it ended.
    pub outcome: StepOutcome,
    /// What it said, or why it failed.
    pub text: String,
    /// How long it took, in milliseconds.
    pub ms: u64,
    /// What its program says it has used.
    pub tokens: Option<Tokens>,
}

impl Report {
    /// Makes it of the lines of a journal.
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
