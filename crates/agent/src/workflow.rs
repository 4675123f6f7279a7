//! The state machine between agents, as pure logic: it maps an outcome to the next agent.
//!
//! INVARIANT: this module does not start a program or read a clock or a file. The same outcomes lead
//! to the same steps, so replaying a run's journal resumes it.

mod condition;
mod condition_parser;
mod progress;
mod step;

pub use condition::{Condition, Test};
pub use condition_parser::ConditionError;
pub use progress::{Outcome, Progress};
pub use step::{Allowance, Failure, Step, Workflow};
