//! The view models: the content of a page and of the answer of the API. All times are milliseconds since 1970.

mod activity;
mod agents;
mod asks;
mod automations;
mod command_reading;
mod explained;
mod file;
mod health;
mod intents;
mod now;
mod plan;
mod served_page;
mod session;
mod what_if;

pub use activity::{Activity, Bucket};
pub use agents::{AgentRow, Agents, ToolPolicy, WorkflowRun, WorkflowStep};
pub use asks::{AskRow, Asks};
pub use automations::{AutomationRow, Automations, EndedRun, OpenRun, RunOutput};
pub use command_reading::{CommandReading, GuardFinding, PathsOfVerb, ReadCommand};
pub use explained::{ConfinementFact, DroppedPart, EmittedLine, Explained, ModuleAnswer};
pub use file::{File, FileLine, FileRow, FileTurn, Files, LineAuthor, LineWrite};
pub use health::{Check, Doctor, Fault, Health, ModuleTime};
pub use intents::{DiffLine, IntentRow, IntentWorker, Intents, ScopeRequest, WrittenFile};
pub use now::{Now, SessionCard, SessionStatus};
pub use plan::{Plan, PlanNode};
pub use served_page::ServedPage;
pub use session::Session;
pub use what_if::{ChangedDecision, DecisionWord, Judged, LeftOut, WhatIf};
