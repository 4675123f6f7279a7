//! The tables of the files that define agents: keys, types, limits, documentation.

mod agent;
mod agent_md;
mod claude;
mod project;

pub(crate) use agent::AGENT;
pub(crate) use agent_md::AGENT_MD;
pub(crate) use claude::CLAUDE;
pub(crate) use project::CONFIG;
