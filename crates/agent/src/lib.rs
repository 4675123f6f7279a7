//! Agents: checked definitions, the tools they may use, their registry, and the workflow between
//! them.
//!
//! `load` parses one file into a [`Definition`] or into problems with their positions; `set` checks
//! the agents of a project against each other; `policy` judges a tool call.
//!
//! INVARIANT: this crate does not print, read the environment or start a program. Only [`registry`]
//! reads files, and only below the folders that the caller names.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod agent_set;
pub mod code;
mod config;
mod definition;
mod frontmatter;
pub mod graph;
pub mod limits;
mod load;
mod markdown;
mod pattern;
pub mod policy;
mod provider_tools;
pub mod registry;
mod run_fingerprint;
#[cfg(feature = "schema")]
pub mod schema;
mod slug;
mod table;
mod tool_name;
pub mod workflow;

pub use agent_set::AgentSet;
pub use config::{Config, Constraints, LogFormat, LogLevel, Logging, ProviderSettings, Providers};
pub use definition::{
    BashFilter, COMPLETE, Command, CustomTransition, Definition, Format, Origin, Profile, Provider,
    ProviderName, Resources, RunLimits, Strictness, Tools, Transitions,
};
pub use load::{Document, Loaded, LoadedConfig, decode, load, load_config};
pub use pattern::{Pattern, PatternError};
pub use provider_tools::ProviderTools;
pub use run_fingerprint::run_fingerprint;
pub use slug::{is_slug, slug};
pub use tool_name::{Builtin, ToolNames};
