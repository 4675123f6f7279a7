//! Recognises paths, addresses, commands and statements in the input of a tool whose fields no table lists.
//!
//! WHY by shape: servers name their fields as they like (`uri`, `targetFile`, `options.dest`, `args[]`), so the name of a
//! field, the look of its value and the words of the tool's name count, at every depth.

mod key;
mod program;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

use key::Key;
pub(super) use program::ToolName;

/// A part of a tool's input that a rule reads.
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

/// The maximum number of strings that rules read; an input with more is data.
const MAX_STRINGS: usize = 512;

/// Returns the arguments of an input, in its order.
pub(super) fn arguments(tool: ToolName, input: &Value) -> Vec<Argument> {
    let mut search = Search { interpreter: tool.interpreter(), tool, found: Vec::new(), n_strings: 0 };
    search.value("", input, 0);
    search.found
}

struct Search {
    tool: ToolName,
    found: Vec<Argument>,
    n_strings: usize,
    /// The program that runs code: by the tool's name, or by the language that the object around the code names.
    interpreter: Option<&'static str>,
}

impl Search {
    fn value(&mut self, key: &str, value: &Value, depth: usize) {
        match value {
            // Some servers take their input as one string.
            Value::String(text) if depth < MAX_DEPTH && text.trim_start().starts_with(['{', '[']) => {
                match serde_json::from_str::<Value>(text) {
                    Ok(inner @ (Value::Object(_) | Value::Array(_))) if Key::is_data(key) => {
                        self.value(key, &inner, depth + 1);
                    }
                    _ => self.text(key, text),
                }
            }
            Value::String(text) => self.text(key, text),
            Value::Array(items) if depth < MAX_DEPTH => {
                for item in items {
                    self.value(key, item, depth + 1);
                }
            }
            Value::Object(fields) if depth < MAX_DEPTH => {
                let before = self.interpreter;
                self.interpreter = program::interpreter_of(fields).or(before);
                self.line(fields);
                self.forced_push(fields);
                self.known_call(fields);
                for (name, value) in fields {
                    self.value(name, value, depth + 1);
                }
                self.interpreter = before;
            }
            _ => {}
        }
    }

    /// `{"command": "rm", "args": ["-rf", "/"]}` and `{"argv": ["rm", "-rf", "/"]}` are one line.
    fn line(&mut self, fields: &Map<String, Value>) {
        let text = |names: &[&str]| names.iter().find_map(|name| fields.get(*name).and_then(Value::as_str));
        let list = |names: &[&str]| names.iter().find_map(|name| fields.get(*name)?.as_array());
        let joined = |words: &[Value]| {
            let words = words.iter().filter_map(Value::as_str).map(quoted);
            words.collect::<Vec<_>>().join(" ")
        };
        let words = list(&["args", "arguments", "argv", "parameters", "options"]).map(|words| joined(words));
        let program = text(&["command", "cmd", "program", "executable", "binary"]);
        match (program, words) {
            (Some(program), Some(words)) => self.command(&format!("{program} {words}")),
            (None, Some(words)) => {
                if fields.contains_key("argv") {
                    self.command(&words);
                } else if let Some(program) = self.tool.program() {
                    self.found.push(Argument::Command(format!("{program} {words}")));
                }
            }
            _ => {}
        }
        if let Some(words) = list(&["command", "cmd"]) {
            self.command(&joined(words));
        }
    }

