//! The rules for a session, and their cache: steersman parses the definition once and not at every
//! tool call.

use config_file::Problem;
use std::path::Path;

use serde::{Deserialize, Serialize};
use store::Format;

use super::governing::{Governing, search};
use super::project_config::{config_path, project_config};
use super::stamp::Stamp;
use crate::config::Config;
use crate::policy::{AgentRules, Rules, RulesRecord};
use crate::tool_name::ToolNames;

/// The rules for a session.
#[derive(Debug, Clone, PartialEq)]
pub enum SessionRules {
    /// The rules that apply.
    Rules(Rules),
    /// The file that defines the rules has errors.
    Broken(Vec<Problem>),
    /// No file defines the agent.
    Undefined,
}

/// Rules, and the files from which they were derived.
#[derive(Debug, Clone, PartialEq)]
pub struct CachedRules {
    /// The rules.
    pub ruling: SessionRules,
    stamps: Vec<Stamp>,
}

/// The format of cached rules.
const FORMAT: Format = Format(1);

/// The most files whose stamps are compared; with more, comparing takes as long as reading.
const MAX_STAMPS: usize = 256;

/// The cached rules of one agent in one session, with the files from which they were derived.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "agent-ruling"))]
#[serde(deny_unknown_fields)]
pub(crate) struct CachedRulesRecord {
    /// The format of the file.
    version: u64,
    /// The files and folders from which the rules were derived.
    stamps: Vec<Stamp>,
    /// `None` for an agent that no file defines.
    rules: Option<RulesRecord>,
}

/// Finds the rules of the agent with this name.
pub fn rule(workspace: &Path, name: &str, names: impl FnOnce(&Config) -> ToolNames) -> CachedRules {
    let mut stamps = vec![Stamp::of(config_path(workspace))];
    let config = match config_of(workspace) {
        Ok(config) => config,
        Err(problems) => return CachedRules { ruling: SessionRules::Broken(problems), stamps },
    };
    let found = search(workspace, &config.directory, name, &names(&config));
    stamps.extend(found.depends_on.into_iter().map(Stamp::of));
    let ruling = match found.governing {
        Governing::Found(definition) => SessionRules::Rules(Rules {
            agent: Some(AgentRules::of(&definition)),
            global_blocked_patterns: config.global_blocked_patterns,
        }),
        Governing::Broken(problems) => SessionRules::Broken(problems),
        Governing::Undefined => SessionRules::Undefined,
    };
    CachedRules { ruling, stamps }
}

/// Finds the rules for a session without governing agent: the project's own.
pub fn rule_without_agent(workspace: &Path) -> CachedRules {
    let stamps = vec![Stamp::of(config_path(workspace))];
    let ruling = match config_of(workspace) {
        Ok(config) => SessionRules::Rules(Rules {
            agent: None,
            global_blocked_patterns: config.global_blocked_patterns,
        }),
        Err(problems) => SessionRules::Broken(problems),
    };
    CachedRules { ruling, stamps }
}

fn config_of(workspace: &Path) -> Result<Config, Vec<Problem>> {
    let loaded = project_config(workspace);
    loaded.config.ok_or(loaded.problems)
}

impl CachedRules {
    /// Returns the rules as text for the cache. Returns `None` if caching takes too long, or if a
    /// source could change unnoticed.
    pub fn keep(&self) -> Option<String> {
        let rules = match &self.ruling {
            SessionRules::Rules(rules) => Some(RulesRecord::of(rules)),
            SessionRules::Undefined => None,
            // A user who corrects the file must see the effect at once.
            SessionRules::Broken(_) => return None,
        };
        if self.stamps.len() > MAX_STAMPS || !self.stamps.iter().all(Stamp::is_settled) {
            return None;
        }
        serde_json::to_string(&CachedRulesRecord { version: FORMAT.0, stamps: self.stamps.clone(), rules })
            .ok()
    }

    /// Parses cached rules. Returns `None` if a source has changed or the text is malformed; the
    /// caller then reads the files.
    pub fn recall(kept: &[u8]) -> Option<Self> {
        let wire: CachedRulesRecord = serde_json::from_slice(kept).ok()?;
        if wire.version != FORMAT.0 || !wire.stamps.iter().all(Stamp::is_current) {
            return None;
        }
        let ruling = match wire.rules {
            Some(rules) => SessionRules::Rules(rules.rules()?),
            None => SessionRules::Undefined,
        };
        Some(Self { ruling, stamps: wire.stamps })
    }
}
