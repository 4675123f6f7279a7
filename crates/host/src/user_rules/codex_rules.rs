//! Codex's rules: `prefix_rule(pattern = ["git", ["push", "fetch"]], decision = "prompt")`.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::word_pattern::WordPattern;
use super::{Subject, UnreadableRules, UserRule};

/// Returns the rules of a file that do not allow.
///
/// WHY without a parser of Starlark: of a call only its strings count. Those of a pattern, one per place, must occur in
/// a command in their order; places with alternatives count as any word. A call without a plain list of strings is
/// about every command.
pub(super) fn rules(text: &str) -> Result<Vec<UserRule>, UnreadableRules> {
    let mut rules = Vec::new();
    let code: String = text.lines().map(without_comment).collect::<Vec<_>>().join("\n");
    let mut rest = code.as_str();
    while let Some(at) = rest.find("prefix_rule") {
        let body = &rest[at + "prefix_rule".len()..];
        let end = end_of_call(body).ok_or_else(|| UnreadableRules("a rule without an end".to_owned()))?;
        let call = &body[..end];
        if !allows(call) {
            let words = pattern_words(call).unwrap_or_default();
            let subject = Subject::Commands(WordPattern::of_words(words));
            rules.push(UserRule { text: format!("prefix_rule{}", call.trim()), subject });
        }
        rest = &body[end..];
    }
    Ok(rules)
}

/// Returns the rules of administrators. Any rule there that does not allow is about every command: the form is not
/// confirmed by a recorded run.
pub(super) fn requirements(text: &str) -> Result<Vec<UserRule>, UnreadableRules> {
    let table: toml_edit::DocumentMut =
        text.parse().map_err(|error: toml_edit::TomlError| UnreadableRules(error.to_string()))?;
    let has_rules = table.get("rules").is_some();
    let rule = UserRule { text: "[rules] in requirements.toml".to_owned(), subject: Subject::All };
    Ok(has_rules.then_some(rule).into_iter().collect())
}

/// Returns Codex's own folder, from the path of a session's transcript below it.
pub(super) fn home_of_transcript(transcript: &Path) -> Option<PathBuf> {
    let sessions = transcript.ancestors().find(|folder| folder.ends_with("sessions"))?;
    sessions.parent().map(Path::to_owned)
}

/// Returns whether a command leaves Codex's sandbox, by the last lines of the session's transcript. Returns `None` if
/// the lines do not contain the command.
pub fn is_escalated_in(lines: &str, command: &str) -> Option<bool> {
    lines.lines().rev().filter(|line| line.contains("\"function_call\"")).find_map(|line| {
        let line: Value = serde_json::from_str(line).ok()?;
        let payload = line.get("payload")?;
        let arguments = payload.get("arguments")?.as_str()?;
        let arguments: Value = serde_json::from_str(arguments).ok()?;
        let own = arguments.get("cmd").or_else(|| arguments.get("command"))?;
        let is_own = match own {
            Value::String(text) => text == command,
            Value::Array(words) => words.last().and_then(Value::as_str) == Some(command),
            _ => false,
        };
        if !is_own {
            return None;
        }
        let permissions = arguments.get("sandbox_permissions");
        let is_default = permissions.is_none_or(|value| value.as_str() == Some("use_default"));
        let asks = ["with_escalated_permissions", "justification", "prefix_rule"];
        Some(!is_default || asks.iter().any(|key| arguments.get(key).is_some_and(|value| !value.is_null())))
    })
}

fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (at, letter) in line.char_indices() {
        match (letter, quote) {
            ('#', None) => return &line[..at],
            ('"' | '\'', None) => quote = Some(letter),
            (letter, Some(open)) if letter == open => quote = None,
            _ => {}
        }
    }
    line
}

