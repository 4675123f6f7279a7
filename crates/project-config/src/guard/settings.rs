//! The guard's section of `config.json`: levels and exceptions per rule.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use shell::guard::{Exception, Level, Policy, RuleId};

/// `"shell-guard": { "rules": { "privilege": "off", "git-clean": { "level": "ask", "allow": ["git clean -fd build*"] } } }`
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "ShellGuardSettings"))]
#[serde(default)]
pub struct Settings {
    /// The setting of each rule, by its id; `steersman shell rules` lists the rules.
    #[cfg_attr(feature = "schema", schemars(extend("propertyNames" = rule_ids())))]
    pub rules: BTreeMap<String, RuleSetting>,
}

/// The setting of one rule.
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
    /// Reads the section. A mistake adds a warning and leaves its rule unchanged: it must neither disable a guard, nor
    /// undo the valid settings beside it, nor stop all work.
    pub fn policy(section: &Value) -> (Policy, Vec<String>) {
        let mut policy = Policy::default();
        let mut warnings = Vec::new();
        let mut warn = |problem: String| warnings.push(format!("`shell-guard` in config.json: {problem}"));
        for (key, value) in object(section, "the section", &mut warn).into_iter().flatten() {
            if key != "rules" {
                warn(format!("unknown key `{key}`; write `rules`"));
                continue;
            }
            for (name, setting) in object(value, "`rules`", &mut warn).into_iter().flatten() {
                match RuleId::parse(name) {
                    Some(rule) => set(&mut policy, rule, setting, &mut warn),
                    None => warn(unknown_rule(name)),
                }
            }
        }
        (policy, warnings)
    }
}

/// Applies the setting of one rule.
fn set(policy: &mut Policy, rule: RuleId, setting: &Value, warn: &mut impl FnMut(String)) {
    let level = match RuleSetting::deserialize(setting) {
        Err(_) => {
            return warn(format!(
                "invalid setting of `{rule}`; write a level, or `{{\"level\": …, \"allow\": [\"pattern\"]}}`"
            ));
        }
        Ok(RuleSetting::Level(level)) => Some(level),
        Ok(RuleSetting::Detailed { level, allow }) => {
            for key in setting.as_object().into_iter().flat_map(Map::keys) {
                if !matches!(key.as_str(), "level" | "allow") {
                    warn(format!("unknown key `{key}` of `{rule}`; write `level` or `allow`"));
                }
            }
            policy.exceptions.extend(allow.into_iter().map(|pattern| Exception { rule, pattern }));
            level
        }
    };
    match level.as_deref().map(|name| (name, Level::parse(name))) {
        Some((_, Some(level))) => policy.levels.push((rule, level)),
        Some((name, None)) => {
            warn(format!("unknown level `{name}` of `{rule}`; write deny, ask, warn or off"));
        }
        None => {}
    }
}

/// Returns the object; `None` for null, and with a warning for any other value.
fn object<'v>(value: &'v Value, name: &str, warn: &mut impl FnMut(String)) -> Option<&'v Map<String, Value>> {
    if !value.is_object() && !value.is_null() {
        warn(format!("{name} must be an object"));
    }
    value.as_object()
}

/// Words the warning about an unknown rule, with the nearest one.
fn unknown_rule(name: &str) -> String {
    let known = RuleId::ALL.iter().map(|id| id.name());
    let meant = config_file::nearest(name, known).map(|meant| format!(", did you mean `{meant}`?"));
    format!("unknown rule `{name}`{}", meant.unwrap_or_default())
}

/// The names of the levels. Parsed as strings, so that one misspelled level does not invalidate the other rules.
#[cfg(feature = "schema")]
fn level(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let words = [Level::Deny, Level::Ask, Level::Warn, Level::Off];
    let words: Vec<Value> = words.iter().map(|level| serde_json::json!({"const": level.name()})).collect();
    schemars::json_schema!({"type": "string", "oneOf": words})
}

#[cfg(feature = "schema")]
fn rule_ids() -> Value {
    let ids: Vec<&str> = RuleId::ALL.iter().map(|id| id.name()).collect();
    serde_json::json!({"enum": ids, "description": "`steersman shell rules` lists the rules"})
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
            (json!({"rules": {"no-such-rule": "off"}}), "unknown rule `no-such-rule`"),
            (
                json!({"rules": {"delete-rot": "off"}}),
                "unknown rule `delete-rot`, did you mean `delete-root`?",
            ),
            (json!({"rules": []}), "`rules` must be an object"),
            (json!([]), "the section must be an object"),
            (json!({"rulse": {}}), "unknown key `rulse`"),
            (json!({"rules": {"privilege": "maybe"}}), "unknown level `maybe`"),
            (json!({"rules": {"privilege": 7}}), "invalid setting of `privilege`"),
            (json!({"rules": {"privilege": {"allow": "x"}}}), "invalid setting of `privilege`"),
            (json!({"rules": {"privilege": {"levl": "off"}}}), "unknown key `levl` of `privilege`"),
        ] {
            let (policy, warnings) = Settings::policy(&section);
            assert_eq!(policy, Policy::default(), "{section}");
            assert!(matches!(&warnings[..], [only] if only.contains(complaint)), "{warnings:?}");
        }
    }

    #[test]
    fn the_settings_beside_a_mistake_hold() {
        let off = |name: &str| (RuleId::parse(name).unwrap(), Level::Off);
        for mistake in [json!(7), json!("maybe"), json!({"allow": 3}), json!({"levl": "off"})] {
            let section = json!({"rules": {"privilege": "off", "delete-root": mistake, "git-clean": "off"}});
            let (policy, warnings) = Settings::policy(&section);
            assert_eq!(policy.levels, [off("privilege"), off("git-clean")], "{section}");
            assert_eq!(warnings.len(), 1, "{warnings:?}");
        }
    }
}
