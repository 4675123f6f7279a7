//! Tests of requests for a wider scope.

use intent::{ExpansionRequests, IntentId, IntentsFile};
use store::Timestamp;

use crate::sandbox::Sandbox;

const FILE: &str =
    "intents:\n  - id: INT-001\n    name: A\n    status: PENDING\n    owned_scope:\n      - src/**\n";

#[test]
fn a_request_is_open_until_the_file_grants_it() {
    let sandbox = Sandbox::new();
    let requests = ExpansionRequests::in_file(sandbox.at(".ai/tmp/scope_requests.jsonl"));
    let id = IntentId::parse("INT-001").unwrap();
    let at = Timestamp::from_millis(0);
    let intents = |text: &str| IntentsFile::parse(text.as_bytes()).unwrap().intents;
    assert_eq!(requests.open(&intents(FILE)).unwrap(), []);
    let kept = requests.add(&id, "./docs/**", "the docs belong to it", at).unwrap();
    requests.add(&id, "docs/**", "again", at).unwrap();
    requests.add(&id, "src/**", "granted already", at).unwrap();
    requests.add(&IntentId::parse("INT-009").unwrap(), "x", "no such intent", at).unwrap();
    assert_eq!(requests.open(&intents(FILE)).unwrap().as_slice(), std::slice::from_ref(&kept));
    let granted = IntentsFile::expand(FILE, &id, &kept.pattern).unwrap();
    assert_eq!(requests.open(&intents(&granted)).unwrap(), []);
}

#[test]
fn what_could_never_be_granted_is_not_asked_for() {
    let sandbox = Sandbox::new();
    let requests = ExpansionRequests::in_file(sandbox.at("requests.jsonl"));
    let id = IntentId::parse("INT-001").unwrap();
    for pattern in ["/etc/**", "../x", "", "!x"] {
        assert!(requests.add(&id, pattern, "", Timestamp::from_millis(0)).is_err(), "{pattern}");
    }
    assert!(!sandbox.at("requests.jsonl").as_path().exists());
}
