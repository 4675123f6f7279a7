//! The policy files a project may keep beside its manifest, as types.

mod followup_rules;
mod rlm_policy;

pub use followup_rules::{
    Condition, Cooldown, FollowupAction, FollowupRule, FollowupRules, OncePer, Operator,
};
pub use rlm_policy::{Breadth, DelegationMode, DelegationRule, Exemptions, ExpectedOutput, RlmPolicy};
