//! A fingerprint of everything a user trusts when a workspace's agents run: the command to start, and
//! the tools that are approved in advance.
//!
//! WHY not the whole files: prompts change often, and asking again each time would train users to say
//! yes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use store::{Fingerprint, fingerprint};

use crate::config::Config;
use crate::definition::Definition;
use crate::policy::{AgentRules, Rules, RulesRecord};

/// Returns a fingerprint of the commands and approvals of a project's agents.
pub fn run_fingerprint(
    workspace: &Path,
    config: &Config,
    agents: &BTreeMap<String, Definition>,
) -> Fingerprint {
    let mut parts: Vec<Vec<u8>> = Vec::new();
    for word in &config.provider.command {
        parts.push(word.clone().into_bytes());
        // A script of the workspace is part of the command.
        let content = fs::read(workspace.join(word)).unwrap_or_default();
        parts.push(fingerprint([content.as_slice()]).to_string().into_bytes());
    }
    for definition in agents.values() {
        let rules = Rules { agent: Some(AgentRules::of(definition)), ..Rules::default() };
        parts.push(serde_json::to_vec(&RulesRecord::of(&rules)).unwrap_or_default());
        let provider = definition.provider.as_ref().map_or("", |it| it.name.as_str());
        parts.push(provider.as_bytes().to_vec());
    }
    fingerprint(parts.iter().map(Vec::as_slice))
}
