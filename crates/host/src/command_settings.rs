//! The part of a shell call's input that decides what the command does.

use serde_json::Value;

/// Fields that only describe the call or limit how long the host waits, without `_` and in lower case.
const DESCRIPTIONS: [&str; 10] = [
    "description",
    "explanation",
    "justification",
    "reason",
    "summary",
    "timeout",
    "timeoutms",
    "timeoutseconds",
    "yieldtimems",
    "maxoutputtokens",
];

/// Returns the input of a shell call without descriptions: the command, its folder, environment, shell and sandbox.
pub fn command_settings(input: &Value) -> Value {
    let Some(fields) = input.as_object() else { return input.clone() };
    let counts = |name: &str| !DESCRIPTIONS.contains(&name.replace('_', "").to_lowercase().as_str());
    fields
        .iter()
        .filter(|(name, _)| counts(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_description_changes_nothing_and_an_environment_does() {
        let plain = command_settings(&json!({"command": "make"}));
        for (more, is_same) in [
            (json!({"command": "make", "description": "Build", "timeout_ms": 5}), true),
            (json!({"command": "make", "env": {"CC": "/tmp/cc"}}), false),
            (json!({"command": "make", "shell": "/tmp/sh"}), false),
            (json!({"command": "make", "dangerouslyDisableSandbox": true}), false),
        ] {
            assert_eq!(command_settings(&more) == plain, is_same, "{more}");
        }
    }
}
