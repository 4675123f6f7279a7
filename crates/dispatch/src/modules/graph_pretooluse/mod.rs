//! `graph-pretooluse`: advises how to bound reads and searches, or holds unbounded ones back.
//!
//! A search of everything fills the model's context with what it did not want to know and
//! keeps the machine busy. By default such a call passes and the model reads how to bound the
//! next one; the preset `strict` asks a person first.

mod commands;
mod finding;
mod rule;
mod settings;
mod tools;

use event::{ContextNote, Decision, Detail, EventName, LineKind};
use serde_json::json;

pub use rule::Rule;
pub use settings::{Level, Preset, Settings};

use crate::action::Emitted;
use crate::{Action, Context, Module, ModuleFailure, Profile};
use finding::Finding;

/// The module `graph-pretooluse`.
pub struct GraphPreToolUse;

/// The module's name, as the manifest and `config.json` spell it.
pub const NAME: &str = "graph-pretooluse";

impl Module for GraphPreToolUse {
    fn profile(&self) -> &Profile {
        &Profile {
            name: NAME,
            supports: &[EventName::PreToolUse],
            priority: 10,
            hot_path_safe: true,
            critical: true,
            on_by_default: true,
        }
    }

    fn handle(&self, context: &Context<'_>) -> Result<Action, ModuleFailure> {
        let Detail::PreToolUse { call } = &context.event.detail else { return Ok(Action::default()) };
        let mut warnings = Vec::new();
        // A typing mistake must not switch a guard off, nor stop all work.
        let settings = context.config.typed(NAME).unwrap_or_else(|error| {
            warnings.push(format!("the settings of `{NAME}` are ignored, its defaults serve: {error}"));
            Settings::default()
        });
        let mut findings = match &call.command {
            Some(command) => commands::findings(context.reading(command), &settings),
            None => tools::findings(context, call, &settings),
        };
        findings.retain(|finding| settings.level(finding.rule) != Level::Off);
        let said = |level| {
            let findings = findings.iter().filter(|finding| settings.level(finding.rule) == level);
            findings.map(Finding::sentence).collect::<Vec<_>>()
        };
        // The person sees the warning; only the note reaches the model, which makes the next call.
        let advice = said(Level::Warn);
        let note = |value: &String| ContextNote { key: NAME.into(), value: value.clone() };
        let additional_context = advice.iter().map(note).collect();
        warnings.extend(advice);
        let (denied, asked) = (said(Level::Deny), said(Level::Ask));
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
