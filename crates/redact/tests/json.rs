//! JSON: strings are text, and names tell.

use redact::Filter;
use serde_json::json;

#[test]
fn names_tell_and_strings_are_searched() {
    let value = json!({
        "user": "me",
        "password": "hunter2",
        "apiKey": "abc",
        "headers": {"Authorization": "Bearer k3Jx9QzLm2Tb7RwY5sVd", "Cookie": "a=b; sid=k3Jx9QzLm2Tb7RwY5sVd"},
        "args": ["--token", "postgres://app:s3cr3tpw@db/x"],
        "token": null,
        "secret": {"name": "db"},
        "nextToken": "page-2",
        "password_hint": "a colour",
        "port": 5432
    });
    let expected = json!({
        "user": "me",
        "password": "[REDACTED]",
        "apiKey": "[REDACTED]",
        "headers": {"Authorization": "Bearer [REDACTED]", "Cookie": "a=b; sid=[REDACTED]"},
        "args": ["--token", "postgres://app:[REDACTED]@db/x"],
        "token": null,
        "secret": {"name": "db"},
        "nextToken": "page-2",
        "password_hint": "a colour",
        "port": 5432
    });
    let redacted = redact::value(&value);
    assert_eq!(redacted.as_value(), &expected);
    assert_eq!(redact::value(redacted.as_value()), redacted);
}

#[test]
fn stand_ins_in_fields_stay() {
    let value =
        json!({"password": "${PASSWORD}", "token": "<token>", "secret": "", "api_key": "your-api-key"});
    assert_eq!(Filter::default().redact_json(&value).as_value(), &value);
}
