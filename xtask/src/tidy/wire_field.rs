//! Checks that only `host` spells the field names of payloads and answers.

use super::finding::Finding;
use super::rust_source::is_shipped_source;

/// Field names of agent programs' payloads and answers that none of our own formats uses.
///
/// Names that our formats share (`tool_name` of the trace, `sessionId` of the journal, `updatedInput` of the
/// contract's own answer) are left out, because their owner cannot be told from the name.
const FIELDS: &[&str] = &[
    "conversation_id",
    "hookEventName",
    "hookName",
    "hookSpecificOutput",
    "hook_event_name",
    "modifiedArgs",
    "permissionDecision",
    "permissionDecisionReason",
    "permission_mode",
    "session_id",
    "stop_hook_active",
    "systemMessage",
    "textResultForLlm",
    "toolArgs",
    "tool_input",
    "tool_response",
    "tool_use_id",
    "transcriptPath",
    "transcript_path",
];

/// The crates that may spell them: `host`, and the test support that records payloads.
const OWNERS: &[&str] = &["crates/host/", "crates/testkit/", "xtask/"];

const HINT: &str = "let `host` read or build it (see `crates/host/src/sample.rs`)";

/// Finds the field names in string literals of other crates, outside comments and tests.
pub(crate) fn check(path: &str, text: &str) -> Vec<Finding> {
    if !is_shipped_source(path) || OWNERS.iter().any(|owner| path.starts_with(owner)) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        // Tests are the last part of a file.
        if line.starts_with("#[cfg(test)]") {
            break;
        }
        if line.trim_start().starts_with("//") {
            continue;
        }
        for field in FIELDS.iter().filter(|field| spells(line, field)) {
            findings.push(Finding::new(path, index + 1, format!("the wire field name `{field}`"), HINT));
        }
    }
    findings
}

/// Returns whether the line contains the name in quotation marks, escaped or not.
fn spells(line: &str, field: &str) -> bool {
    line.contains(&format!("\"{field}\"")) || line.contains(&format!("\\\"{field}\\\""))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::repo;
    use crate::tidy::file_tree;
    use crate::tidy::finding::briefly;

    #[test]
    fn a_field_name_outside_host_is_found() {
        let text = "//! A.\nlet a = json!({\"tool_input\": 1});\nlet b = \"{\\\"hook_event_name\\\":1}\";\n";
        assert_eq!(
            briefly(&check("crates/cli/src/a.rs", text)),
            ["2: the wire field name `tool_input`", "3: the wire field name `hook_event_name`"]
        );
    }

    #[test]
    fn host_tests_comments_and_other_words_pass() {
        let line = "let a = \"tool_input\";\n";
        assert_eq!(check("crates/host/src/a.rs", line), []);
        assert_eq!(check("crates/cli/tests/cli/a.rs", line), []);
        let passing =
            ["// \"tool_input\"\n", "let tool_input = 1;\n", "#[cfg(test)]\nmod tests {\n\"tool_input\"\n"];
        for text in passing {
            assert_eq!(check("crates/cli/src/a.rs", text), [], "{text}");
        }
    }

    #[test]
    fn host_spells_every_field_of_the_list() {
        let files = file_tree::read(&repo::root().join("crates/host/src")).unwrap();
        let known: String = files.into_iter().map(|file| file.text).collect();
        for field in FIELDS {
            assert!(spells(&known, field), "`{field}` is in no table of `host`");
        }
        assert!(
            fs::exists(repo::root().join("crates/host/src/sample.rs")).unwrap(),
            "the hint is out of date"
        );
    }
}
