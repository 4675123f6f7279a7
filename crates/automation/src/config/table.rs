//! The tables of the files of automations and of their settings: keys, types, limits, documentation.

mod action;
mod akira;
mod gatomia;
mod runner;
mod settings;
mod workspace;

pub(crate) use akira::AKIRA_FILE;
#[cfg(feature = "schema")]
pub(crate) use gatomia::GATOMIA;
pub(crate) use gatomia::{FILE_CREATE, FILE_DELETE, FILE_RENAME, FILE_SAVE, GATOMIA_FRAME, SPEC_STATUS};
pub(crate) use runner::{PROGRAMS, RUNNER_SETTINGS};
pub(crate) use workspace::{MCP_SERVER, WORKSPACE};
