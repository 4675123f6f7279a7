//! `graph-pretooluse`: advises how to bound reads and searches, or asks about unbounded ones.
//!
//! A search of everything fills the model's context with irrelevant lines and keeps the machine busy. By default such a
//! call passes and the model reads how to bound the next one; the preset `strict` asks the user first.

mod commands;
mod tools;

use event::{ContextNote, Decision, Detail, EventName, LineKind};
use project_config::bounds::{Level, NAME, Rule, Settings};
use serde_json::json;
use session::Emitted;

use crate::{Action, Context, Module, ModuleFailure, Profile};

/// The module `graph-pretooluse`.
pub struct GraphPreToolUse;

impl Module for GraphPreToolUse {
    fn profile(&self) -> &Profile {
        &Profile {
            name: NAME,
            about: "advises against unbounded searches and reads",
            supports: &[EventName::PreToolUse],
            priority: 10,
            hot_path_safe: true,
            critical: true,
            on_by_default: true,
        }
    }

    fn handle(&self, context: &Context<'_>) -> Result<Action, ModuleFailure> {
        let Detail::PreToolUse { call } = &context.event.detail else { return Ok(Action::default()) };
        let (settings, mut warnings) = Settings::read(context.config);
        let mut findings = match &call.command {
            Some(command) => commands::findings(context.reading(command), &settings),
            None => tools::findings(context, call, &settings),
        };
        findings.retain(|finding| settings.level(finding.rule) != Level::Off);
        let sentences = |level| {
            let findings = findings.iter().filter(|finding| settings.level(finding.rule) == level);
            findings.map(Finding::sentence).collect::<Vec<_>>()
        };
        // The user sees the warning; only the note reaches the model, which makes the next call.
        let advice = sentences(Level::Warn);
        let note = |value: &String| ContextNote { key: NAME.into(), value: value.clone() };
        let additional_context = advice.iter().map(note).collect();
        warnings.extend(advice);
        let (denied, asked) = (sentences(Level::Deny), sentences(Level::Ask));
        let decision = if !denied.is_empty() {
            Decision::Deny { reason: denied.join("\n") }
        } else if !asked.is_empty() {
            Decision::Ask { reason: asked.join("\n") }
        } else {
            Decision::Abstain
        };
        let emit_events = events(&findings, &settings);
        Ok(Action { decision, additional_context, emit_events, warnings, ..Action::default() })
    }
}

fn events(findings: &[Finding], settings: &Settings) -> Vec<Emitted> {
    let event = |finding: &Finding| {
        let level = settings.level(finding.rule).as_str();
        let data = json!({"rule": finding.rule.id(), "level": level, "about": finding.about});
        Emitted { kind: LineKind::UnboundedCall.name().into(), data }
    };
    findings.iter().map(event).collect()
}

/// A rule that a call breaks, and the subject.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Finding {
    rule: Rule,
    /// The command, folder, file or address.
    about: String,
    /// The problem, as a sentence without its full stop.
    text: String,
}

impl Finding {
    /// Returns the problem and the alternative, for the model.
    fn sentence(&self) -> String {
        format!("{} (rule `{}`). Instead: {}.", self.text, self.rule.id(), self.rule.hint())
    }
}
