//! `plan-subagent-contract`: tells a planning agent where to write its plan, and keeps it running until the plan is valid.
//!
//! At the start of the agent it names the two files and the rules; at its end it checks both files. It accepts a valid
//! plan, and `planGraph-exec` checks calls against it from then on. It returns an invalid one with all problems, a few
//! times at most.

mod acceptance;
mod plan_folder;
mod rejection;

use event::{AbsPath, AgentId, ContextNote, Detail, EventName};
use redact::Redacted;
use serde::{Deserialize, Serialize};
use store::{FeatureDir, ModuleName};

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
            about: "lets a planning subagent write the plan",
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
        // The folder for the agent's plan.
        let folder = feature(context)?.of_subagent(Some(role), context.ids.agent);
        Ok(match &context.event.detail {
            Detail::SubagentStart => brief(context, &folder),
            Detail::SubagentStop { kept_going, .. } => {
                let plan_folder = plan_folder::of(context, folder);
                match acceptance::check(context, &plan_folder) {
                    Ok(plan) => acceptance::accept(context, &plan),
                    Err(problems) => rejection::of(context, &settings, &problems, *kept_going),
                }
            }
            _ => Action::default(),
        })
    }
}

/// Returns the rules of a plan for a planning agent. Also writes them to its folder, which creates the folder: some hosts
/// pass no text to a starting agent.
fn brief(context: &Context<'_>, folder: &AbsPath) -> Action {
    let text = briefing(folder, context.ids.agent);
    let name =
        feature(context).ok().and_then(|feature| folder.child("contract.md").below(&feature.output).ok());
    let output = |name: event::RepoPath| Output {
        name: name.as_str().to_owned(),
        content: Content::Replace(Redacted::from_text(&text)),
    };
    Action {
        outputs: name.map(output).into_iter().collect(),
        additional_context: vec![ContextNote { key: NAME.into(), value: text.clone() }],
        state_patch: plan_folder::remember(context, folder),
        ..Action::default()
    }
}

/// Returns the module's folder in the session.
fn feature(context: &Context<'_>) -> Result<FeatureDir, ModuleFailure> {
    let name = ModuleName::new(NAME).ok_or_else(|| ModuleFailure("invalid module name".into()))?;
    Ok(context.session.feature(&name))
}

/// The roles of planning agents, and the limit of retries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "PlanContractSettings"))]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// The roles of agents that plan, in any case.
    pub agents: Vec<String>,
    /// How often a planning agent may correct its plan.
    pub max_retries: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { agents: vec!["Plan".into(), "planner".into()], max_retries: 3 }
    }
}

impl Settings {
    /// Returns whether an agent of this role plans.
    pub fn plans(&self, role: &str) -> bool {
        self.agents.iter().any(|agent| agent.eq_ignore_ascii_case(role))
    }
}

/// Returns the text for a starting planning agent: the paths and the rules of a plan.
fn briefing(folder: &AbsPath, agent: AgentId) -> String {
    format!(
        r#"You are planning. Write your plan to these two files before you end; their folder exists:
1. {folder}/planGraph.json
{{"version": 1, "nodes": [
  {{"id": "api", "description": "the task", "scope": ["src/api/**"], "tools": ["write", "shell"],
   "dependencies": [], "validations": ["cargo test -p api"]}}
]}}
2. {folder}/manifest.json
{{"version": 1, "agentId": "{agent}", "planGraph": "planGraph.json", "createdTs": <milliseconds since 1970>, "summary": "a few sentences"}}
Rules: every node has a unique `id` (letters, digits, `.`, `_`, `-`) and a `description`. `dependencies` names nodes of this plan,
without a cycle. `scope` is a glob below the workspace or an array of globs, `tools` are tool names or kinds (read, write, shell,
search, fetch, mcp). `status` is pending (default), active, complete, forbidden or denied; explain in `reason`. `validations` are
commands that check whether the node is complete, or sentences for people. steersman checks both files when you end and
lists all problems."#
    )
}
