//! `.ai/hooks/followup-rules.json`: what to say or do when something happens.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The follow-up rules; every one whose conditions hold is carried out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct FollowupRules {
    /// The format of this file; 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// What editors check this file against.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The rules, in order.
    pub rules: Vec<FollowupRule>,
}

/// One rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FollowupRule {
    /// Names the rule in journals and cooldowns.
    pub id: String,
    /// The events it looks at; empty is `PreToolUse` and `PostToolUse`.
    #[serde(default)]
    pub events: Vec<String>,
    /// All of these have to hold.
    pub when: Vec<Condition>,
    /// What is done then.
    pub action: FollowupAction,
    /// How often at most.
    #[serde(default)]
    pub cooldown: Cooldown,
    /// Events the rule fires on, checked when the file is loaded.
    #[serde(default, rename = "match")]
    pub matches: Vec<Value>,
    /// Events the rule does not fire on, checked when the file is loaded.
    #[serde(default, rename = "not_match")]
    pub not_matches: Vec<Value>,
}

/// A question about the state, the tool input or the event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Condition {
    /// Where to look, such as `event.toolName`, `input.file_path` or `state.core.phase`.
    pub field: String,
    /// How to compare.
    pub op: Operator,
    /// What to compare with; `exists` and `notExists` need nothing.
    #[serde(default)]
    pub value: Value,
}

/// How a field is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum Operator {
    /// The same.
    Eq,
    /// Not the same.
    Neq,
    /// A text with this in it, or a list with this member.
    Contains,
    /// A text this regular expression fits.
    Matches,
    /// There at all.
    Exists,
    /// Not there.
    NotExists,
}

/// What a rule does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FollowupAction {
    /// Tells the model something.
    InjectContext {
        /// The text.
        text: String,
    },
    /// Tells the person something.
    Warn {
        /// The text.
        text: String,
    },
    /// Lets the person decide about the call.
    Ask {
        /// Why.
        text: String,
    },
    /// Hands an event to the automations.
    EnqueueAutomation {
        /// The automation's id.
        automation: String,
    },
}

/// How often a rule fires at most.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Cooldown {
    /// Once per session or per piece of work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub once_per: Option<OncePer>,
    /// Not again within so many seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
}

/// What a rule fires once per.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum OncePer {
    /// A session.
    Session,
    /// A piece of work.
    Work,
}
