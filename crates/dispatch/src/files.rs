//! The optional policy files of a project, as types.

mod condition;
mod followup_rules;
mod rlm_policy;

pub(crate) use condition::walk;
pub use condition::{Condition, Operator};
pub use followup_rules::{Cooldown, FollowupAction, FollowupRule, FollowupRules, OncePer};
pub use rlm_policy::{Breadth, DelegationMode, DelegationRule, Exemptions, ExpectedOutput, RlmPolicy};
