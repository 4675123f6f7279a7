//! `.ai/hooks/dispatch.manifest.json`: which modules run, how long they may take,
//! and what the dispatcher does in doubt.

mod broken;
mod budgets;
mod phase_policy;
mod rewrite_owner;

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use store::{FileError, Format, Workspace, parse_json, read_json};

pub use budgets::Budgets;
pub use phase_policy::{AllowedTools, PhasePolicy, PhaseRule, PolicyMode};
pub use rewrite_owner::RewriteOwner;

/// The manifest; every key is optional, and a project without one gets the defaults.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Manifest {
    /// The format of this file; 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// What editors check this file against.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Modules by name: built-in ones to change, the project's own to add.
    pub modules: BTreeMap<String, ModuleEntry>,
    /// Milliseconds each event may take.
    pub budgets: Budgets,
    /// The one module whose `updatedInput` counts, for all events or for each.
    pub rewrite_owner: RewriteOwner,
    /// Print a module's `allow` as the host's own, which switches the host's prompt off.
    pub explicit_allow: bool,
    /// What an `ask` becomes on a host that cannot ask.
    pub ask_fallback: AskFallback,
    /// What a tool call gets when the dispatcher itself fails.
    pub on_fault: OnFault,
    /// Put `_hook…` stamps into the tool input, not only into the record.
    pub stamp_input: bool,
    /// After so many refusals in a row the work is BLOCKED; 0 is never.
    pub block_after_denies: u32,
    /// Hold tool calls against `phasePolicy`.
    pub enforce_phases: bool,
    /// Which tools each phase permits.
    pub phase_policy: PhasePolicy,
}

/// How one module differs from its own defaults.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ModuleEntry {
    /// Whether it runs; a module that is listed runs unless this is false.
    pub enabled: Option<bool>,
    /// Lower runs first.
    pub priority: Option<i64>,
    /// The script, relative to `.ai/hooks/`; replaces a built-in module of that name.
    pub path: Option<String>,
    /// May run while a tool call waits.
    pub hot_path_safe: Option<bool>,
    /// Its failure denies.
    pub critical: Option<bool>,
}

/// What an `ask` becomes on a host that cannot ask.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum AskFallback {
    /// A refusal that says how a person can permit the call.
    #[default]
    Deny,
    /// No decision.
    Abstain,
}

/// What a tool call gets when the dispatcher itself fails.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum OnFault {
    /// No decision, and a warning.
    #[default]
    Abstain,
    /// A refusal.
    Deny,
}

impl Manifest {
    /// The format this build reads.
    pub const FORMAT: Format = Format(1);

    /// Reads the workspace's manifest; without a file the defaults serve.
    pub fn load(workspace: &Workspace) -> Result<Self, FileError> {
        Ok(read_json(&workspace.manifest_file(), Self::FORMAT)?.unwrap_or_default())
    }

    /// Reads a manifest from text.
    pub fn parse(path: &Path, text: &[u8]) -> Result<Self, FileError> {
        parse_json(path, text, Self::FORMAT)
    }
}
