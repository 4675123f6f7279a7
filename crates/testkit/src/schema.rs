//! Checks files and lines against the checked-in schemas.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};

use jsonschema::Validator;
use serde_json::Value;

/// Fails unless `value` is valid under the schema of this name.
pub fn check(name: &str, value: &Value) {
    let complaints = complaints(name, value);
    assert!(complaints.is_empty(), "not a valid {name}: {complaints:#?}\n{value:#}");
}

/// Returns the violations of the schema of this name in `value`.
pub fn complaints(name: &str, value: &Value) -> Vec<String> {
    static VALIDATORS: OnceLock<Mutex<HashMap<String, Validator>>> = OnceLock::new();
    let mut validators =
        VALIDATORS.get_or_init(Mutex::default).lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let validator = validators.entry(name.to_owned()).or_insert_with(|| compile(name));
    violations(validator, value)
}

/// Returns the violations of this schema, of another project, in `value`.
pub fn complaints_under(schema: &Value, value: &Value) -> Vec<String> {
    let validator = jsonschema::validator_for(schema).unwrap_or_else(|error| panic!("no schema: {error}"));
    violations(&validator, value)
}

fn violations(validator: &Validator, value: &Value) -> Vec<String> {
    let where_and_what = |error: jsonschema::ValidationError<'_>| {
        let place = error.instance_path().to_string();
        format!("{place}: {error}")
    };
    validator.iter_errors(value).map(where_and_what).collect()
}

fn compile(name: &str) -> Validator {
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../schemas").join(format!("{name}.schema.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("no schema `{name}`: {error}"));
    let schema: Value = serde_json::from_str(&text).expect("a schema is JSON");
    jsonschema::validator_for(&schema).unwrap_or_else(|error| panic!("schema `{name}` is no schema: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_right_value_passes_and_a_wrong_one_is_named() {
        check("hook-output", &json!({"decision": "allow"}));
        assert_eq!(complaints("hook-output", &json!({"decision": "perhaps"})).len(), 1);
        assert_eq!(complaints("hook-output", &json!({})).len(), 1);
    }

    #[test]
    fn every_schema_is_one_and_says_for_people_what_it_is_about() {
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../schemas");
        let files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(!files.is_empty());
        for file in files {
            let name = file.file_name().unwrap().to_str().unwrap().strip_suffix(".schema.json").unwrap();
            assert!(!complaints(name, &json!(7)).is_empty(), "{name} accepts a number");
            let schema: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
            let title = schema["title"].as_str().unwrap_or_default();
            let is_a_type = title.chars().filter(|letter| letter.is_uppercase()).count() > 1;
            assert!(!title.is_empty() && !is_a_type, "{name} has the title `{title}`");
            assert!(schema["description"].as_str().is_some_and(|it| !it.is_empty()), "{name}");
        }
    }
}
