//! `agent-tools`: checks every tool call against the tools of the agent that governs the session.
//!
//! The agent is the type of the calling subagent, else the one that `steersman agent run` has started, else
//! `agents.active` of `config.json`, else none. The rules are in the `agent` crate; this module selects the agent and
//! words the denial for the model.
//!
//! INVARIANT: a session without such an agent costs one `stat` of `.rawko/config.yaml` before a shell command and
//! nothing else. An unreadable definition denies, since the tools of its agent are unknown.

mod candidates;
mod definition_file;
mod lookup;
mod refusal;

use agent::ToolNames;
use agent::policy::{Permission, Rules};
use agent::registry::{SessionRules, config_path, rule, rule_without_agent};
use event::{Decision, Detail, EventName, ToolCall, ToolKind};
use host::Host;
use serde_json::json;
use shell::Place;

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
            about: "restricts an agent to the tools of its definition",
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
            SessionRules::Rules(rules) => return hold(context, call, &rules),
            SessionRules::Broken(problems) => return refused(call, &refusal::broken(candidate, &problems)),
            // The host's own subagents have no definition file: they may use all tools of the session.
            SessionRules::Undefined if candidate.may_be_the_hosts() => {}
            SessionRules::Undefined => return refused(call, &refusal::undefined(candidate)),
        }
    }
    // Only a command line can violate the project's own patterns.
    if call.command.is_none() && call.kind != ToolKind::Shell || !config_path(root).exists() {
        return Action::default();
    }
    match lookup.find(None, || rule_without_agent(root)) {
        SessionRules::Rules(rules) => hold(context, call, &rules),
        SessionRules::Undefined => Action::default(),
        SessionRules::Broken(problems) => refusal::broken_config(root, &problems),
    }
}

/// Checks a call against the rules.
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

/// Denies a call because its agent's rules are unknown. Tools that touch only the conversation pass: a model that cannot
/// ask its user is stuck.
fn refused(call: &ToolCall, reason: &str) -> Action {
    if call.kind == ToolKind::Harmless {
        return Action { warnings: vec![reason.to_owned()], ..Action::default() };
    }
    Action::deny(reason)
}

/// Returns the names of every host's tools and the project's own.
pub fn known_tools(custom: &[String]) -> ToolNames {
    // The host `raw` has the tools of all hosts.
    ToolNames::new(host::tool_names(Host::Raw)).with(custom.iter().cloned())
}
