//! Recognises paths, addresses, commands and statements in the input of a tool whose fields no table lists.
//!
//! WHY by shape: servers name their fields as they like (`uri`, `targetFile`, `options.dest`, `args[]`), so both the name
//! of a field and the look of its value count, at every depth.

use serde_json::Value;

/// A part of a tool's input that a rule looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Argument {
    /// A path, without `file://`; `~` is not replaced.
    Path(String),
    /// An address with a scheme.
    Address(String),
    /// A line for a shell.
    Command(String),
    /// A statement for a database.
    Statement(String),
}

/// Objects within objects that are looked through.
const MAX_DEPTH: usize = 8;

/// Strings that are looked at; an input with more is data.
const MAX_STRINGS: usize = 512;

/// Returns the arguments of an input, in its order.
pub(super) fn arguments(tool: &str, input: &Value) -> Vec<Argument> {
    let mut search = Search { tool: tool.to_ascii_lowercase(), found: Vec::new(), n_strings: 0 };
    search.value("", input, 0);
    search.found
}

struct Search {
    tool: String,
    found: Vec<Argument>,
    n_strings: usize,
}

impl Search {
    fn value(&mut self, key: &str, value: &Value, depth: usize) {
        match value {
            Value::String(text) => self.text(key, text),
            Value::Array(items) if depth < MAX_DEPTH => {
                for item in items {
                    self.value(key, item, depth + 1);
                }
            }
            Value::Object(fields) if depth < MAX_DEPTH => {
                // `{"command": "rm", "args": ["-rf", "/"]}` is one line.
                let program = ["command", "cmd", "program", "executable"]
                    .iter()
                    .find_map(|name| fields.get(*name).and_then(Value::as_str));
                let words =
                    ["args", "arguments", "argv"].iter().find_map(|name| fields.get(*name)?.as_array());
                if let (Some(program), Some(words)) = (program, words) {
                    let words = words.iter().filter_map(Value::as_str).map(quoted);
                    let line = words.fold(program.to_owned(), |line, word| format!("{line} {word}"));
                    self.found.push(Argument::Command(line));
                }
                for (name, value) in fields {
                    self.value(name, value, depth + 1);
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, key: &str, text: &str) {
        self.n_strings += 1;
        let text = text.trim();
        if self.n_strings > MAX_STRINGS || text.is_empty() {
            return;
        }
        let key = Key::of(key);
        if let Some(rest) = text.strip_prefix("file://") {
            let path = rest.strip_prefix("localhost").unwrap_or(rest);
            self.found.push(Argument::Path(percent_decoded(path)));
        } else if let Some((scheme, _)) = text.split_once("://")
            && scheme.len() < 16
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
            && !text.contains(char::is_whitespace)
        {
            self.found.push(Argument::Address(text.to_owned()));
        } else if key == Key::Command {
            self.found.push(Argument::Command(text.to_owned()));
        } else if key == Key::Code {
            self.found.extend(
                self.program_of_code()
                    .map(|program| Argument::Command(format!("{program} {}", quoted(text)))),
            );
        } else if key == Key::Address && !text.contains(char::is_whitespace) {
            self.found.push(Argument::Address(text.to_owned()));
        } else if matches!(key, Key::Statement | Key::Query) && is_statement(text) {
            self.found.push(Argument::Statement(text.to_owned()));
        } else if is_path(key, text) {
            self.found.push(Argument::Path(text.to_owned()));
        }
    }

    /// The interpreter of a tool that runs code.
    fn program_of_code(&self) -> Option<&'static str> {
        let has = |word: &str| self.tool.contains(word);
        if has("python") || has("jupyter") || has("notebook") {
            Some("python3 -c")
        } else if has("node") || has("javascript") || has("_js") || has("deno") {
            Some("node -e")
        } else if has("shell") || has("bash") || has("terminal") || has("command") || has("exec") {
            Some("bash -c")
        } else {
            None
        }
    }
}

/// The meaning of a field by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Path,
    Address,
    Command,
    Code,
    Statement,
    Query,
    /// Text for people or for a file: never a path, however it looks.
    Prose,
    Other,
}

impl Key {
    /// Reads `filePath`, `file_path` and `target-file` alike: the last words count.
    fn of(name: &str) -> Self {
        let mut plain = String::new();
        for letter in name.chars().filter(char::is_ascii_alphanumeric) {
            plain.push(letter.to_ascii_lowercase());
        }
        let ends = |words: &[&str]| words.iter().any(|word| plain.ends_with(word));
        match plain.as_str() {
            "command" | "cmd" | "commandline" | "commands" | "shellcommand" | "bash" | "shell" | "script"
            | "commandtorun" | "exec" => Self::Command,
            "code" | "sourcecode" | "python" | "javascript" | "snippet" => Self::Code,
            "sql" | "statement" | "statements" | "sqlquery" | "ddl" => Self::Statement,
            "query" | "queries" | "q" => Self::Query,
            "content" | "contents" | "text" | "body" | "message" | "description" | "prompt" | "title"
            | "filetext" | "newstring" | "oldstring" | "newstr" | "oldstr" | "newtext" | "oldtext"
            | "data" | "summary" | "comment" | "pattern" | "regex" => Self::Prose,
            "url" | "href" | "endpoint" | "link" | "website" | "webpage" | "address" => Self::Address,
            _ if ends(&["url", "urls", "href"]) => Self::Address,
            _ if ends(&[
                "path",
                "paths",
                "file",
                "files",
                "filename",
                "dir",
                "directory",
                "folder",
                "uri",
                "dest",
            ]) || matches!(
                plain.as_str(),
                "source" | "destination" | "target" | "from" | "to" | "location"
            ) =>
            {
                Self::Path
            }
            _ => Self::Other,
        }
    }
}

/// Returns whether a string is a path: by the name of its field, or because it can hardly be anything else.
fn is_path(key: Key, text: &str) -> bool {
    let is_short = text.len() < 1024 && !text.contains(['\n', '\0']);
    let is_rooted = text.starts_with("~/") || text.starts_with('/') && text[1..].contains('/');
    match key {
        Key::Path => is_short,
        Key::Prose => false,
        _ => is_short && is_rooted && !text.contains([' ', '<', '>']),
    }
}

/// Returns whether text is SQL: it begins with a verb.
fn is_statement(text: &str) -> bool {
    const VERBS: [&str; 16] = [
        "select", "insert", "update", "delete", "drop", "truncate", "alter", "create", "grant", "revoke",
        "with", "merge", "replace", "call", "copy", "do",
    ];
    let word = text.split(|letter: char| !letter.is_ascii_alphabetic()).next().unwrap_or("");
    VERBS.iter().any(|verb| word.eq_ignore_ascii_case(verb))
}

fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,+@%~".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = text.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        if let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            decoded.push(byte);
            at += 3;
        } else {
            decoded.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn path(text: &str) -> Argument {
        Argument::Path(text.into())
    }

    #[test]
    fn a_path_is_found_under_any_name_and_at_any_depth() {
        for input in [
            json!({"path": "~/.ssh/id_rsa"}),
            json!({"filePath": "~/.ssh/id_rsa"}),
            json!({"target-file": "~/.ssh/id_rsa"}),
            json!({"uri": "file://~/.ssh/id_rsa"}),
            json!({"options": {"files": ["~/.ssh/id_rsa"]}}),
            json!({"anything": "~/.ssh/id_rsa"}),
            json!([{"a": [{"b": "~/.ssh/id_rsa"}]}]),
        ] {
            assert_eq!(arguments("x", &input), [path("~/.ssh/id_rsa")], "{input}");
        }
        assert_eq!(arguments("x", &json!({"uri": "file:///etc/pass%77d"})), [path("/etc/passwd")]);
    }

    #[test]
    fn commands_statements_and_addresses_are_told_apart() {
        let command = |line: &str| Argument::Command(line.into());
        let line = json!({"program": "rm", "args": ["-rf", "a b"]});
        assert_eq!(arguments("x", &line), [command("rm -rf 'a b'")]);
        assert_eq!(arguments("x", &json!({"steps": [{"script": "ls"}]})), [command("ls")]);
        assert_eq!(arguments("run_python", &json!({"code": "print(1)"})), [command("python3 -c 'print(1)'")]);
        let sql = "DROP TABLE a";
        assert_eq!(arguments("x", &json!({"query": sql})), [Argument::Statement(sql.into())]);
        let url = "https://a.org/x";
        assert_eq!(arguments("x", &json!({"to": url})), [Argument::Address(url.into())]);
    }

    #[test]
    fn prose_and_questions_are_nothing() {
        for input in [
            json!({"query": "how to drop a table"}),
            json!({"content": "/etc/passwd is a file"}),
            json!({"text": "rm -rf /"}),
            json!({"owner": "me", "repo": "x", "issue": 5}),
            json!({"pattern": "/etc/.*"}),
        ] {
            assert_eq!(arguments("x", &input), [], "{input}");
        }
    }
}
