//! Making one verdict of what the modules said.
//!
//! INVARIANT: the verdict is at least as strict as every module's decision. What is
//! dropped on the way (a rewrite by the wrong module, a stamp by another than
//! `session`) leaves a warning.

use event::{Decision, Event, EventName, Verdict};
use redact::Redacted;
use serde_json::{Map, Value};

use crate::Manifest;
use crate::pipeline::{Deliberation, StepResult};

/// The verdict, who it came from, and what was set aside.
#[derive(Debug, Default)]
pub(crate) struct Judgement {
    /// What the host shall be told, before its abilities are considered.
    pub verdict: Verdict,
    /// The module whose word decided.
    pub decided_by: Option<String>,
    /// The stamps for the record of the tool input.
    pub stamps: Map<String, Value>,
    /// What was ignored, for the journal.
    pub ignored: Vec<String>,
}

/// The only module that may stamp inputs (contract §9.1).
const STAMPING_MODULE: &str = "session";

/// Merges the reports of a deliberation.
pub(crate) fn of(event: &Event, manifest: &Manifest, deliberation: &Deliberation) -> Judgement {
    let mut judgement = Judgement::default();
    let mut rewrite: Option<Map<String, Value>> = None;
    let owner = manifest.rewrite_owner.at(event.name());
    for report in &deliberation.reports {
        judgement.decide(report.decision(), &report.module);
        let StepResult::Acted(action) = &report.result else { continue };
        judgement.verdict.context.extend(action.additional_context.iter().cloned());
        judgement.verdict.warnings.extend(action.warnings.iter().cloned());
        if !action.input_metadata.is_empty() {
            if report.module == STAMPING_MODULE {
                judgement.stamps.extend(action.input_metadata.clone());
            } else {
                judgement.ignore(format!(
                    "`{}` returned inputMetadata, which only `{STAMPING_MODULE}` may",
                    report.module
                ));
            }
        }
        if !action.updated_input.is_empty() {
            if report.module != owner {
                let complaint = format!(
                    "`{}` returned updatedInput, but `{owner}` is the manifest's rewriteOwner for {}",
                    report.module,
                    event.name()
                );
                judgement.ignore(complaint);
            } else if rewrite.is_some() {
                judgement.ignore(format!("a second updatedInput of `{}`", report.module));
            } else {
                rewrite = Some(action.updated_input.clone());
            }
        }
    }
    judgement.verdict.rewrite = complete_input(event, manifest, &judgement, rewrite);
    redact(&mut judgement.verdict);
    judgement
}

/// Takes the secrets out of what a model or a person will read. The rewritten input stays as
/// it is: the tool runs with it.
fn redact(verdict: &mut Verdict) {
    let reason = match &mut verdict.decision {
        Decision::Ask { reason } | Decision::Deny { reason } => Some(reason),
        Decision::Abstain | Decision::Allow => None,
    };
    let context = verdict.context.iter_mut().map(|note| &mut note.value);
    for text in reason.into_iter().chain(&mut verdict.warnings).chain(context) {
        let clean = Redacted::from_text(text);
        if clean.as_str() != text {
            clean.as_str().clone_into(text);
        }
    }
}

impl Judgement {
    fn decide(&mut self, decision: Decision, module: &str) {
        let before = std::mem::take(&mut self.verdict.decision);
        let had = before.as_str();
        let merged = before.merge(decision);
        if merged.as_str() != had {
            self.decided_by = Some(module.to_owned());
        }
        self.verdict.decision = merged;
    }

    fn ignore(&mut self, what: String) {
        self.verdict.warnings.push(format!("ignored: {what}"));
        self.ignored.push(what);
    }
}

/// Returns the complete input the tool shall run with: what the host sent, the stamps if
/// the manifest wants them there, the rewrite on top. Nothing on a refusal.
fn complete_input(
    event: &Event,
    manifest: &Manifest,
    judgement: &Judgement,
    rewrite: Option<Map<String, Value>>,
) -> Option<Map<String, Value>> {
    let stamp = manifest.stamp_input && !judgement.stamps.is_empty();
    if event.name() != EventName::PreToolUse
        || judgement.verdict.decision.is_deny()
        || (rewrite.is_none() && !stamp)
    {
        return None;
    }
    let mut input = match &event.call()?.input {
        Value::Object(input) => input.clone(),
        _ => Map::new(),
    };
    if stamp {
        input.extend(judgement.stamps.clone());
    }
    input.extend(rewrite.unwrap_or_default());
    Some(input)
}
