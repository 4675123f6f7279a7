//! The state machine between agents, as pure logic: what was the outcome, who is next.
//!
//! INVARIANT: nothing here starts a program, reads a clock or a file. The same
//! outcomes lead to the same steps, so a run is resumed by replaying its journal.

mod condition;
mod condition_parser;
mod progress;
mod step;

pub use condition::{Condition, Test};
pub use condition_parser::ConditionError;
pub use progress::{Outcome, Progress};
pub use step::{Allowance, Failure, Step, Workflow};
