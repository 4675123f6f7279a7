//! Codex's rules: `prefix_rule(pattern = ["git", ["push", "fetch"]], decision = "prompt")`.

use std::path::{Path, PathBuf};

use super::word_pattern::WordPattern;
use super::{Subject, UnreadableRules, UserRule};

/// Returns the rules of a file that do not allow. A file with anything but calls with named constants is an error.
pub(super) fn rules(text: &str) -> Result<Vec<UserRule>, UnreadableRules> {
    let mut reader = Reader { rest: text };
    let mut rules = Vec::new();
    while reader.peek().is_some() {
        let line = reader.rest.lines().next().unwrap_or_default().to_owned();
        let (name, arguments) =
            reader.call().ok_or_else(|| UnreadableRules(format!("not a rule: {line}")))?;
        match name.as_str() {
            "prefix_rule" => rules.extend(rule(&arguments)),
            // They are about addresses, of which no approved command has one, and about the paths of programs.
            "network_rule" | "host_executable" => {}
            _ => return Err(UnreadableRules(format!("not a rule: {line}"))),
        }
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

/// A value in a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Term {
    Text(String),
    List(Vec<Term>),
}

/// Reads calls with named constants, and nothing else of the language.
///
/// WHY so strict: a file is a program, and a rule that this reader does not find would be overruled.
struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    /// Skips spaces, line ends and comments.
    fn skip(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            match self.rest.strip_prefix('#') {
                Some(comment) => self.rest = comment.split_once('\n').map_or("", |(_, rest)| rest),
                None => return,
            }
        }
    }

    fn take(&mut self, sign: char) -> Option<()> {
        self.skip();
        self.rest = self.rest.strip_prefix(sign)?;
        Some(())
    }

    fn peek(&mut self) -> Option<char> {
        self.skip();
        self.rest.chars().next()
    }

    fn name(&mut self) -> Option<String> {
        self.skip();
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let end = self.rest.find(|letter: char| !is_part(letter)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!name.is_empty()).then(|| name.to_owned())
    }

    /// Reads `name(key = value, …)`.
    fn call(&mut self) -> Option<(String, Vec<(String, Term)>)> {
        let name = self.name()?;
        self.take('(')?;
        let mut arguments = Vec::new();
        while self.peek()? != ')' {
            let key = self.name()?;
            self.take('=')?;
            arguments.push((key, self.term()?));
            if self.peek()? != ')' {
                self.take(',')?;
            }
        }
        self.take(')')?;
        // `;` and a line end separate statements; anything else would continue the expression.
        let behind = self.rest.trim_start_matches([' ', '\t', '\r']);
        let ends = behind.is_empty() || behind.starts_with(['\n', ';', '#']);
        self.rest = behind.strip_prefix(';').unwrap_or(behind);
        ends.then_some((name, arguments))
    }

    fn term(&mut self) -> Option<Term> {
        match self.peek()? {
            '[' => {
                self.take('[')?;
                let mut list = Vec::new();
                while self.peek()? != ']' {
                    list.push(self.term()?);
                    if self.peek()? != ']' {
                        self.take(',')?;
                    }
                }
                self.take(']')?;
                Some(Term::List(list))
            }
            quote @ ('"' | '\'') => self.text(quote),
            _ => None,
        }
    }

    /// Reads a string on one line; of its escapes only quotes and backslashes.
    fn text(&mut self, quote: char) -> Option<Term> {
        self.take(quote)?;
        let mut text = String::new();
        let mut letters = self.rest.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\n' => return None,
                '\\' => match letters.next()?.1 {
                    escaped @ ('\\' | '"' | '\'') => text.push(escaped),
                    _ => return None,
                },
                letter if letter == quote => {
                    self.rest = &self.rest[at + 1..];
                    // `"""` begins a longer string, and two strings side by side are no value.
                    return (!self.rest.starts_with(['"', '\''])).then_some(Term::Text(text));
                }
                letter => text.push(letter),
            }
        }
        None
    }
}

/// Returns the rule of a call; `None` if it allows.
fn rule(arguments: &[(String, Term)]) -> Option<UserRule> {
    let value = |name: &str| arguments.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    if matches!(value("decision"), None | Some(Term::Text(_)))
        && value("decision").is_none_or(|decision| *decision == Term::Text("allow".to_owned()))
    {
        return None;
    }
    // Places with alternatives count as any word.
    let words = match value("pattern") {
        Some(Term::List(places)) => places.iter().filter_map(|place| match place {
            Term::Text(word) => Some(word.clone()),
            Term::List(_) => None,
        }),
        _ => return Some(UserRule { text: "prefix_rule".to_owned(), subject: Subject::All }),
    };
    let words: Vec<String> = words.collect();
    let text = format!("prefix_rule {}", words.join(" "));
    Some(UserRule { text, subject: Subject::Commands(WordPattern::of_words(words)) })
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
        "#;
        let about = |text: &str, command: &str| {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            let call = CallFacts { commands: vec![words], ..CallFacts::default() };
            rules(text).unwrap().iter().any(|rule| rule.is_about(&call))
        };
        for (command, expected) in [
            ("git push origin", true),
            ("git status", false),
            ("npm view x", true),
            ("cat a", false),
            ("wc a", false),
            ("ls", false),
        ] {
            assert_eq!(about(text, command), expected, "{command}");
        }
        let text = r#"prefix_rule(pattern=["ls"], justification='decision="allow"', decision="prompt")"#;
        assert!(about(text, "ls"));
    }

    #[test]
    fn a_file_with_anything_but_named_constants_is_an_error() {
        for text in [
            r#"prefix_rule(pattern=["a""#,
            r#"prefix_rule(["ls"], "prompt")"#,
            r#"prefix_rule(pattern=WORDS, decision="prompt")"#,
            r#"prefix_rule(pattern=["l" + "s"], decision="prompt")"#,
            r#"prefix_rule(pattern=["ls"], decision="prompt") if False else None"#,
            "r = prefix_rule",
            r#"def r(w): prefix_rule(pattern=w, decision="prompt")"#,
            "x = \"\\\"#\" ; prefix_rule(pattern=[\"ls\"], decision=\"prompt\")",
            r#"prefix_rule(pattern=["a"], justification="""b""")"#,
            "syntax error(",
        ] {
            assert!(rules(text).is_err(), "{text}");
        }
        let text = r#"network_rule(host="x", decision="deny")"#;
        assert_eq!(rules(text), Ok(Vec::new()));
    }

    #[test]
    fn the_transcript_shows_where_codex_keeps_its_rules() {
        let path = Path::new("/x/codex/sessions/2026/11/15/rollout-a.jsonl");
        assert_eq!(home_of_transcript(path), Some(PathBuf::from("/x/codex")));
        assert_eq!(home_of_transcript(Path::new("/x/y.jsonl")), None);
    }
}
