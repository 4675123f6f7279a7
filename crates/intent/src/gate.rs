//! Determines which tool calls need an intent, and whether the intent includes all files they touch.

mod decide;
mod shell_glob;
mod shell_targets;

pub use decide::{Gate, GateDecision, GateJudgement, NO_INTENT, NO_INTENT_HINT, Touched};
pub use shell_targets::makes_temp_file;
