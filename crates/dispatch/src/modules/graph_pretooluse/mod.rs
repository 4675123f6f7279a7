//! `graph-pretooluse`: holds back reads and searches that nothing bounds.
//!
//! A search of everything fills the model's context with what it did not want to know and
//! keeps the machine busy. Nothing is lost by refusing one: the reason says how to bound the
//! call, and the model makes it again, smaller.

mod commands;
mod finding;
mod rule;
mod settings;
mod tools;

use event::{Decision, Detail, EventName};
use serde_json::json;

pub use rule::Rule;
pub use settings::{Level, Settings};

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
        findings.retain(|finding| settings.rules.level(finding.rule) != Level::Off);
        let rules = &settings.rules;
        let said = |level| {
            let findings = findings.iter().filter(move |finding| rules.level(finding.rule) == level);
            findings.map(Finding::sentence).collect::<Vec<_>>()
        };
        warnings.extend(said(Level::Warn));
        let (denied, asked) = (said(Level::Deny), said(Level::Ask));
        let decision = if !denied.is_empty() {
            Decision::Deny { reason: denied.join("\n") }
        } else if !asked.is_empty() {
            Decision::Ask { reason: asked.join("\n") }
        } else {
            Decision::Abstain
        };
        Ok(Action { decision, warnings, emit_events: events(&findings, &settings), ..Action::default() })
    }
}

fn events(findings: &[Finding], settings: &Settings) -> Vec<Emitted> {
    let event = |finding: &Finding| {
        let level = settings.rules.level(finding.rule).as_str();
        let data = json!({"rule": finding.rule.id(), "level": level, "about": finding.about});
        Emitted { kind: "UNBOUNDED_CALL".into(), data }
    };
    findings.iter().map(event).collect()
}