    /// `{"branch": "main", "force": true}` of a tool that pushes.
    fn forced_push(&mut self, fields: &Map<String, Value>) {
        let is_set = |name: &&str| fields.get(*name).and_then(Value::as_bool) == Some(true);
        if !self.tool.has(&["push"]) || !["force", "forcePush", "force_push"].iter().any(is_set) {
            return;
        }
        let word = |name: &str, default: &'static str| {
            fields.get(name).and_then(Value::as_str).map_or_else(|| default.to_owned(), quoted)
        };
        let line = format!("git push --force {} {}", word("remote", "origin"), word("branch", ""));
        self.found.push(Argument::Command(line.trim_end().to_owned()));
    }

    /// Calls whose fields are the options of a program: `git_reset {"mode": "hard"}`, `docker_run {"volumes": ["/:/x"]}`,
    /// `{"dropDatabase": 1}`.
    fn known_call(&mut self, fields: &Map<String, Value>) {
        let is = |name: &str, wanted: &str| {
            fields.get(name).and_then(Value::as_str).is_some_and(|value| value.eq_ignore_ascii_case(wanted))
        };
        let is_set = |name: &str| fields.get(name).and_then(Value::as_bool) == Some(true);
        if self.tool.has(&["reset"]) && (is("mode", "hard") || is_set("hard")) {
            self.found.push(Argument::Command("git reset --hard".to_owned()));
        }
        if self.tool.program() == Some("docker") || self.tool.has(&["container"]) {
            let mounts =
                ["volumes", "binds", "mounts"].iter().filter_map(|name| fields.get(*name)?.as_array());
            let mounts: Vec<String> = mounts
                .flatten()
                .filter_map(Value::as_str)
                .map(|mount| format!("-v {}", quoted(mount)))
                .collect();
            let rights = if is_set("privileged") { "--privileged " } else { "" };
            if !mounts.is_empty() || !rights.is_empty() {
                let line = format!("docker run {rights}{} image", mounts.join(" "));
                self.found.push(Argument::Command(line));
            }
        }
        self.deeds_by_name(fields);
        if fields.contains_key("dropDatabase") {
            self.found.push(Argument::Command("mongosh --eval 'db.dropDatabase()'".to_owned()));
        }
    }

    /// Adds the command that does the same as a tool whose name says what it does: `git_config`, `merge_pull_request`.
    fn deeds_by_name(&mut self, fields: &Map<String, Value>) {
        let text = |names: &[&str]| names.iter().find_map(|name| fields.get(*name)?.as_str());
        let is_set = |name: &str| fields.get(name).and_then(Value::as_bool) == Some(true);
        let tool = &self.tool;
        let mut lines = Vec::new();
        if tool.program() == Some("git") {
            if tool.has(&["config"])
                && let (Some(key), Some(value)) = (text(&["key", "name", "setting"]), text(&["value"]))
            {
                lines.push(format!("git config {} {}", quoted(key), quoted(value)));
            }
            if tool.has(&["clean"]) && is_set("force") {
                lines.push(if is_set("ignored") { "git clean -fdx" } else { "git clean -fd" }.to_owned());
            }
        }
        let deletes = text(&["method", "verb", "httpMethod", "http_method"])
            .is_some_and(|method| method.eq_ignore_ascii_case("delete"));
        if deletes && let Some(address) = text(&["url", "uri", "endpoint", "href"]) {
            lines.push(format!("curl -X DELETE {}", quoted(address)));
        }
        if tool.has(&["install", "add"])
            && let Some(package) = text(&["package", "name", "spec", "source", "module", "dependency"])
            && package.contains("://")
        {
            lines.push(format!("npm install {}", quoted(package)));
        }
        let changes =
            tool.has(&["update", "set", "edit", "delete", "remove", "add", "create", "disable", "invite"]);
        let registries = ["npm", "pypi", "cargo", "crate", "crates", "gem", "package", "registry", "nuget"];
        if tool.has(&["publish"]) && tool.is_about(&registries) {
            lines.push("npm publish".to_owned());
        } else if tool.has(&["merge"]) && tool.has(&["pull", "pr", "mr", "request"]) {
            lines.push("gh pr merge".to_owned());
        } else if changes
            && tool.has(&["protection", "ruleset", "visibility", "collaborator", "webhook", "hook"])
        {
            lines.push("gh repo edit".to_owned());
        }
        self.found.extend(lines.into_iter().map(Argument::Command));
    }

    /// Adds a line; of a tool that is named after a program, also the line with the program in front.
    fn command(&mut self, line: &str) {
        self.found.push(Argument::Command(line.to_owned()));
        let Some(program) = self.tool.program() else { return };
        let first = program.split(' ').next().unwrap_or(program);
        if line.split_whitespace().next() != Some(first) {
            let words = if program.contains(" -") { quoted(line) } else { line.to_owned() };
            self.found.push(Argument::Command(format!("{program} {words}")));
        }
    }

    fn text(&mut self, name: &str, text: &str) {
        self.n_strings += 1;
        let text = text.trim();
        if self.n_strings > MAX_STRINGS || text.is_empty() {
            return;
        }
        let key = Key::of(name, &self.tool, self.interpreter.is_some());
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
            self.command(text);
        } else if key == Key::Code {
            let interpreter = self.interpreter.or_else(|| program::interpreter_by_look(text));
            self.found
                .extend(interpreter.map(|program| Argument::Command(format!("{program} {}", quoted(text)))));
        } else if key == Key::Address && !text.contains(char::is_whitespace) {
            // `//host/x` takes the scheme of the page.
            let is_relative = text.starts_with("//");
            let address = if is_relative { format!("https:{text}") } else { text.to_owned() };
            self.found.push(Argument::Address(address));
        } else if key == Key::Statement && is_statement(text, true)
            || key == Key::Query && is_statement(text, self.tool.is_database())
            // People ask in words; only a program writes the verb in capitals.
            || key == Key::Question && is_statement(text, false) && begins_in_capitals(text)
        {
            self.found.push(Argument::Statement(text.to_owned()));
        } else if is_path(key, text) {
            self.found.push(Argument::Path(text.to_owned()));
        } else if self.tool.opens_pages() {
            self.found.extend(addresses_in(text).map(|address| Argument::Address(address.to_owned())));
        }
    }
}

