//! Prints the problems of automation files, as text and as JSON.

use config_file::{Code, Excerpt, Problem, Severity};
use redact::Redacted;
use serde_json::{Map, Value};

use crate::output;
use crate::output::paint::{CAREFUL, paint};

/// Prints all problems, each with its place.
pub(super) fn print_problems(problems: &[Problem]) {
    for problem in problems {
        let text = output::text::one_line(&problem.message);
        let text = match problem.code {
            Code::PARSE_ERROR | Code::INVALID_SCHEMA => text,
            code => format!("{text} [{}]", code.as_str()),
        };
        match problem.severity {
            Severity::Error => output::error(&text),
            Severity::Warning => output::note(&format!("{} {text}", paint(CAREFUL, "warning:"))),
        }
        match &problem.excerpt {
            Some(excerpt) if excerpt.text.is_empty() => {
                output::note(&format!("  --> {}:{}", problem.file, excerpt.line));
            }
            Some(excerpt) => output::note(&without_secrets(excerpt).in_file(&problem.file).to_string()),
            None => output::note(&format!("  --> {}", problem.file)),
        }
        if let Some(hint) = &problem.hint {
            output::hint(&output::text::one_line(hint));
        }
    }
}

/// Returns the place with secrets removed from its line and the column adjusted.
fn without_secrets(excerpt: &Excerpt) -> Excerpt {
    let text = Redacted::from_text(&excerpt.text).into_string();
    if text == excerpt.text {
        return excerpt.clone();
    }
    let before: String = excerpt.text.chars().take(excerpt.column.saturating_sub(1)).collect();
    let column = Redacted::from_text(&before).as_str().chars().count() + 1;
    Excerpt { text, column, ..excerpt.clone() }
}

/// Returns the problem as JSON.
pub(super) fn json(problem: &Problem) -> Value {
    let mut wire = Map::new();
    let mut put = |key: &str, value: Value| {
        if !value.is_null() {
            wire.insert(key.to_owned(), value);
        }
    };
    put("severity", problem.severity.as_str().into());
    put("code", problem.code.as_str().into());
    // A problem of the command itself has none.
    put("file", Some(problem.file.as_str()).filter(|file| !file.is_empty()).into());
    put("line", problem.excerpt.as_ref().map(|excerpt| excerpt.line).into());
    put("column", problem.excerpt.as_ref().map(|excerpt| excerpt.column).into());
    put("message", problem.message.as_str().into());
    put("hint", problem.hint.clone().into());
    Value::Object(wire)
}

/// Returns the number of errors and warnings, in words.
pub(super) fn count(problems: &[Problem]) -> String {
    let n_errors = problems.iter().filter(|it| it.is_error()).count();
    let n_warnings = problems.len() - n_errors;
    let counted = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    format!("{}, {}", counted(n_errors, "error"), counted(n_warnings, "warning"))
}
