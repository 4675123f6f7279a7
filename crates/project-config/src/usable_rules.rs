//! The rules of `.ai/hooks/followup-rules.json` that work although others of the file have mistakes.
//!
//! WHY: a rule that denies is a guard. A typo in another rule, or in the syntax of the file, must not switch it off.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;
use store::{FileError, Workspace, parse_json, parse_part, read_text};

use crate::followup_rules::{FollowupRule, FollowupRules, placed};

/// The rules of a file that work, and the mistakes in the others.
#[derive(Debug, Default)]
pub struct UsableRules {
    /// The rules in force, in order.
    pub rules: Vec<FollowupRule>,
    /// The mistakes, with their places.
    pub mistakes: Vec<FileError>,
}

/// A file of which no rule can be read.
#[derive(Debug)]
pub struct UnreadableRules {
    /// Why.
    pub error: FileError,
    /// Whether one of its rules may deny calls or ask about them.
    pub may_guard: bool,
}

impl UsableRules {
    /// Reads the workspace's rules. Returns no rules if the file does not exist.
    pub fn load(workspace: &Workspace) -> Result<Self, UnreadableRules> {
        let path = workspace.followup_rules_file();
        let text = read_text(&path).map_err(|error| UnreadableRules { error, may_guard: true })?;
        text.map_or_else(|| Ok(Self::default()), |text| Self::parse(path.as_path(), &text))
    }

    /// Parses a file. A rule that only contradicts its examples stays in force if it denies or asks.
    fn parse(path: &Path, text: &[u8]) -> Result<Self, UnreadableRules> {
        let error = match FollowupRules::parse(path, text) {
            Ok(file) => return Ok(Self { rules: file.rules, mistakes: Vec::new() }),
            Err(error) => error,
        };
        let Ok(file) = parse_json::<File>(path, text, FollowupRules::FORMAT) else {
            return Err(UnreadableRules { error, may_guard: mentions_guard(text) });
        };
        let mut usable = Self::default();
        let parsed: Vec<Option<FollowupRule>> = (0..file.rules.len())
            .map(|index| {
                let parsed = parse_part(path, text, &format!("/rules/{index}"));
                parsed.map_err(|error| usable.mistakes.push(error)).ok()
            })
            .collect();
        let mut ids = BTreeSet::new();
        let mut in_force = Vec::new();
        for (index, rule) in parsed.iter().enumerate() {
            let Some(rule) = rule else { continue };
            if let Err(mistake) = rule.check(index, &mut ids) {
                usable.mistakes.push(placed(path, text, mistake));
                continue;
            }
            let examples = rule.check_examples(index);
            if examples.is_ok() || rule.action.is_guard() {
                in_force.push(rule.clone());
            }
            usable.mistakes.extend(examples.err().map(|mistake| placed(path, text, mistake)));
        }
        usable.rules = in_force;
        Ok(usable)
    }
}

/// The file with rules of any form.
#[derive(Deserialize)]
struct File {
    #[serde(default)]
    rules: Vec<IgnoredAny>,
}

/// Returns whether a file that is not JSON may contain a rule that denies or asks. A misspelled `denny` counts.
fn mentions_guard(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    text.contains("den") || text.contains("ask")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<UsableRules, UnreadableRules> {
        UsableRules::parse(Path::new("r.json"), text.as_bytes())
    }

    const GUARD: &str = r#"{"id": "guard", "when": [{"field": "shell.program", "op": "eq", "value": "npm"}], "action": {"type": "deny", "text": "x"}}"#;

    #[test]
    fn a_mistake_switches_off_only_its_own_rule() {
        for (other, place) in [
            (r#"{"id": "a b", "when": [], "action": {"type": "warn", "text": "x"}}"#, "line 2, column 8"),
            (r#"{"id": "b", "when": [], "action": {"type": "wran", "text": "x"}}"#, "line 2, column "),
            (r#"{"id": "b", "when": "always"}"#, "line 2, column "),
            (r#"{"id": "guard", "when": [], "action": {"type": "warn", "text": "x"}}"#, "line 2, column 8"),
            (
                r#"{"id": "b", "when": [{"field": "tool", "op": "exists"}], "action": {"type": "warn", "text": "x"}}"#,
                "line 2, column ",
            ),
            (
                r#"{"id": "b", "when": [], "action": {"type": "warn", "text": "x"}, "not_match": [{}]}"#,
                "line 2, column ",
            ),
            ("7", "line 2, column "),
        ] {
            let found = parse(&format!("{{\"rules\": [{GUARD},\n{other}]}}")).unwrap();
            assert_eq!(found.rules.iter().map(|it| it.id.as_str()).collect::<Vec<_>>(), ["guard"], "{other}");
            assert_eq!(found.mistakes.len(), 1, "{other}");
            assert!(found.mistakes[0].to_string().contains(place), "{:?}", found.mistakes);
        }
    }

    #[test]
    fn a_guard_that_contradicts_its_example_stays_in_force() {
        let rule = GUARD.replace(r#""action""#, r#""match": [{"event": {"command": "ls"}}], "action""#);
        let found = parse(&format!("{{\"rules\": [{rule}]}}")).unwrap();
        assert_eq!((found.rules.len(), found.mistakes.len()), (1, 1));
    }

    #[test]
    fn a_file_that_is_not_json_may_have_had_a_guard() {
        for (text, may_guard) in [
            (format!("{{\"rules\": [{GUARD},,]}}"), true),
            (r#"{"rules": [{"id": "a", "action": {"type": "warn"}}"#.to_owned(), false),
            (format!("{{\"version\": 9, \"rules\": [{GUARD}]}}"), true),
            (String::new(), false),
        ] {
            let found = parse(&text).unwrap_err();
            assert_eq!(found.may_guard, may_guard, "{text}");
        }
    }
}
