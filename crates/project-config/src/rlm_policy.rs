//! `.ai/hooks/rlm-policy.json`: the calls that a subagent must make.

use std::collections::BTreeSet;
use std::path::Path;

use config_file::nearest;
use event::Phase;
use serde::{Deserialize, Serialize};
use store::{FileError, Format, ModuleName, Workspace, parse_json, read_text};

/// The rules for delegated work; the strictest one that applies to a call decides.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct RlmPolicy {
    /// The format of this file; 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// The JSON Schema for editors.
    #[serde(rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The rules, in order.
    pub rules: Vec<DelegationRule>,
    /// Calls that no rule applies to.
    pub exempt: Exemptions,
    /// The files that every subagent must write.
    pub output: ExpectedOutput,
}

/// One kind of call that a subagent must make.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DelegationRule {
    /// Names the rule in reasons and journals.
    pub id: String,
    /// The tools, by name (`*` stands for anything) or by kind (`read`, `search`, …); empty is every tool.
    #[serde(default)]
    pub tools: Vec<String>,
    /// A regular expression that must match the tool's input, as JSON text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The phases in which it applies; empty is all.
    #[serde(default)]
    pub phases: Vec<String>,
    /// Applies only to calls of at least this breadth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breadth: Option<Breadth>,
    /// Applies only after the main agent has read this many paths in the turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_reads: Option<u32>,
    /// The type of subagent that should make the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_type: Option<String>,
    /// Calls that the rule does not apply to.
    #[serde(default)]
    pub exempt: Exemptions,
    /// The reaction to such a call of the main agent.
    #[serde(default)]
    pub mode: DelegationMode,
    /// The reason, for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The breadth of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Breadth {
    /// Files it names.
    File,
    /// A folder below the workspace.
    Folder,
    /// The whole workspace, or a folder around it.
    Workspace,
}

/// Calls that the main agent may make.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Exemptions {
    /// Tools, by name or kind.
    pub tools: Vec<String>,
    /// Globs, relative to the workspace: a call is exempt if all its paths match one.
    pub paths: Vec<String>,
    /// A regular expression that matches the tool's input, as JSON text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
}

/// The files that a subagent must write to its folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct ExpectedOutput {
    /// Names of files.
    pub expects: Vec<String>,
    /// Keep a subagent from stopping, once, if a file is missing.
    pub required: bool,
}

/// The reaction to a call that a subagent should make.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum DelegationMode {
    /// The call passes; user and model get a warning.
    #[default]
    Warn,
    /// The user decides.
    Ask,
    /// The call is denied.
    Deny,
}

impl RlmPolicy {
    /// The format this build reads.
    pub const FORMAT: Format = Format(1);

    /// Reads the workspace's policy; `None` without a file.
    pub fn load(workspace: &Workspace) -> Result<Option<Self>, FileError> {
        let path = workspace.policy_file();
        let Some(text) = read_text(&path)? else { return Ok(None) };
        Self::parse(path.as_path(), &text).map(Some)
    }

    /// Parses and validates a policy.
    pub fn parse(path: &Path, text: &[u8]) -> Result<Self, FileError> {
        let policy: Self = parse_json(path, text, Self::FORMAT)?;
        policy.check().map_err(|(pointer, problem, hint)| {
            let error = FileError::about(path, text, &pointer, problem);
            if hint.is_empty() { error } else { error.with_hint(hint) }
        })?;
        Ok(policy)
    }

    /// Returns the place of the first problem, the problem, and a hint.
    fn check(&self) -> Result<(), (String, String, String)> {
        self.exempt.check("/exempt")?;
        let mut ids = BTreeSet::new();
        for (index, rule) in self.rules.iter().enumerate() {
            let at = |key: &str| format!("/rules/{index}/{key}");
            let plain = || "letters, digits, `.`, `_` and `-`, 64 at most".to_owned();
            if ModuleName::new(&rule.id).is_none() {
                return Err((at("id"), format!("invalid rule id `{}`", rule.id), plain()));
            }
            if !ids.insert(&rule.id) {
                return Err((at("id"), format!("duplicate rule `{}`", rule.id), String::new()));
            }
            check_pattern(rule.pattern.as_deref(), || at("pattern"))?;
            for (number, phase) in rule.phases.iter().enumerate() {
                if Phase::from_contract(phase).is_none() {
                    let known = Phase::ALL.map(Phase::as_str);
                    let hint = nearest(phase, known).map(|meant| format!("did you mean `{meant}`?"));
                    let hint = hint.unwrap_or_else(|| known.join(", "));
                    return Err((at(&format!("phases/{number}")), format!("unknown phase `{phase}`"), hint));
                }
            }
            rule.exempt.check(&at("exempt"))?;
        }
        for (index, name) in self.output.expects.iter().enumerate() {
            if ModuleName::new(name).is_none() {
                let problem = format!("invalid file name `{name}`");
                return Err((format!("/output/expects/{index}"), problem, "such as `summary.md`".to_owned()));
            }
        }
        Ok(())
    }
}

impl Exemptions {
    fn check(&self, at: &str) -> Result<(), (String, String, String)> {
        check_pattern(self.pattern.as_deref(), || format!("{at}/pattern"))
    }
}

fn check_pattern(pattern: Option<&str>, at: impl Fn() -> String) -> Result<(), (String, String, String)> {
    let Some(Err(error)) = pattern.map(regex_lite::Regex::new) else { return Ok(()) };
    let hint = "a regular expression without look-around; `\\\\` in JSON is one backslash".to_owned();
    Err((at(), format!("not a regular expression: {error}"), hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<RlmPolicy, String> {
        RlmPolicy::parse(Path::new("p.json"), text.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_policy_is_parsed() {
        let policy = parse(r#"{"rules": [{"id": "wide", "breadth": "workspace", "mode": "ask"}]}"#).unwrap();
        assert_eq!(policy.rules[0].breadth, Some(Breadth::Workspace));
        assert_eq!(policy.rules[0].mode, DelegationMode::Ask);
        assert!(Breadth::File < Breadth::Workspace && DelegationMode::Warn < DelegationMode::Deny);
    }

    #[test]
    fn a_mistake_is_reported_with_its_place() {
        for (text, told) in [
            (r#"{"rules": [{}]}"#, "line 1, column 13: missing field `id`"),
            ("{\"rules\": [\n{\"id\": \"a b\"}]}", "line 2, column 8: invalid rule id `a b`"),
            (r#"{"rules": [{"id": "a"}, {"id": "a"}]}"#, "column 32: duplicate rule `a`"),
            (r#"{"rules": [{"id": "a", "pattern": "("}]}"#, "column 35: not a regular expression"),
            (r#"{"rules": [{"id": "a", "phases": ["PLANING"]}]}"#, "did you mean `PLANNING`?"),
            (r#"{"rules": [{"id": "a", "mode": "denny"}]}"#, "did you mean `deny`?"),
            (r#"{"exempt": {"pattern": "["}}"#, "column 24: not a regular expression"),
            (r#"{"output": {"expects": ["../x"]}}"#, "column 25: invalid file name `../x`"),
            (r#"{"version": 9}"#, "format 9 is newer"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(told), "{error}");
        }
    }
}
