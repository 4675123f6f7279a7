//! Fills the view models from the records of sessions and automations.

mod agents;
mod asks;
mod automations;
mod explained;
mod file;
mod health;
mod hook_runs;
mod indexed_runs;
mod intents;
mod journal_window;
mod now;
mod plan;
mod served_pages;
mod session;
mod session_card;
mod what_if;

pub(super) use agents::agents;
pub(super) use asks::asks;
pub(super) use automations::{automations, run_output};
pub(super) use explained::explained;
pub(super) use file::{FilePart, file, files};
pub(super) use health::health;
pub(super) use hook_runs::HookRuns;
pub(super) use intents::{intents, n_scope_requests};
pub(super) use now::now;
pub(super) use plan::plan;
pub(super) use served_pages::served_pages;
pub(super) use session::{Part, session};
pub(super) use what_if::what_if;
