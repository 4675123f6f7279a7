//! The paths, command line and content in a tool's input.

use event::{Access, CommandLine, Dialect, Touch};
use serde_json::Value;

/// Paths, command line and content of one call.
#[derive(Debug, Default)]
pub(crate) struct InputFacts {
    pub(crate) touches: Vec<Touch>,
    pub(crate) command: Option<CommandLine>,
    pub(crate) content: Option<String>,
}

impl InputFacts {
    /// Adds a path, unless it is empty or equals a recent one.
    ///
    /// WHY only recent ones: a payload may contain a million paths, and checking a path twice does no
    /// harm.
    pub(crate) fn touch(&mut self, path: &str, access: Access) {
        let known =
            self.touches.iter().rev().take(32).any(|touch| touch.access == access && touch.path == path);
        if !path.is_empty() && !known {
            self.touches.push(Touch { path: path.to_owned(), access });
        }
    }

    /// Adds every path at a location of the input.
    pub(crate) fn touch_all(&mut self, input: &Value, place: &str, access: Access) {
        for path in texts(input, place) {
            self.touch(path, access);
        }
    }

    /// Adds the command line at a location of the input, unless there is one already.
    pub(crate) fn run(&mut self, input: &Value, place: &str, dialect: Dialect) {
        match texts(input, place).as_slice() {
            [line] => self.run_line(line, dialect),
            words => self.run_line(&joined(words), dialect),
        }
    }

    /// Adds a command line, unless it is empty or there is one already.
    pub(crate) fn run_line(&mut self, line: &str, dialect: Dialect) {
        if self.command.is_none() && !line.is_empty() {
            self.command = Some(CommandLine { text: line.to_owned(), cwd: None, dialect });
        }
    }
}

/// Returns the strings at a location such as `path`, `task.args` or `edits[].file_path`.
///
/// Lenient, because an overlooked path is not checked: an array of strings or an object with a string
/// is accepted in place of a string.
pub(crate) fn texts<'a>(input: &'a Value, place: &str) -> Vec<&'a str> {
    let mut found = Vec::new();
    collect(input, place, &mut found);
    found
}

fn collect<'a>(value: &'a Value, place: &str, found: &mut Vec<&'a str>) {
    let (head, rest) = place.split_once('.').unwrap_or((place, ""));
    let Some(value) = value.get(head.trim_end_matches("[]")) else { return };
    match (value, rest) {
        (value, "") => ends(value, found),
        (Value::Array(items), rest) => items.iter().for_each(|item| collect(item, rest, found)),
        (value, rest) => collect(value, rest, found),
    }
}

fn ends<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => found.push(text),
        Value::Array(items) => items.iter().for_each(|item| match item {
            Value::Array(_) => {}
            item => ends(item, found),
        }),
        Value::Object(object) => {
            let names = ["fsPath", "path", "file_path", "filePath"];
            let text = names.iter().find_map(|name| object.get(*name).and_then(Value::as_str));
            found.extend(text);
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Joins words to a line that a POSIX shell splits into the same words.
pub(crate) fn joined(words: &[&str]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,+@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
