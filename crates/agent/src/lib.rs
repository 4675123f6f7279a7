//! Agents: definitions that are checked, the tools they may use, the registry of all
//! of them, and the workflow between them.
//!
//! `load` reads one file into a [`Definition`] or into problems with their places;
//! `set` checks the agents of a project against each other; `policy` judges a tool call.
//!
//! INVARIANT: nothing here prints, reads the environment or starts a program. Files are read
//! only by [`registry`], and only below the folders the caller names.

pub mod code;
mod config;
mod decode;
mod definition;
mod frontmatter;
pub mod graph;
pub mod limits;
mod load;
mod markdown;
mod pattern;
pub mod policy;
pub mod registry;
mod run_fingerprint;
#[cfg(feature = "schema")]
pub mod schema;
mod set;
mod slug;
mod table;
mod tool_name;
pub mod workflow;

pub use config::{Config, Constraints, LogFormat, LogLevel, Logging, ProviderSettings, Providers};
pub use decode::decode;
pub use definition::{
    BashFilter, COMPLETE, Command, CustomTransition, Definition, Format, Origin, Profile, Provider,
    ProviderName, Resources, RunLimits, Strictness, Tools, Transitions,
};
pub use load::{Document, Loaded, LoadedConfig, load, load_config};
pub use pattern::{Pattern, PatternError};
pub use run_fingerprint::run_fingerprint;
pub use set::AgentSet;
pub use slug::{is_slug, slug};
pub use tool_name::{Builtin, ToolNames};
