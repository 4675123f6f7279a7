//! `agent-tools`: holds every tool call against what the agent that governs the session may use.
//!
//! Which agent that is: the type of the subagent the call comes from, else the one that
//! `steersman agent run` has started, else `agents.active` of `config.json`, else none. The
//! rules are those of the `agent` crate; here is only whose they are and how a denial is put
//! to the model.
//!
//! INVARIANT: a session without such an agent costs nothing, but for one look at
//! `.rawko/config.yaml` before a shell command. A definition that cannot be read denies: what
//! its agent may do is not known, and "everything" is the one answer nobody meant.

mod candidates;
mod definition_file;
mod known_tools;
mod lookup;
mod refusal;

use agent::policy::{Permission, Rules};
use agent::registry::{Ruling, config_path, rule, rule_without_agent};
use event::{Decision, Detail, EventName, ToolCall, ToolKind};
use serde_json::json;
use shell::Place;

pub use known_tools::known_tools;

use super::shell_guard;
use crate::{Action, Context, Module, ModuleFailure, Profile};
use candidates::{Candidate, candidates};
use lookup::Lookup;

/// The module `agent-tools`.
pub struct AgentTools;

/// The module's name, as the manifest spells it.
pub const NAME: &str = "agent-tools";

impl Module for AgentTools {
    fn profile(&self) -> &Profile {
        &Profile {
            name: NAME,
            supports: &[EventName::PreToolUse],
            priority: 6,
            hot_path_safe: true,
            critical: true,
            on_by_default: true,
        }
    }

    fn handle(&self, context: &Context<'_>) -> Result<Action, ModuleFailure> {
        let Detail::PreToolUse { call } = &context.event.detail else { return Ok(Action::default()) };
        let (candidates, complaint) = candidates(context);
        let mut lookup = Lookup::new(context);
        let mut action = judge(context, call, &candidates, &mut lookup);
        action.warnings.extend(complaint);
        action.outputs = lookup.into_outputs();
        Ok(action)
    }
}

fn judge(
    context: &Context<'_>,
    call: &ToolCall,
    candidates: &[Candidate<'_>],
    lookup: &mut Lookup<'_>,
) -> Action {
    let root = context.workspace.root().as_path();
    for candidate in candidates {
        let ruling = lookup.find(Some(candidate.name), || {
            rule(root, candidate.name, |config| known_tools(&config.custom_tools))
        });
        match ruling {
            Ruling::Rules(rules) => return hold(context, call, &rules),
            Ruling::Broken(problems) => return refused(call, &refusal::broken(candidate, &problems)),
            // The host's own subagents are in no file: they may do what the session may.
            Ruling::Undefined if candidate.may_be_the_hosts() => {}
            Ruling::Undefined => return refused(call, &refusal::undefined(candidate)),
        }
    }
    // Only a command line can be against the project's own patterns.
    if call.command.is_none() && call.kind != ToolKind::Shell || !config_path(root).exists() {
        return Action::default();
    }
    match lookup.find(None, || rule_without_agent(root)) {
        Ruling::Rules(rules) => hold(context, call, &rules),
        Ruling::Undefined => Action::default(),
        Ruling::Broken(problems) => refusal::broken_config(root, &problems),
    }
}

/// Holds a call against the rules.
fn hold(context: &Context<'_>, call: &ToolCall, rules: &Rules) -> Action {
    let root = context.workspace.root().to_string();
    let permission = match &call.command {
        Some(command) => {
            let folder = shell_guard::folder(context, command);
            rules.check(call, shell_guard::place(context, command, &folder))
        }
        None => rules.check(call, Place::at(&root)),
    };
    let denial = match permission {
        Permission::Denied(denial) => Some(denial),
        Permission::Allowed => definition_file::written(context, call, rules),
    };
    let Some(denial) = denial else { return Action::default() };
    let agent = rules.agent.as_ref().map(|it| it.name.as_str());
    let metrics = Some(json!({"agent": agent, "rule": denial.rule.to_string()}));
    let decision = Decision::Deny { reason: refusal::denied(&denial, rules) };
    Action { decision, metrics, ..Action::default() }
}

/// Refuses a call because its agent's rules are not known. What touches nothing but the
/// conversation passes: a model that cannot even ask its person is stuck.
fn refused(call: &ToolCall, reason: &str) -> Action {
    if call.kind == ToolKind::Harmless {
        return Action { warnings: vec![reason.to_owned()], ..Action::default() };
    }
    Action::deny(reason)
}
