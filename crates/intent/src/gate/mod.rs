//! Which tool calls need an intent, and whether the intent includes all they touch.

mod decide;
mod on_disk;
mod shell_targets;

pub use decide::{Gate, GateDecision, Judgement, NO_INTENT, NO_INTENT_HINT, Touched};
