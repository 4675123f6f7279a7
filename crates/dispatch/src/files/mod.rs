//! The policy files a project may keep beside its manifest, as types.

mod condition;
mod followup_rules;
mod rlm_policy;

pub(crate) use condition::walk;
pub use condition::{Condition, Operator};
pub use followup_rules::{Cooldown, FollowupAction, FollowupRule, FollowupRules, OncePer};
pub use rlm_policy::{Breadth, DelegationMode, DelegationRule, Exemptions, ExpectedOutput, RlmPolicy};
