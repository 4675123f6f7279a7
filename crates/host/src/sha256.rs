//! The hashes with which hosts record what a user trusted: SHA-256 over JSON with sorted keys.

use serde_json::{Map, Value};

/// Returns the hash of a string in hexadecimal digits.
pub(crate) fn hex(text: &str) -> String {
    let digest = hmac_sha256::Hash::hash(text.as_bytes());
    digest.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
}

/// Returns the value with the keys of all its objects sorted.
pub(crate) fn with_sorted_keys(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut pairs: Vec<_> =
                fields.iter().map(|(key, it)| (key.clone(), with_sorted_keys(it))).collect();
            pairs.sort_by(|one, other| one.0.cmp(&other.0));
            Value::Object(pairs.into_iter().collect::<Map<_, _>>())
        }
        Value::Array(values) => values.iter().map(with_sorted_keys).collect(),
        plain => plain.clone(),
    }
}
