//! `plan-subagent-contract`: a planning agent is told where its plan goes, and may not leave
//! before it is right.
//!
//! At its start it is told the two files and the rules; at its end both are checked. A right
//! plan is accepted: from then on `planGraph-exec` holds calls against it. A wrong one is
//! given back with everything that is wrong, a few times at most.

mod acceptance;
mod briefing;
mod desk;
mod rejection;
mod settings;

use event::{AbsPath, ContextNote, Detail, EventName};
use redact::Redacted;
use store::{FeatureDir, ModuleName};

pub use settings::Settings;

use crate::action::{Content, Output};
use crate::{Action, Context, Module, ModuleFailure, Profile};

/// The module's name, as the manifest and `config.json` spell it.
pub const NAME: &str = "plan-subagent-contract";

/// The module `plan-subagent-contract`.
pub struct PlanSubagentContract;

impl Module for PlanSubagentContract {
    fn profile(&self) -> &Profile {
        &Profile {
            name: NAME,
            supports: &[EventName::SubagentStart, EventName::SubagentStop],
            priority: 30,
            hot_path_safe: false,
            critical: false,
            on_by_default: false,
        }
    }

    fn handle(&self, context: &Context<'_>) -> Result<Action, ModuleFailure> {
        let settings: Settings = match context.config.typed(NAME) {
            Ok(settings) => settings,
            Err(error) => {
                let warning = format!("`{NAME}` is off for this event: {error}");
                return Ok(Action { warnings: vec![warning], ..Action::default() });
            }
        };
        let role = context.event.agent.as_ref().and_then(|agent| agent.kind.as_deref()).unwrap_or_default();
        if !settings.plans(role) {
            return Ok(Action::default());
        }
        // Where an agent leaves its plan.
        let folder = feature(context)?.of_subagent(Some(role), context.ids.agent);
        Ok(match &context.event.detail {
            Detail::SubagentStart => brief(context, &folder),
            Detail::SubagentStop { kept_going, .. } => {
                let desk = desk::of(context, folder);
                match acceptance::check(context, &desk) {
                    Ok(plan) => acceptance::accept(context, &plan),
                    Err(problems) => rejection::of(context, &settings, &problems, *kept_going),
                }
            }
            _ => Action::default(),
        })
    }
}

/// Tells a planning agent what its plan has to look like. The same is left in its folder: some
/// hosts hand nothing to an agent that starts, and so the folder is there.
fn brief(context: &Context<'_>, folder: &AbsPath) -> Action {
    let text = briefing::text(folder, context.ids.agent);
    let name =
        feature(context).ok().and_then(|feature| folder.child("contract.md").below(&feature.output).ok());
    let output = |name: event::RepoPath| Output {
        name: name.as_str().to_owned(),
        content: Content::Replace(Redacted::from_text(&text)),
    };
    Action {
        outputs: name.map(output).into_iter().collect(),
        additional_context: vec![ContextNote { key: NAME.into(), value: text.clone() }],
        state_patch: desk::remember(context, folder),
        ..Action::default()
    }
}

/// Returns the module's part of the session.
fn feature(context: &Context<'_>) -> Result<FeatureDir, ModuleFailure> {
    let name = ModuleName::new(NAME).ok_or_else(|| ModuleFailure("its name is no plain name".into()))?;
    Ok(context.session.feature(&name))
}
