//! Agents: definitions that are checked, the tools they may use, the registry of all
//! of them, and the workflow between them.
//!
//! `load` reads one file into a [`Definition`] or into problems told like a compiler's;
//! `set` checks the agents of a project against each other; `policy` judges a tool call.
//!
//! INVARIANT: nothing here prints, reads the environment or starts a program. Files are read
//! only by [`registry`], and only below the folders the caller names.

mod config;
mod definition;
mod fields;
mod frontmatter;
pub mod graph;
pub mod limits;
mod load;
mod markdown;
mod pattern;
pub mod policy;
mod problem;
pub mod registry;
mod report;
mod run_fingerprint;
#[cfg(feature = "schema")]
pub mod schema;
mod set;
mod slug;
mod source;
mod spot;
mod tool_name;
pub mod workflow;
mod yaml;

pub use config::{Config, Constraints, LogFormat, LogLevel, Logging, ProviderSettings, Providers};
pub use definition::{
    BashFilter, COMPLETE, Command, CustomTransition, Definition, Format, Origin, Profile, Provider,
    ProviderName, Resources, RunLimits, Strictness, Tools, Transitions,
};
pub use load::{Document, Loaded, LoadedConfig, load, load_config};
pub use pattern::{Pattern, PatternError};
pub use problem::{Code, Problem, Severity};
pub use run_fingerprint::run_fingerprint;
pub use set::AgentSet;
pub use slug::{is_slug, slug};
pub use source::Source;
pub use spot::Spot;
pub use tool_name::{Builtin, ToolNames};
