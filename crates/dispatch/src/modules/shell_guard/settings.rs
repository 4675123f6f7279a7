//! The guard's section of `config.json`: levels and exceptions per rule.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use shell::guard::{Exception, Level, Policy, RuleId};

/// `"shell-guard": { "rules": { "privilege": "off", "git-clean": { "level": "ask", "allow": ["git clean -fd build*"] } } }`
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ShellGuardSettings"))]
#[serde(default)]
pub struct Settings {
    /// What becomes of each rule, by its id; `steersman shell rules` lists them.
    #[cfg_attr(feature = "schema", schemars(extend("propertyNames" = rule_ids())))]
    pub rules: BTreeMap<String, RuleSetting>,
}

/// What becomes of one rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum RuleSetting {
    /// Only its level: `deny`, `ask`, `warn` or `off`.
    Level(#[cfg_attr(feature = "schema", schemars(schema_with = "level"))] String),
    /// Its level and the commands it does not apply to.
    Detailed {
        /// `deny`, `ask`, `warn` or `off`; the rule's own if left out.
        #[serde(default)]
        #[cfg_attr(feature = "schema", schemars(schema_with = "level"))]
        level: Option<String>,
        /// Patterns with `*` and `?`, compared with each command as it would run.
        #[serde(default)]
        allow: Vec<String>,
    },
}

impl Settings {
    /// Reads the section. What cannot be read is complained about and leaves the rule as it
    /// is: a typing mistake must not switch a guard off, nor stop all work.
    pub fn policy(section: &Value) -> (Policy, Vec<String>) {
        if section.is_null() {
            return (Policy::default(), Vec::new());
        }
        let settings = match Self::deserialize(section) {
            Ok(settings) => settings,
            Err(error) => {
                return (
                    Policy::default(),
                    vec![format!("`shell-guard` in config.json is ignored: {error}")],
                );
            }
        };
        let mut policy = Policy::default();
        let mut complaints = Vec::new();
        for (name, setting) in settings.rules {
            let Some(rule) = RuleId::parse(&name) else {
                complaints.push(unknown_rule(&name));
                continue;
            };
            let (level, allow) = match setting {
                RuleSetting::Level(level) => (Some(level), Vec::new()),
                RuleSetting::Detailed { level, allow } => (level, allow),
            };
            match level.as_deref().map(|name| (name, Level::parse(name))) {
                Some((_, Some(level))) => policy.levels.push((rule, level)),
                Some((name, None)) => complaints.push(format!(
                    "`shell-guard` in config.json: `{name}` is no level of `{rule}`; it is deny, ask, warn or off"
                )),
                None => {}
            }
            let exceptions = allow.into_iter().map(|pattern| Exception { rule, pattern });
            policy.exceptions.extend(exceptions);
        }
        (policy, complaints)
    }
}

/// Says that a configured rule does not exist, and which one may be meant.
fn unknown_rule(name: &str) -> String {
    let known = RuleId::ALL.iter().map(|id| id.name());
    let meant = config_file::nearest(name, known).map(|meant| format!(", did you mean `{meant}`?"));
    format!("`shell-guard` in config.json: there is no rule `{name}`{}", meant.unwrap_or_default())
}

/// The words for a level. Not a type of its own when read: one mistyped word must not cost
/// the rules beside it.
#[cfg(feature = "schema")]
fn level(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let words = [Level::Deny, Level::Ask, Level::Warn, Level::Off];
    let words: Vec<Value> = words.iter().map(|level| serde_json::json!({"const": level.name()})).collect();
    schemars::json_schema!({"type": "string", "oneOf": words})
}

#[cfg(feature = "schema")]
fn rule_ids() -> Value {
    let ids: Vec<&str> = RuleId::ALL.iter().map(|id| id.name()).collect();
    serde_json::json!({"enum": ids, "description": "`steersman shell rules` lists what is known"})
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nothing_set_is_the_rules_own_levels() {
        assert_eq!(Settings::policy(&Value::Null), (Policy::default(), vec![]));
    }

    #[test]
    fn mistakes_are_named_and_leave_the_guard_on() {
        for (section, complaint) in [
            (json!({"rules": {"no-such-rule": "off"}}), "no rule `no-such-rule`"),
            (json!({"rules": {"delete-rot": "off"}}), "no rule `delete-rot`, did you mean `delete-root`?"),
            (json!({"rules": []}), "is ignored"),
            (json!({"rules": {"privilege": "maybe"}}), "`maybe` is no level"),
        ] {
            let (_, complaints) = Settings::policy(&section);
            assert!(complaints.iter().any(|said| said.contains(complaint)), "{complaints:?}");
        }
    }
}
