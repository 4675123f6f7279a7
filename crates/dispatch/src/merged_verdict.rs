//! Merges the modules' reports into one verdict.
//!
//! INVARIANT: the verdict is at least as strict as every module's decision. Each ignored part (a rewrite by the wrong
//! module, a stamp by another module than `session`) adds a warning.

use event::{Decision, Event, EventName, Verdict};
use project_config::Manifest;
use redact::Redacted;
use serde_json::{Map, Value};

use crate::pipeline::{PipelineReport, StepResult};

/// The verdict, the module that decided, and the ignored parts.
#[derive(Debug, Default)]
pub(crate) struct MergedVerdict {
    /// The answer, before the host's capabilities are considered.
    pub verdict: Verdict,
    /// The module that decided.
    pub decided_by: Option<String>,
    /// The stamps of the tool input.
    pub stamps: Map<String, Value>,
    /// The ignored parts, for the journal.
    pub ignored: Vec<String>,
    /// Whether a later deny replaces the present one.
    yields: bool,
}

/// The only module that may stamp inputs (contract §9.1).
const STAMPING_MODULE: &str = "session";

/// Merges the reports of the pipeline.
pub(crate) fn of(event: &Event, manifest: &Manifest, reports: &PipelineReport) -> MergedVerdict {
    let mut merged = MergedVerdict::default();
    let mut rewrite: Option<Map<String, Value>> = None;
    let owner = manifest.rewrite_owner.at(event.name());
    for report in &reports.modules {
        let yields = report.action().is_some_and(|action| action.yields);
        merged.decide(report.decision(), &report.module, yields);
        let StepResult::Acted(action) = &report.result else { continue };
        merged.verdict.context.extend(action.additional_context.iter().cloned());
        merged.verdict.warnings.extend(action.warnings.iter().cloned());
        merged.verdict.replacement = merged.verdict.replacement.take().or_else(|| action.replacement.clone());
        for mistake in &action.mistakes {
            merged.ignore(format!("`{}`: {mistake}", report.module));
        }
        if !action.input_metadata.is_empty() {
            if report.module == STAMPING_MODULE {
                merged.stamps.extend(action.input_metadata.clone());
            } else {
                merged.ignore(format!(
                    "`{}` returned inputMetadata, which only `{STAMPING_MODULE}` may",
                    report.module
                ));
            }
        }
        if !action.updated_input.is_empty() {
            if !manifest.rewrite_owner.is_at(event.name(), &report.module) {
                let complaint = format!(
                    "`{}` returned updatedInput, but `{owner}` is the manifest's rewriteOwner for {}",
                    report.module,
                    event.name()
                );
                merged.ignore(complaint);
            } else if rewrite.is_some() {
                merged.ignore(format!("a second updatedInput of `{}`", report.module));
            } else {
                rewrite = Some(action.updated_input.clone());
            }
        }
    }
    merged.verdict.rewrite = complete_input(event, manifest, &merged, rewrite);
    redact(&mut merged.verdict);
    merged
}

/// Redacts the texts for the model and the user. The rewritten input stays as it is: the tool runs with it.
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

impl MergedVerdict {
    fn decide(&mut self, decision: Decision, module: &str, yields: bool) {
        let mut before = std::mem::take(&mut self.verdict.decision);
        if decision.is_deny() {
            if self.yields {
                before = Decision::Abstain;
            }
            self.yields = yields;
        }
        let had = before.as_str();
        let merged = before.merge(decision);
        if merged.as_str() != had {
            self.decided_by = Some(module.to_owned());
        }
        self.verdict.decision = merged;
    }

    /// Warns about an ignored part and lists it for the journal.
    pub(crate) fn ignore(&mut self, part: String) {
        self.verdict.warnings.push(format!("ignored: {part}"));
        self.ignored.push(part);
    }
}

/// Returns the complete input for the tool: the host's input, the stamps if the manifest has `stampInput`, then the
/// rewrite. Returns `None` on a deny, or if nothing changes.
fn complete_input(
    event: &Event,
    manifest: &Manifest,
    merged: &MergedVerdict,
    rewrite: Option<Map<String, Value>>,
) -> Option<Map<String, Value>> {
    let stamp = manifest.stamp_input && !merged.stamps.is_empty();
    if event.name() != EventName::PreToolUse
        || merged.verdict.decision.is_deny()
        || (rewrite.is_none() && !stamp)
    {
        return None;
    }
    let mut input = match &event.call()?.input {
        Value::Object(input) => input.clone(),
        _ => Map::new(),
    };
    if stamp {
        input.extend(merged.stamps.clone());
    }
    input.extend(rewrite.unwrap_or_default());
    Some(input)
}
