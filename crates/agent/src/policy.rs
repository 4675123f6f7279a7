//! Judges a tool call by what its agent may use.
//!
//! INVARIANT: in doubt between a rule and a call, a block applies and an allowance does not.

mod check;
mod foreign_name;
mod mcp;
mod permission;
mod rules;
mod shell_filter;
mod tool_pattern;
mod usable;

pub use check::{Terms, check};
pub use permission::{Denial, Permission, Rule};
pub(crate) use rules::RulesWire;
pub use rules::{AgentRules, Rules};
pub use tool_pattern::ToolPattern;
pub use usable::usable;
