//! The two files of automations, read into one model.
//!
//! `.akira/hooks.json` (001) and `.vscode/gatomia/hooks.json` (000) may hold comments and
//! trailing commas. Everything wrong with them is told at once, with its place.

mod action;
mod akira;
mod configuration;
mod fields;
mod file;
mod gatomia;
mod pattern;
mod problem;
mod report;
mod runner;
mod settings;
mod switch;
mod template;
mod trigger;
mod version;

#[cfg(all(test, feature = "schema"))]
pub(crate) use file::keys;

pub(crate) use fields::plain;
pub(crate) use file::notation;

pub use configuration::{Configuration, Loaded};
pub use problem::{Problem, Severity};
pub use runner::BadRunner;
pub use switch::{SwitchError, switch};
pub use trigger::{BadTriggerName, known_triggers, what_of};
