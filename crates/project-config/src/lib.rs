//! The files of a project below `.ai/hooks/`, as types: `dispatch.manifest.json`, `config.json`, `followup-rules.json`
//! and `rlm-policy.json`.
//!
//! This crate reads and validates them; [`bounds`] is one section of `config.json`. The modules of `dispatch` apply them to events.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod approve_settings;
mod ask_settings;
pub mod bounds;
mod condition;
mod config;
mod confine_settings;
mod done_gate;
mod followup_rules;
pub mod guard;
mod loop_settings;
pub mod manifest;
mod module_names;
mod notify_settings;
mod output_settings;
mod rlm_policy;
pub mod shell_field;
mod usable_rules;

pub use approve_settings::ApproveMode;
pub use ask_settings::AskSettings;
pub use condition::{Condition, Operator, matches, walk};
pub use config::{AgentsSettings, Config};
pub use confine_settings::{ConfineMode, ConfineSettings};
pub use done_gate::DoneGate;
pub use followup_rules::{Cooldown, FollowupAction, FollowupRule, FollowupRules, OncePer};
pub use loop_settings::LoopSettings;
pub use manifest::Manifest;
pub use notify_settings::{NotifySettings, NotifyWebhook};
pub use output_settings::OutputSettings;
pub use rlm_policy::{Breadth, DelegationMode, DelegationRule, Exemptions, ExpectedOutput, RlmPolicy};
pub use usable_rules::{UnreadableRules, UsableRules};
