//! The built-in modules, one rule each.

pub mod agent_tools;
pub mod graph_pretooluse;
pub mod intent;
pub mod memory_activation;
pub mod memory_journal;
pub mod plan_graph_exec;
pub mod plan_subagent_contract;
pub mod rlm_work;
pub(crate) mod session;
pub mod shell_guard;
pub mod stop_synth;

pub(crate) use intent::{is_own_tool, needs_intent};

use crate::Module;

/// Every built-in module; the manifest and their priorities decide which run and when.
pub const ALL: &[&dyn Module] = &[
    &session::Session,
    &intent::Intents,
    &agent_tools::AgentTools,
    &shell_guard::ShellGuard,
    &graph_pretooluse::GraphPreToolUse,
    &plan_graph_exec::PlanGraphExec,
    &plan_subagent_contract::PlanSubagentContract,
    &rlm_work::RlmWork,
    &memory_journal::MemoryJournal,
    &memory_activation::MemoryActivation,
    &stop_synth::StopSynth,
];
