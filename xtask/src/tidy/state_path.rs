//! Checks that only `store` names files and folders below the state folder.

use super::finding::Finding;
use super::rust_source::is_shipped_source;

/// The methods of `store::Workspace` that return a folder of the state.
const FOLDERS: &[&str] = &["tmp_dir", "automation_dir", "agent_runs_dir"];

/// The state folder, spelled out.
const SPELLED: &[&str] = &["(\".ai/tmp", "(format!(\".ai/tmp"];

/// The files of the state; a crate that joins one of these names to a folder has built the path itself.
const FILES: &[&str] = &[
    "events.jsonl",
    "registry.jsonl",
    "p.jsonl",
    "state.json",
    "dispatch.log",
    "scope-requests.jsonl",
    "intent.json",
    "queue.jsonl",
    "server.json",
    "trust.json",
    "debug.log",
];

const HINT: &str = "add a method to `store::Workspace` or `store::SessionDir` that returns the path";

/// Finds names that other crates join to a folder of the state, outside tests.
pub(crate) fn check(path: &str, text: &str) -> Vec<Finding> {
    if !is_shipped_source(path) || path.starts_with("crates/store/") || path.starts_with("crates/testkit/") {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        // Tests are the last part of a file.
        if line.starts_with("#[cfg(test)]") {
            break;
        }
        let joined = |verb: &str| {
            FOLDERS.iter().any(|folder| line.contains(&format!("{folder}().{verb}(")))
                || SPELLED.iter().any(|spelled| line.contains(&format!(".{verb}{spelled}")))
                || FILES.iter().any(|file| line.contains(&format!(".{verb}(\"{file}\")")))
        };
        if ["join", "child"].into_iter().any(joined) {
            findings.push(Finding::new(path, index + 1, "a path below the state folder", HINT));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::briefly;

    #[test]
    fn a_name_joined_to_a_folder_of_the_state_is_found() {
        for line in [
            "let a = workspace.tmp_dir().child(NAME);",
            "let a = workspace.automation_dir().join(\"x\");",
            "let a = root.join(\".ai/tmp/x\");",
            "let a = root.child(format!(\".ai/tmp/{x}\"));",
            "let a = folder.join(\"events.jsonl\");",
        ] {
            let found = check("crates/engine/src/a.rs", &format!("//! A.\n{line}\n"));
            assert_eq!(briefly(&found), ["2: a path below the state folder"], "{line}");
        }
    }

    #[test]
    fn store_tests_and_other_folders_pass() {
        let line = "let a = workspace.tmp_dir().child(NAME);\n";
        assert_eq!(check("crates/store/src/a.rs", line), []);
        assert_eq!(check("crates/engine/tests/a.rs", line), []);
        assert_eq!(check("crates/engine/src/a.rs", &format!("#[cfg(test)]\nmod tests {{\n{line}}}\n")), []);
        assert_eq!(check("crates/engine/src/a.rs", "let a = root.join(\".github/agents\");\n"), []);
    }
}
