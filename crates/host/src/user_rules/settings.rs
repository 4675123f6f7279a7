//! Rules in JSON settings: `"permissions": { "deny": ["Bash(git push:*)"], "ask": ["Read(./secrets/**)"] }`.

use config_file::jsonc::{self, Value};

use super::path_pattern::PathPattern;
use super::word_pattern::WordPattern;
use super::{RuleFolders, Subject, UnreadableRules, UserRule};

/// The names of tools that run commands, in lower case.
const SHELLS: [&str; 7] =
    ["bash", "shell", "shelltool", "run_shell_command", "powershell", "monitor", "terminal"];

/// The names of tools that read.
const READERS: [&str; 14] = [
    "read",
    "view",
    "grep",
    "glob",
    "ls",
    "notebookread",
    "read_file",
    "readfile",
    "readfiletool",
    "read_many_files",
    "list_directory",
    "grep_search",
    "search_file_content",
    "ripgrep",
];

/// The names of tools that write.
const WRITERS: [&str; 10] = [
    "edit",
    "write",
    "multiedit",
    "notebookedit",
    "update",
    "write_file",
    "writefile",
    "writefiletool",
    "replace",
    "delete",
];

/// The lists that deny or ask.
const LISTS: [&[&str]; 5] = [
    &["permissions", "deny"],
    &["permissions", "ask"],
    &["tools", "exclude"],
    &["excludeTools"],
    &["permissions", "disallow"],
];

/// The lists of all tools that a program has: any of them restricts the others.
const ONLY: [&[&str]; 2] = [&["tools", "core"], &["coreTools"]];

/// Returns the rules that deny or ask. A list of another type than an array of strings is an error.
pub(super) fn rules(text: &str, folders: &RuleFolders<'_>) -> Result<Vec<UserRule>, UnreadableRules> {
    let text = text.trim_start_matches('\u{feff}');
    let parsed = jsonc::parse(text).map_err(|error| UnreadableRules(error.to_string()))?;
    let Some(root) = parsed else { return Ok(Vec::new()) };
    let mut rules = Vec::new();
    for list in LISTS {
        for rule in strings_at(&root, list)? {
            rules.extend(parsed_rule(&rule, folders));
        }
    }
    for list in ONLY {
        if !strings_at(&root, list)?.is_empty() {
            rules.push(UserRule { text: list.join("."), subject: Subject::All });
        }
    }
    Ok(rules)
}

/// Reads a rule. A rule that cannot be understood is about every call.
pub(super) fn parsed_rule(rule: &str, folders: &RuleFolders<'_>) -> Vec<UserRule> {
    let of = |subject: Subject| UserRule { text: rule.to_owned(), subject };
    let trimmed = rule.trim();
    let (name, pattern) = match trimmed.split_once('(') {
        Some((name, rest)) => match rest.strip_suffix(')') {
            Some(pattern) => (name.trim(), Some(pattern)),
            None => return vec![of(Subject::All)],
        },
        None => (trimmed, None),
    };
    let name = name.to_lowercase();
    let is_name = |letter: char| letter.is_alphanumeric() || "_-.:/@".contains(letter);
    if name.is_empty() || !name.chars().all(is_name) {
        return vec![of(Subject::All)];
    }
    let pattern = pattern.unwrap_or_default();
    let subject = if SHELLS.contains(&name.as_str()) {
        Subject::Commands(WordPattern::new(pattern))
    } else if READERS.contains(&name.as_str()) {
        Subject::Reads(PathPattern::new(pattern, folders))
    } else if WRITERS.contains(&name.as_str()) {
        Subject::Writes(PathPattern::new(pattern, folders))
    } else {
        return vec![of(Subject::Tool(name))];
    };
    let mut rules = vec![of(subject)];
    if pattern.is_empty() {
        rules.push(of(Subject::Tool(name)));
    }
    rules
}