/// Returns whether a string is a path: by the name of its field, or because it can hardly be anything else.
fn is_path(key: Key, text: &str) -> bool {
    let is_short = text.len() < 1024 && !text.contains(['\n', '\0']);
    let is_rooted = text == "~" || text.starts_with("~/") || text.starts_with('/') && text[1..].contains('/');
    match key {
        Key::Path => is_short,
        Key::Prose | Key::Question => false,
        _ => is_short && is_rooted && !text.contains([' ', '<', '>']),
    }
}

/// Returns whether text is SQL: it begins with a verb, and unless the tool is one for databases, continues like a statement.
fn is_statement(text: &str, is_certain: bool) -> bool {
    const VERBS: [&str; 16] = [
        "select", "insert", "update", "delete", "drop", "truncate", "alter", "create", "grant", "revoke",
        "with", "merge", "replace", "call", "copy", "do",
    ];
    const NEXT: [&str; 16] = [
        "from",
        "into",
        "table",
        "database",
        "schema",
        "view",
        "index",
        "user",
        "role",
        "all",
        "only",
        "or",
        "materialized",
        "function",
        "temporary",
        "unique",
    ];
    let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let is_one_of = |list: &[&str], word: Option<&str>| {
        word.is_some_and(|word| list.iter().any(|known| word.eq_ignore_ascii_case(known)))
    };
    let verb = words.next();
    is_one_of(&VERBS, verb)
        && (is_certain
            || is_one_of(&NEXT, words.next())
            || is_one_of(&["select", "with", "update"], verb)
                && (text.to_ascii_lowercase().contains(" from ")
                    || text.to_ascii_lowercase().contains(" set ")))
}

fn begins_in_capitals(text: &str) -> bool {
    text.split_whitespace().next().is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_uppercase()))
}

/// The addresses in a text for people.
fn addresses_in(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("http").filter_map(|(at, _)| {
        let address = text[at..]
            .split(|letter: char| letter.is_whitespace() || "\"'<>)]}`".contains(letter))
            .next()
            .unwrap_or("");
        (address.starts_with("http://") || address.starts_with("https://")).then_some(address)
    })
}

pub(super) fn quoted(word: &str) -> String {
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
