//! `.ai/hooks/dispatch.manifest.json`: the modules that run, their budgets, and the fallbacks of the dispatcher.

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
    /// The JSON Schema for editors.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// Modules by name: built-in ones to change, the project's own to add.
    #[serde(deserialize_with = "crate::module_names::modules")]
    pub modules: BTreeMap<String, ModuleEntry>,
    /// Milliseconds each event may take.
    pub budgets: Budgets,
    /// The only module whose `updatedInput` counts, for all events or for each.
    pub rewrite_owner: RewriteOwner,
    /// Print a module's `allow` as the host's own, which suppresses the host's prompt.
    pub explicit_allow: bool,
    /// The decision that replaces an `ask` on a host that cannot ask.
    pub ask_fallback: AskFallback,
    /// The decision about a tool call when the dispatcher itself fails.
    pub on_fault: OnFault,
    /// Put `_hook…` stamps into the tool input, not only into the record.
    pub stamp_input: bool,
    /// After this many denies in a row the work is BLOCKED; 0 is never.
    pub block_after_denies: u32,
    /// How often in a row modules may keep an agent from stopping; 5 if omitted, 0 is always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_kept_stops: Option<u32>,
    /// Check tool calls against `phasePolicy`.
    pub enforce_phases: bool,
    /// The tools that each phase permits.
    pub phase_policy: PhasePolicy,
}

/// The settings of one module; each overrides its default.
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
    /// Whether it may run on `PreToolUse`.
    pub hot_path_safe: Option<bool>,
    /// Whether its failure denies.
    pub critical: Option<bool>,
}

/// The decision that replaces an `ask` on a host that cannot ask.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum AskFallback {
    /// A deny that tells how a user can permit the call.
    #[default]
    Deny,
    /// No decision.
    Abstain,
}

/// The decision about a tool call when the dispatcher itself fails.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum OnFault {
    /// No decision, and a warning.
    #[default]
    Abstain,
    /// A deny.
    Deny,
}

impl Manifest {
    /// The format this build reads.
    pub const FORMAT: Format = Format(1);

    /// Reads the workspace's manifest; the defaults without a file.
    pub fn load(workspace: &Workspace) -> Result<Self, FileError> {
        Ok(read_json(&workspace.manifest_file(), Self::FORMAT)?.unwrap_or_default())
    }

    /// Reads a manifest from text.
    pub fn parse(path: &Path, text: &[u8]) -> Result<Self, FileError> {
        parse_json(path, text, Self::FORMAT)
    }
}
