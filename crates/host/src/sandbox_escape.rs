//! Whether a call asks to run outside of the host's sandbox.

use serde_json::Value;

/// Parts of the names of fields that ask for more rights, without `_` and in lower case: `dangerouslyDisableSandbox`,
/// `sandbox_permissions`, `with_escalated_permissions`.
const NAMES: [&str; 5] = ["sandbox", "escalat", "elevat", "privilege", "dangerous"];

/// Values of such fields that ask for nothing.
const DEFAULTS: [&str; 3] = ["", "use_default", "default"];

/// Returns whether the input of a call asks to run outside of the host's sandbox, or may.
pub fn leaves_sandbox(input: &Value) -> bool {
    let Some(fields) = input.as_object() else { return false };
    fields.iter().any(|(name, value)| {
        let name = name.replace('_', "").to_lowercase();
        let asks = match value {
            Value::Null | Value::Bool(false) => false,
            Value::String(text) => !DEFAULTS.contains(&text.as_str()),
            _ => true,
        };
        asks && NAMES.iter().any(|part| name.contains(part))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_escape_is_recognised_in_every_spelling() {
        for (input, expected) in [
            (json!({"command": "ls"}), false),
            (json!({"command": "ls", "dangerouslyDisableSandbox": true}), true),
            (json!({"command": "ls", "dangerouslyDisableSandbox": false}), false),
            (json!({"command": "ls", "dangerously_disable_sandbox": "yes"}), true),
            (json!({"cmd": "ls", "sandbox_permissions": "require_escalated"}), true),
            (json!({"cmd": "ls", "sandbox_permissions": "use_default"}), false),
            (json!({"cmd": "ls", "with_escalated_permissions": true}), true),
        ] {
            assert_eq!(leaves_sandbox(&input), expected, "{input}");
        }
    }
}
