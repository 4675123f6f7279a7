//! The view models: what a page shows, and what the API answers. All times are milliseconds since 1970.

mod activity;
mod agents;
mod asks;
mod automations;
mod explained;
mod health;
mod intents;
mod now;
mod plan;
mod session;

pub use activity::{Activity, Bucket};
pub use agents::{AgentRow, Agents};
pub use asks::{AskRow, Asks};
pub use automations::{AutomationRow, Automations, EndedRun, OpenRun, RunOutput};
pub use explained::{DroppedPart, EmittedLine, Explained, ModuleWord};
pub use health::{Fault, Health, ModuleTime};
pub use intents::{DiffLine, IntentRow, Intents, ScopeRequest, WrittenFile};
pub use now::{Now, SessionCard, SessionStatus};
pub use plan::{Plan, PlanNode};
pub use session::Session;
