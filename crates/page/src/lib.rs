//! The pages of the server as pure functions: a view model in, HTML out.
//!
//! INVARIANT: a page shows nothing that its view model lacks, and the API answers with the same view model as JSON. So
//! the page uses exactly what an editor extension can use.
//!
//! Deliberately absent: reading files, HTTP, the clock. `serve` fills the view models. Every text passes through the
//! escaping of the templates.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod assets;
mod chart;
mod graph;
mod lanes;
mod moment;
#[cfg(feature = "schema")]
pub mod schema;
mod sentence;
mod templates;
pub mod view;

pub use templates::{
    Frame, Section, agents, asks, automations, enter, explained, file, files, health, intents, not_found,
    now, plan, run_output, session, what_if,
};
