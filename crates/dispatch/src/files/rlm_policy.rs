//! `.ai/hooks/rlm-policy.json`: what has to be done by a subagent.

use serde::{Deserialize, Serialize};

/// The rules for delegated work; the first that fits a call decides.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct RlmPolicy {
    /// The format of this file; 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// What editors check this file against.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The rules, in order.
    pub rules: Vec<DelegationRule>,
}

/// One kind of call that a subagent has to make.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DelegationRule {
    /// Names the rule in reasons and journals.
    pub id: String,
    /// Tool names or kinds of tools it is about; empty is every tool.
    #[serde(default)]
    pub tools: Vec<String>,
    /// A regular expression that the tool input has to match, as JSON text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The phases it holds in; empty is all.
    #[serde(default)]
    pub phases: Vec<String>,
    /// Holds only for calls that touch at least this many paths or have no bound at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breadth: Option<u32>,
    /// The kind of subagent that shall do it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_type: Option<String>,
    /// Agent types the rule does not bind.
    #[serde(default)]
    pub exempt: Vec<String>,
    /// What happens to such a call in the main agent.
    #[serde(default)]
    pub mode: DelegationMode,
    /// Why, for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What happens to a call that belongs to a subagent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum DelegationMode {
    /// It passes with a warning.
    #[default]
    Warn,
    /// A person decides.
    Ask,
    /// It is refused.
    Deny,
}
