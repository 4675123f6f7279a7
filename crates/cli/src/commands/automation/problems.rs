//! What is wrong with the files of automations, for people and for programs.

use config_file::{Code, Problem, Severity, Spot};
use redact::Redacted;
use serde_json::{Map, Value};

use crate::output;
use crate::output::paint::{CAREFUL, paint};

/// Tells every problem, with its place.
pub(super) fn tell(problems: &[Problem]) {
    for problem in problems {
        let text = output::text::one_line(&problem.message);
        let text = match problem.code {
            Code::PARSE_ERROR | Code::INVALID_SCHEMA => text,
            code => format!("{text} [{}]", code.as_str()),
        };
        match problem.severity {
            Severity::Error => output::complain(&text),
            Severity::Warning => output::note(&format!("{} {text}", paint(CAREFUL, "warning:"))),
        }
        match &problem.spot {
            Some(spot) => output::note(&without_secrets(spot).in_file(&problem.file).to_string()),
            None => output::note(&format!("  --> {}", problem.file)),
        }
        if let Some(hint) = &problem.hint {
            output::hint(&output::text::one_line(hint));
        }
    }
}

/// Returns a place whose line is without its secrets, at the column where it stands then.
fn without_secrets(spot: &Spot) -> Spot {
    let text = Redacted::from_text(&spot.text).into_string();
    if text == spot.text {
        return spot.clone();
    }
    let before: String = spot.text.chars().take(spot.column.saturating_sub(1)).collect();
    let column = Redacted::from_text(&before).as_str().chars().count() + 1;
    Spot { text, column, ..spot.clone() }
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
    put("code", problem.code.as_str().into());
    put("file", problem.file.as_str().into());
    put("line", problem.spot.as_ref().map(|spot| spot.line).into());
    put("column", problem.spot.as_ref().map(|spot| spot.column).into());
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
