//! Which rules hold for a session that an agent governs, and how they are kept so that the
//! definition is read once and not at every tool call.

use config_file::Problem;
use std::path::Path;

use serde::{Deserialize, Serialize};
use store::Format;

use super::governing::{Governing, search};
use super::project_config::{config_path, project_config};
use super::stamp::Stamp;
use crate::config::Config;
use crate::policy::{AgentRules, Rules, RulesWire};
use crate::tool_name::ToolNames;

/// What is known of the rules.
#[derive(Debug, Clone, PartialEq)]
pub enum Ruling {
    /// These hold.
    Rules(Rules),
    /// A file with errors would say which hold.
    Broken(Vec<Problem>),
    /// No file defines the agent.
    Undefined,
}

/// A ruling and what it was made from.
#[derive(Debug, Clone, PartialEq)]
pub struct Ruled {
    /// The ruling.
    pub ruling: Ruling,
    stamps: Vec<Stamp>,
}

/// The format of a ruling that is kept.
const FORMAT: Format = Format(1);

/// The most files whose stamps are worth comparing; beyond that, looking is as dear as reading.
const MAX_STAMPS: usize = 256;

/// The rules of one agent in one session, and what they were made from.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "agent-ruling"))]
#[serde(deny_unknown_fields)]
pub(crate) struct RuledWire {
    /// The format of the file.
    version: u64,
    /// The files and folders the rules were made from.
    stamps: Vec<Stamp>,
    /// Nothing for an agent that no file defines.
    rules: Option<RulesWire>,
}

/// Finds the rules of the agent of this name.
pub fn rule(workspace: &Path, name: &str, names: impl FnOnce(&Config) -> ToolNames) -> Ruled {
    let mut stamps = vec![Stamp::of(config_path(workspace))];
    let config = match config_of(workspace) {
        Ok(config) => config,
        Err(problems) => return Ruled { ruling: Ruling::Broken(problems), stamps },
    };
    let found = search(workspace, &config.directory, name, &names(&config));
    stamps.extend(found.depends_on.into_iter().map(Stamp::of));
    let ruling = match found.governing {
        Governing::Found(definition) => Ruling::Rules(Rules {
            agent: Some(AgentRules::of(&definition)),
            global_blocked_patterns: config.global_blocked_patterns,
        }),
        Governing::Broken(problems) => Ruling::Broken(problems),
        Governing::Undefined => Ruling::Undefined,
    };
    Ruled { ruling, stamps }
}

/// Finds the rules for a session that no agent governs: the project's own.
pub fn rule_without_agent(workspace: &Path) -> Ruled {
    let stamps = vec![Stamp::of(config_path(workspace))];
    let ruling = match config_of(workspace) {
        Ok(config) => {
            Ruling::Rules(Rules { agent: None, global_blocked_patterns: config.global_blocked_patterns })
        }
        Err(problems) => Ruling::Broken(problems),
    };
    Ruled { ruling, stamps }
}

fn config_of(workspace: &Path) -> Result<Config, Vec<Problem>> {
    let loaded = project_config(workspace);
    loaded.config.ok_or(loaded.problems)
}

impl Ruled {
    /// Returns it as text to be kept; `None` when it is not worth it, or when what it was made
    /// from could change without anybody noticing.
    pub fn keep(&self) -> Option<String> {
        let rules = match &self.ruling {
            Ruling::Rules(rules) => Some(RulesWire::of(rules)),
            Ruling::Undefined => None,
            // Whoever mends the file wants to see it at once.
            Ruling::Broken(_) => return None,
        };
        if self.stamps.len() > MAX_STAMPS || !self.stamps.iter().all(Stamp::is_settled) {
            return None;
        }
        serde_json::to_string(&RuledWire { version: FORMAT.0, stamps: self.stamps.clone(), rules }).ok()
    }

    /// Reads what was kept; `None` when anything it was made from looks different now, or when
    /// it is not ours: then the files have the word.
    pub fn recall(kept: &[u8]) -> Option<Self> {
        let wire: RuledWire = serde_json::from_slice(kept).ok()?;
        if wire.version != FORMAT.0 || !wire.stamps.iter().all(Stamp::is_current) {
            return None;
        }
        let ruling = match wire.rules {
            Some(rules) => Ruling::Rules(rules.rules()?),
            None => Ruling::Undefined,
        };
        Some(Self { ruling, stamps: wire.stamps })
    }
}
