//! The pages as HTML, in the frame that they share.

mod agents;
mod asks;
mod automations;
mod decision;
mod enter;
mod explained;
mod files;
mod frame;
mod health;
mod intents;
mod now;
mod plan;
mod run_output;
mod session;
mod what_if;

pub use agents::agents;
pub use asks::asks;
pub use automations::automations;
pub use enter::{enter, not_found};
pub use explained::explained;
pub use files::{file, files};
pub use frame::{Frame, Section};
pub use health::health;
pub use intents::intents;
pub use now::now;
pub use plan::plan;
pub use run_output::run_output;
pub use session::session;
pub use what_if::what_if;
