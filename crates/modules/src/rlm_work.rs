//! `rlm-work`: delegates broad calls of the main agent to subagents, each with its own folder.
//!
//! WHY: the main agent's context is small. The project's policy lists the calls that are too broad for it. The module
//! gives a subagent a packet with the folder for its results, registers them when the subagent stops, and gives the parent
//! a pointer to them instead of their content.

mod breadth;
mod packet;
mod pointer;
mod results;
mod rule;
mod settings;

use event::{AgentId, Decision, Detail, EventName, LineKind, ToolCall};
use project_config::{DelegationMode, RlmPolicy};
use serde_json::json;
use session::Emitted;
use store::{FeatureDir, ModuleName};

pub use packet::Packet;
pub use settings::Settings;

use crate::{Action, Context, Module, ModuleFailure, Profile};

/// The module's name, as the manifest and `config.json` spell it.
pub const NAME: &str = "rlm-work";

/// The module `rlm-work`.
pub struct RlmWork;

impl Module for RlmWork {
    fn profile(&self) -> &Profile {
        &Profile {
            name: NAME,
            about: "sends broad searches to subagents",
            // The contract lists three events. No host passes text to the parent when a subagent stops, so the
            // parent gets the pointer after its own next call.
            supports: &[
                EventName::PreToolUse,
                EventName::PostToolUse,
                EventName::SubagentStart,
                EventName::SubagentStop,
            ],
            priority: 40,
            hot_path_safe: true,
            critical: false,
            on_by_default: false,
        }
    }

    fn handle(&self, context: &Context<'_>) -> Result<Action, ModuleFailure> {
        let is_main = context.ids.agent == AgentId::MAIN;
        match &context.event.detail {
            Detail::PreToolUse { call } if is_main => Ok(judge(context, call)),
            Detail::PostToolUse { .. } if is_main => Ok(pointer::hand_over(context)),
            Detail::SubagentStart if !is_main => packet::hand_out(context),
            Detail::SubagentStop { kept_going, .. } if !is_main => results::register(context, *kept_going),
            _ => Ok(Action::default()),
        }
    }
}

/// Checks a call of the main agent against the policy.
fn judge(context: &Context<'_>, call: &ToolCall) -> Action {
    let policy = match policy(context) {
        Ok(Some(policy)) => policy,
        Ok(None) => return Action::default(),
        Err(disabled) => return *disabled,
    };
    let Some(hit) = rule::strictest(context, &policy, call) else { return Action::default() };
    let reason = rule::sentence(&hit);
    let data = json!({
        "rule": hit.rule.id, "mode": hit.rule.mode, "tool": session::recorded_input::short(&call.name),
        "agentType": hit.rule.agent_type,
    });
    let emit_events = vec![Emitted { kind: LineKind::RlmDelegation.name().into(), data }];
    match hit.rule.mode {
        DelegationMode::Deny => {
            Action { decision: Decision::Deny { reason }, emit_events, ..Action::default() }
        }
        DelegationMode::Ask => {
            Action { decision: Decision::Ask { reason }, emit_events, ..Action::default() }
        }
        DelegationMode::Warn => {
            let note = event::ContextNote { key: NAME.into(), value: reason.clone() };
            Action {
                warnings: vec![reason],
                additional_context: vec![note],
                emit_events,
                ..Action::default()
            }
        }
    }
}

/// Reads the policy; an unreadable one disables the module for this event.
fn policy(context: &Context<'_>) -> Result<Option<RlmPolicy>, Box<Action>> {
    RlmPolicy::load(context.workspace).map_err(|error| {
        let warning = format!("`{NAME}` is off for this event: {error}");
        Box::new(Action { warnings: vec![warning], ..Action::default() })
    })
}

/// Returns the module's folder in the session.
fn feature(context: &Context<'_>) -> Result<FeatureDir, ModuleFailure> {
    let name =
        ModuleName::new(NAME).ok_or_else(|| ModuleFailure(format!("`{NAME}` is not a valid module name")))?;
    Ok(context.session.feature(&name))
}

/// Returns the role a subagent was started as.
fn role<'a>(context: &Context<'a>) -> Option<&'a str> {
    context.event.agent.as_ref().and_then(|agent| agent.kind.as_deref())
}
