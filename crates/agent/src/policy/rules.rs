//! The rules for the calls of one session, without prompts and other fields that judging a call does
//! not need: small enough to cache and to read while a tool call waits.

use event::ToolCall;
use serde::{Deserialize, Serialize};
use shell::Place;

use super::check::{CallContext, Subject, judge};
use super::permission::Permission;
use super::shell_filter;
use crate::definition::{BashFilter, Definition, Strictness, Tools};
use crate::pattern::Pattern;

/// The rules of an agent and of the project.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rules {
    /// The governing agent, if there is one.
    pub agent: Option<AgentRules>,
    /// The project's patterns for every shell command.
    pub global_blocked_patterns: Vec<Pattern>,
}

/// The rules of one agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentRules {
    /// Its name.
    pub name: String,
    /// The file that defines it, relative to the workspace.
    pub file: String,
    /// The tools it may use.
    pub tools: Tools,
}

impl AgentRules {
    /// Extracts the rules of a definition.
    pub fn of(definition: &Definition) -> Self {
        Self {
            name: definition.name.clone(),
            file: definition.origin.file.clone(),
            tools: definition.tools.clone(),
        }
    }
}

impl Rules {
    /// Judges a call; `place` is the folder in which a command line would run.
    pub fn check(&self, call: &ToolCall, place: Place<'_>) -> Permission {
        let terms = CallContext { place, global_blocked_patterns: &self.global_blocked_patterns };
        match &self.agent {
            Some(agent) => judge(Subject { name: &agent.name, tools: &agent.tools }, call, &terms),
            None => shell_filter::check(&BashFilter::default(), call, &terms)
                .map_or(Permission::Allowed, Permission::Denied),
        }
    }
}

/// The cached form of the rules. Empty lists are omitted: most are empty.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Rules"))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct RulesRecord {
    /// The governing agent, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<AgentRulesRecord>,
    /// The project's patterns for every shell command.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    global_blocked_patterns: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "AgentRules"))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AgentRulesRecord {
    /// Its name.
    name: String,
    /// The file that defines it.
    file: String,
    /// The list was written for another program.
    foreign: bool,
    /// The only tools it may use; all if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    allowed: Option<Vec<String>>,
    /// Tools it must not use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    blocked: Vec<String>,
    /// The only programs it may run; all if empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    allowed_commands: Vec<String>,
    /// Patterns of command lines it must not run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    blocked_patterns: Vec<String>,
}

impl RulesRecord {
    pub(crate) fn of(rules: &Rules) -> Self {
        let agent = rules.agent.as_ref().map(|agent| AgentRulesRecord {
            name: agent.name.clone(),
            file: agent.file.clone(),
            foreign: agent.tools.strictness == Strictness::Foreign,
            allowed: agent.tools.allowed.clone(),
            blocked: agent.tools.blocked.clone(),
            allowed_commands: agent.tools.bash_filter.allowed_commands.clone(),
            blocked_patterns: texts(&agent.tools.bash_filter.blocked_patterns),
        });
        Self { agent, global_blocked_patterns: texts(&rules.global_blocked_patterns) }
    }

    /// Returns the rules. Returns `None` if a pattern is invalid, so that the caller reads the
    /// definition again.
    pub(crate) fn rules(self) -> Option<Rules> {
        let agent = match self.agent {
            None => None,
            Some(wire) => Some(AgentRules {
                name: wire.name,
                file: wire.file,
                tools: Tools {
                    allowed: wire.allowed,
                    blocked: wire.blocked,
                    bash_filter: BashFilter {
                        allowed_commands: wire.allowed_commands,
                        blocked_patterns: patterns(wire.blocked_patterns)?,
                    },
                    strictness: if wire.foreign { Strictness::Foreign } else { Strictness::Strict },
                },
            }),
        };
        Some(Rules { agent, global_blocked_patterns: patterns(self.global_blocked_patterns)? })
    }
}

fn texts(patterns: &[Pattern]) -> Vec<String> {
    patterns.iter().map(|it| it.as_str().to_owned()).collect()
}

fn patterns(texts: Vec<String>) -> Option<Vec<Pattern>> {
    texts.into_iter().map(|it| Pattern::new(it).ok()).collect()
}
