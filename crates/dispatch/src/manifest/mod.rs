//! `.ai/hooks/dispatch.manifest.json`: which modules run, how long they may take,
//! and what the dispatcher does in doubt.

mod budgets;
mod phase_policy;
mod rewrite_owner;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use store::{Format, FormatError, Workspace};

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

/// Why a manifest cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// It is there but cannot be read.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is not JSON, or a value has the wrong type.
    #[error("`{}`: {source}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// Where and why, with line and column.
        source: serde_json::Error,
    },
    /// A newer build wrote it.
    #[error("`{}`: {source}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong with its version.
        source: FormatError,
    },
}

impl Manifest {
    /// The format this build reads.
    pub const FORMAT: Format = Format(1);

    /// Reads the workspace's manifest; without a file the defaults serve.
    pub fn load(workspace: &Workspace) -> Result<Self, ManifestError> {
        let path = workspace.manifest_file().as_path().to_path_buf();
        match fs::read(&path) {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Ok(Self::default())
            }
            Err(source) => Err(ManifestError::Read { path, source }),
            Ok(text) => Self::parse(path, &text),
        }
    }

    /// Reads a manifest from text.
    pub fn parse(path: PathBuf, text: &[u8]) -> Result<Self, ManifestError> {
        // A list would be taken for the fields in their order.
        let is_list = text.trim_ascii_start().starts_with(b"[");
        let manifest: Self = match serde_json::from_slice(text) {
            Ok(_) if is_list => {
                let source = serde::de::Error::custom("a manifest is an object, not a list");
                return Err(ManifestError::Content { path, source });
            }
            Ok(manifest) => manifest,
            Err(source) => return Err(ManifestError::Content { path, source }),
        };
        match manifest.version {
            Some(found) if found > Self::FORMAT.0 => {
                let source = FormatError::Newer { found, ours: Self::FORMAT.0 };
                Err(ManifestError::Format { path, source })
            }
            _ => Ok(manifest),
        }
    }
}
