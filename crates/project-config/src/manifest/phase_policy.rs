//! The tools that each phase permits (contract §12.3).

use std::collections::BTreeMap;

use event::{Phase, ToolCall};
use serde::{Deserialize, Serialize};

/// A rule per phase. A phase without one permits everything.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PhasePolicy(BTreeMap<String, PhaseRule>);

/// The rule of one phase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PhaseRule {
    /// Tool names or kinds of tools, or `"*"`.
    pub allow_tools: AllowedTools,
    /// The reaction to other tools.
    #[serde(default)]
    pub mode: PolicyMode,
}

/// The tools a phase permits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum AllowedTools {
    /// `"*"`: every tool. Any other single word: that tool.
    Word(String),
    /// These tools.
    List(Vec<String>),
}

/// The reaction to a tool that the phase does not permit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PolicyMode {
    /// Deny it.
    #[default]
    Deny,
    /// Warn.
    Warn,
    /// Nothing.
    Allow,
}

impl PhasePolicy {
    /// Returns the rule of a phase.
    pub fn rule(&self, phase: Phase) -> Option<&PhaseRule> {
        self.0.get(phase.as_str())
    }
}

impl PhaseRule {
    /// Returns whether the rule names this tool, by the host's name for it or by its kind, so that one policy fits
    /// every host.
    pub fn names(&self, call: &ToolCall) -> bool {
        let fits = |word: &str| word == "*" || word == call.name || word == call.kind.as_str();
        match &self.allow_tools {
            AllowedTools::Word(word) => fits(word),
            AllowedTools::List(words) => words.iter().any(|word| fits(word)),
        }
    }

    /// Returns the permitted tools for a sentence.
    pub fn tools_text(&self) -> String {
        match &self.allow_tools {
            AllowedTools::Word(word) => format!("`{word}`"),
            AllowedTools::List(words) if words.is_empty() => "no tool".into(),
            AllowedTools::List(words) => {
                words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
            }
        }
    }
}

impl Default for PhasePolicy {
    /// Returns the contract's own table, with kinds of tools beside VS Code's names.
    fn default() -> Self {
        let looking =
            ["read", "search", "semantic_search", "read_file", "grep_search", "list_dir", "file_search"];
        let list = |words: &[&str]| AllowedTools::List(words.iter().map(|&word| word.into()).collect());
        let planning = [looking.as_slice(), &["subagent", "runSubagent", "harmless"]].concat();
        let rows = [
            (Phase::Uninitialized, list(&looking), PolicyMode::Deny),
            (Phase::Planning, list(&planning), PolicyMode::Deny),
            (Phase::Executing, AllowedTools::Word("*".into()), PolicyMode::Allow),
            (Phase::Complete, list(&["read", "search", "read_file", "grep_search"]), PolicyMode::Deny),
            (Phase::Blocked, list(&["read", "read_file"]), PolicyMode::Deny),
        ];
        Self(
            rows.into_iter()
                .map(|(phase, allow_tools, mode)| (phase.as_str().into(), PhaseRule { allow_tools, mode }))
                .collect(),
        )
    }
}
