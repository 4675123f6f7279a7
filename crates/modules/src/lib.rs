//! The built-in modules, one rule each, and the interface through which dispatch runs them.
//!
//! A [`Module`] reads a [`Context`] and returns an [`Action`]. It writes nothing itself: dispatch applies the action.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod action;
mod agent_output;
pub mod agent_tools;
pub mod call_folder;
mod carryover;
pub mod command_reading;
mod context;
pub mod debug_log;
pub mod graph_pretooluse;
pub mod intent;
mod intent_settings;
pub mod memory_activation;
pub mod memory_journal;
mod module;
pub mod plan_graph_exec;
pub mod plan_subagent_contract;
pub mod rlm_work;
pub mod session;
pub mod shell_guard;
pub mod stop_synth;

pub use action::{Action, ActionWire, Content, NotAnAction, Output};
pub use carryover::Carryover;
pub use command_reading::CommandReading;
pub use context::Context;
pub use debug_log::DebugLog;
pub use intent_settings::{IntentMode, IntentSettings};
pub use module::{Concluded, Module, ModuleFailure, Profile};

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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    /// Counts the implementations of `Module` in the files below a folder.
    fn implementations(folder: &Path) -> usize {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let count = |path: PathBuf| {
            if path.is_dir() {
                return implementations(&path);
            }
            let text = fs::read_to_string(path).unwrap();
            text.lines().filter(|line| line.starts_with("impl Module for ")).count()
        };
        entries.map(count).sum()
    }

    #[test]
    fn every_module_is_in_all() {
        let n_modules = implementations(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
        assert_eq!(ALL.len(), n_modules, "list every type that implements `Module` in `ALL`");
    }
}