/// Returns where a call ends, behind its closing parenthesis.
fn end_of_call(body: &str) -> Option<usize> {
    let (mut depth, mut quote, mut is_escaped) = (0_u32, None, false);
    for (at, letter) in body.char_indices() {
        match (letter, quote) {
            _ if is_escaped => is_escaped = false,
            ('\\', Some(_)) => is_escaped = true,
            (letter, Some(open)) if letter == open => quote = None,
            ('"' | '\'', None) => quote = Some(letter),
            ('(', None) => depth += 1,
            (')', None) => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns whether a rule allows. Without a decision a rule allows; any other value does not count as one.
fn allows(call: &str) -> bool {
    match call.split("decision").nth(1) {
        None => true,
        Some(rest) => {
            let value = rest.trim_start().trim_start_matches('=').trim_start();
            value.starts_with("\"allow\"") || value.starts_with("'allow'")
        }
    }
}

/// Returns the words of the pattern; places with alternatives are left out. Returns `None` if it is not a list of
/// strings.
fn pattern_words(call: &str) -> Option<Vec<String>> {
    let list = call.split("pattern").nth(1)?.trim_start().strip_prefix('=')?.trim_start();
    let list = list.strip_prefix('[')?;
    let (mut words, mut depth, mut word, mut quote) = (Vec::new(), 0_u32, String::new(), None);
    for letter in list.chars() {
        match (letter, quote) {
            ('\\', Some(_)) => return None,
            (letter, Some(open)) if letter == open => {
                quote = None;
                if depth == 0 {
                    words.push(std::mem::take(&mut word));
                }
                word.clear();
            }
            (letter, Some(_)) => word.push(letter),
            ('"' | '\'', None) => quote = Some(letter),
            ('[', None) => depth += 1,
            (']', None) if depth == 0 => return Some(words),
            (']', None) => depth -= 1,
            (',', None) => {}
            (letter, None) if letter.is_whitespace() => {}
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::CallFacts;
    use super::*;

    #[test]
    fn a_rule_that_prompts_or_forbids_is_about_its_commands() {
        let text = r#"
            # prefix_rule(pattern=["ls"], decision="forbidden")
            prefix_rule(pattern=["git", "push"], decision="prompt")
            prefix_rule(
                pattern = ["npm", ["publish", "unpublish"]],
                decision = "forbidden",
                justification = "not (here)",
            )
            prefix_rule(pattern=["cat"], decision="allow")
            prefix_rule(pattern=["wc"])
            prefix_rule(pattern=WORDS, decision="prompt") if False else None
        "#;
        let about = |text: &str, command: &str| {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            let call = CallFacts { commands: vec![words], ..CallFacts::default() };
            rules(text).unwrap().iter().any(|rule| rule.is_about(&call))
        };
        let known = text.replace("prefix_rule(pattern=WORDS, decision=\"prompt\") if False else None", "");
        for (command, expected) in [
            ("git push origin", true),
            ("git status", false),
            ("npm view x", true),
            ("cat a", false),
            ("wc a", false),
            ("ls", false),
        ] {
            assert_eq!(about(&known, command), expected, "{command}");
            assert!(about(text, command), "a computed pattern may be about {command}");
        }
        assert!(rules("prefix_rule(pattern=[\"a\"").is_err());
    }

    #[test]
    fn the_rollout_tells_an_escalation() {
        let call = |arguments: &str| {
            let payload = serde_json::json!({"type": "function_call", "name": "exec_command",
                "arguments": arguments, "call_id": "c"});
            serde_json::json!({"type": "response_item", "payload": payload}).to_string()
        };
        let plain = call(r#"{"cmd":"ls"}"#);
        let escalated = call(r#"{"cmd":"ls","sandbox_permissions":"require_escalated","justification":"x"}"#);
        let other = call(r#"{"cmd":"pwd"}"#);
        assert_eq!(is_escalated_in(&format!("{plain}\n{other}\n"), "ls"), Some(false));
        assert_eq!(is_escalated_in(&format!("{plain}\n{escalated}\n"), "ls"), Some(true));
        assert_eq!(is_escalated_in(&other, "ls"), None);
        assert_eq!(is_escalated_in("", "ls"), None);
    }

    #[test]
    fn the_transcript_shows_where_codex_keeps_its_rules() {
        let path = Path::new("/x/codex/sessions/2026/11/15/rollout-a.jsonl");
        assert_eq!(home_of_transcript(path), Some(PathBuf::from("/x/codex")));
        assert_eq!(home_of_transcript(Path::new("/x/y.jsonl")), None);
    }
}
