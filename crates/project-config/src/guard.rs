//! The sections of `config.json` that the module `shell-guard` reads: its rules, and the hosts that tools may reach.

mod network;
mod settings;

pub use network::{NetworkSettings, host_refusal};
pub use settings::{RuleSetting, Settings};
