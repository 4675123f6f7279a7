//! What is wrong with the files of automations, for people and for programs.

use automation::config::{Problem, Severity};
use redact::Redacted;
use serde_json::{Map, Value};

use crate::output::paint::{CAREFUL, paint};
use crate::output::{self, Snippet};

/// Tells every problem, with its place.
pub(super) fn tell(problems: &[Problem]) {
    for problem in problems {
        let text = output::text::one_line(&problem.message);
        let text = match problem.code {
            Some(code) => format!("{text} [{code}]"),
            None => text,
        };
        match problem.severity {
            Severity::Error => output::complain(&text),
            Severity::Warning => output::note(&format!("{} {text}", paint(CAREFUL, "warning:"))),
        }
        match problem.place {
            Some(place) => {
                let (line, column) = shown(&problem.line, place.column);
                let snippet = Snippet::of_line(&problem.file, &line, place.line, column, problem.width);
                output::note(&snippet.to_string());
            }
            None => output::note(&format!("  --> {}", problem.file)),
        }
        if let Some(hint) = &problem.hint {
            output::hint(&output::text::one_line(hint));
        }
    }
}

/// Returns a line without its secrets, and where in it what stands at a column is then.
fn shown(line: &str, column: usize) -> (String, usize) {
    let plain = Redacted::from_text(line).into_string();
    if plain == line {
        return (plain, column);
    }
    let before: String = line.chars().take(column.saturating_sub(1)).collect();
    let column = Redacted::from_text(&before).as_str().chars().count() + 1;
    (plain, column)
}

/// Returns the problem as programs read it.
pub(super) fn wire(problem: &Problem) -> Value {
    let mut wire = Map::new();
    let mut put = |key: &str, value: Value| {
        if !value.is_null() {
            wire.insert(key.to_owned(), value);
        }
    };
    put("severity", problem.severity.as_str().into());
    put("code", problem.code.into());
    put("file", problem.file.as_str().into());
    put("line", problem.place.map(|place| place.line).into());
    put("column", problem.place.map(|place| place.column).into());
    put("message", problem.message.as_str().into());
    put("hint", problem.hint.clone().into());
    Value::Object(wire)
}

/// Returns how many there are, in words.
pub(super) fn count(problems: &[Problem]) -> String {
    let n_errors = problems.iter().filter(|it| it.is_error()).count();
    let n_warnings = problems.len() - n_errors;
    let counted = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    format!("{}, {}", counted(n_errors, "error"), counted(n_warnings, "warning"))
}