/// Returns the strings in all lists at a place: of equal keys each may be the one that counts.
fn strings_at(root: &Value<'_>, keys: &[&str]) -> Result<Vec<String>, UnreadableRules> {
    let wrong = || UnreadableRules(format!("`{}` is not an array of strings", keys.join(".")));
    let Some((key, rest)) = keys.split_first() else {
        let list = root.as_array().ok_or_else(wrong)?;
        let text = |element: &Value<'_>| Ok(element.as_string_lit().ok_or_else(wrong)?.value.to_string());
        return list.elements.iter().map(text).collect();
    };
    let object = root.as_object().ok_or_else(wrong)?;
    let mut found = Vec::new();
    for property in object.properties.iter().filter(|property| property.name.as_str() == *key) {
        found.extend(strings_at(&property.value, rest)?);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::CallFacts;
    use super::*;

    fn folders() -> RuleFolders<'static> {
        RuleFolders {
            home: Path::new("/home/dev"),
            workspace: Path::new("/home/dev/shop"),
            folder: Path::new("/home/dev/shop"),
            transcript: None,
            moved: &[],
        }
    }

    fn shell(command: &str) -> CallFacts {
        CallFacts {
            commands: vec![command.split(' ').map(str::to_owned).collect()],
            tools: vec!["bash".to_owned()],
            ..CallFacts::default()
        }
    }

    fn reading(path: &str) -> CallFacts {
        CallFacts { reads: vec![path.to_owned()], tools: vec!["read".to_owned()], ..CallFacts::default() }
    }

    #[test]
    fn a_rule_in_any_spelling_is_about_the_call_it_means() {
        for (rule, call, expected) in [
            ("Bash", shell("ls"), true),
            ("Bash(*)", shell("ls"), true),
            ("Bash(git push:*)", shell("git push"), true),
            ("Bash(git push:*)", shell("git status"), false),
            (" bash( git push ) ", shell("git push origin"), true),
            ("Shell(git)", shell("git status"), true),
            ("run_shell_command(git status)", shell("git status --short"), true),
            ("ShellTool(rm)", shell("rm x"), true),
            ("Bash(git status", shell("ls"), true),
            ("*", shell("ls"), true),
            ("Read(./secrets/**)", reading("/home/dev/shop/secrets/a"), true),
            ("Read(./secrets/**)", reading("/home/dev/shop/src/a"), false),
            ("Read", reading("/home/dev/shop/src/a"), true),
            ("Grep(.env)", reading("/home/dev/shop/.env"), true),
            ("Edit(./src/**)", reading("/home/dev/shop/src/a"), false),
            ("WebFetch(domain:example.com)", shell("ls"), false),
            ("mcp__db", shell("ls"), false),
        ] {
            let is_about = parsed_rule(rule, &folders()).iter().any(|rule| rule.is_about(&call));
            assert_eq!(is_about, expected, "{rule}");
        }
    }

    #[test]
    fn settings_that_cannot_be_read_are_an_error() {
        let text = "// mine\n{\"permissions\": {\"deny\": [\"Bash(rm:*)\"], \"ask\": [\"Read(.env)\",], \"allow\": [\"Bash\"]}}";
        assert_eq!(rules(text, &folders()).unwrap().len(), 2);
        assert_eq!(rules("", &folders()), Ok(Vec::new()));
        assert_eq!(rules("{\"permissions\": {\"allow\": []}}", &folders()), Ok(Vec::new()));
        let twice = r#"{"permissions": {"deny": ["Bash(ls)"]}, "permissions": {"deny": []}}"#;
        assert_eq!(rules(twice, &folders()).unwrap().len(), 1);
        let only = rules(r#"{"tools": {"core": ["ShellTool(git)"]}}"#, &folders()).unwrap();
        assert!(only[0].is_about(&shell("ls")));
        for text in [
            "{",
            "[]",
            "{\"permissions\": []}",
            "{\"permissions\": {\"deny\": \"Bash\"}}",
            "{\"permissions\": {\"ask\": [1]}}",
        ] {
            assert!(rules(text, &folders()).is_err(), "{text}");
        }
    }
}
