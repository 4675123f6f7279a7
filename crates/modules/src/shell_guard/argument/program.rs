//! The program that a tool runs: by the words of its name, or by the language that its input names.

use serde_json::{Map, Value};

/// The words of a tool's name, in lower case: `runShellCommand`, `run_shell_command` and `run-shell-command` are alike.
#[derive(Debug)]
pub(in super::super) struct ToolName {
    words: Vec<String>,
    /// The words of the name of its server.
    server: Vec<String>,
}

/// Words of tools and servers whose text is typed into a terminal.
const TERMINALS: [&str; 13] = [
    "terminal", "shell", "bash", "zsh", "pty", "tty", "console", "command", "process", "ssh", "term", "tmux",
    "iterm",
];

/// Programs that tools are named after, and how a line for them is written.
const PROGRAMS: [(&str, &str); 20] = [
    ("git", "git"),
    ("kubectl", "kubectl"),
    ("kubernetes", "kubectl"),
    ("helm", "helm"),
    ("docker", "docker"),
    ("podman", "podman"),
    ("terraform", "terraform"),
    ("aws", "aws"),
    ("gcloud", "gcloud"),
    ("az", "az"),
    ("azure", "az"),
    ("gh", "gh"),
    ("npm", "npm"),
    ("redis", "redis-cli"),
    ("mongo", "mongosh --eval"),
    ("mongodb", "mongosh --eval"),
    ("psql", "psql -c"),
    ("mysql", "mysql -e"),
    ("sqlite", "sqlite3 x.db"),
    ("powershell", "powershell -Command"),
];

/// Things of a service whose loss is hard to undo.
const THINGS: [&str; 22] = [
    "repository",
    "repo",
    "project",
    "database",
    "table",
    "collection",
    "schema",
    "bucket",
    "cluster",
    "namespace",
    "stack",
    "instance",
    "droplet",
    "volume",
    "snapshot",
    "backup",
    "organization",
    "environment",
    "deployment",
    "domain",
    "index",
    "vault",
];

impl ToolName {
    pub(in super::super) fn of(name: &str) -> Self {
        Self { words: words_of(name), server: Vec::new() }
    }

    /// Sets the name of the server that offers the tool.
    pub(in super::super) fn at(self, server: &str) -> Self {
        Self { server: words_of(server), ..self }
    }

    /// Returns whether one of the words is one of these.
    pub(super) fn has(&self, list: &[&str]) -> bool {
        self.words.iter().any(|word| list.contains(&word.as_str()))
    }

    /// Returns the program that the tool is named after, or else its server.
    pub(super) fn program(&self) -> Option<&'static str> {
        let of_tool = PROGRAMS.iter().find(|(word, _)| self.has(&[word]));
        let of_server = || PROGRAMS.iter().find(|(word, _)| self.server.iter().any(|known| known == word));
        of_tool.or_else(of_server).map(|(_, program)| *program)
    }

    /// Returns whether one of the words of the tool or of its server is one of these.
    pub(super) fn is_about(&self, list: &[&str]) -> bool {
        self.has(list) || self.server.iter().any(|word| list.contains(&word.as_str()))
    }

    /// Returns whether text that the tool gets is typed into a terminal.
    pub(super) fn is_terminal(&self) -> bool {
        self.has(&TERMINALS) || self.server.iter().any(|word| TERMINALS.contains(&word.as_str()))
    }

    pub(super) fn is_database(&self) -> bool {
        self.has(&[
            "sql",
            "query",
            "postgres",
            "postgresql",
            "pg",
            "psql",
            "mysql",
            "mariadb",
            "sqlite",
            "db",
            "database",
            "clickhouse",
            "bigquery",
            "snowflake",
            "redshift",
            "duckdb",
            "mssql",
            "oracle",
            "supabase",
            "neon",
        ])
    }

    /// Returns whether its query is a question for people's words. A tool of a database gets statements, whatever else
    /// its name says.
    pub(super) fn is_search(&self) -> bool {
        !self.is_database()
            && self.has(&[
                "search",
                "find",
                "lookup",
                "docs",
                "documentation",
                "recall",
                "memory",
                "ask",
                "web",
            ])
    }

    pub(super) fn opens_pages(&self) -> bool {
        self.has(&["fetch", "webfetch", "browse", "browser", "navigate", "scrape", "crawl", "goto"])
    }

    /// Returns the thing of a service that the tool deletes.
    pub(in super::super) fn deleted_thing(&self) -> Option<&'static str> {
        let deletes = self.has(&["delete", "drop", "destroy", "terminate", "purge", "wipe", "truncate"]);
        THINGS.iter().find(|thing| deletes && self.has(&[thing])).copied()
    }

    /// Returns the thing that the tool deletes by the kind that its input names: `{"kind": "namespace"}`.
    pub(in super::super) fn deleted_kind(&self, input: &Value) -> Option<&'static str> {
        if !self.has(&["delete", "drop", "destroy", "terminate", "purge", "remove"]) {
            return None;
        }
        let kinds = ["kind", "type", "resource", "resourceType", "resource_type", "resourceKind"];
        let kinds = kinds.iter().filter_map(|name| input.get(*name)?.as_str());
        let kinds: Vec<String> = kinds.map(str::to_ascii_lowercase).collect();
        THINGS.iter().find(|thing| kinds.iter().any(|kind| kind.trim_end_matches('s') == **thing)).copied()
    }

    /// Returns the thing that the tool deletes by the operation that its input names: `{"operation": "delete_bucket"}`.
    pub(in super::super) fn deleted_by_operation(input: &Value) -> Option<&'static str> {
        ["operation", "action", "api", "function", "method", "op"]
            .iter()
            .filter_map(|name| input.get(*name)?.as_str())
            .find_map(|operation| Self::of(operation).deleted_thing())
    }

    /// Returns whether the tool sends its input to other people or machines.
    pub(in super::super) fn sends(&self) -> bool {
        const SENDERS: [&str; 20] = [
            "post", "send", "upload", "publish", "share", "email", "mail", "slack", "message", "request",
            "http", "webhook", "put", "gist", "tweet", "discord", "telegram", "paste", "memory", "remember",
        ];
        self.has(&SENDERS) || self.server.iter().any(|word| SENDERS.contains(&word.as_str()))
    }

    /// Returns the interpreter of the code that the tool gets.
    pub(super) fn interpreter(&self) -> Option<&'static str> {
        self.words.iter().find_map(|word| interpreter_named(word)).or_else(|| {
            self.has(&["jupyter", "notebook"])
                .then_some("python3 -c")
                .or_else(|| self.has(&["shell", "bash", "terminal", "command", "exec"]).then_some("bash -c"))
        })
    }
}

/// The words of a name, in lower case.
fn words_of(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        let is_new = !letter.is_ascii_alphanumeric() || letter.is_ascii_uppercase() && was_lower;
        if is_new && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if letter.is_ascii_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(letter.to_ascii_lowercase());
        }
        was_lower = letter.is_ascii_lowercase() || letter.is_ascii_digit();
    }
    words
}

/// Returns the interpreter of the language that an object names beside its code.
pub(super) fn interpreter_of(fields: &Map<String, Value>) -> Option<&'static str> {
    ["language", "lang", "runtime", "interpreter", "kernel"]
        .iter()
        .find_map(|name| interpreter_named(&fields.get(*name)?.as_str()?.to_ascii_lowercase()))
}

fn interpreter_named(language: &str) -> Option<&'static str> {
    match language {
        "python" | "python3" | "py" | "ipython" => Some("python3 -c"),
        "javascript" | "js" | "node" | "nodejs" | "typescript" | "ts" | "deno" | "bun" => Some("node -e"),
        "ruby" | "rb" => Some("ruby -e"),
        "perl" => Some("perl -e"),
        "php" => Some("php -r"),
        "bash" | "sh" | "shell" | "zsh" => Some("bash -c"),
        _ => None,
    }
}

/// Guesses what runs code that nothing names the language of.
pub(super) fn interpreter_by_look(code: &str) -> Option<&'static str> {
    let has = |marks: &[&str]| marks.iter().any(|mark| code.contains(mark));
    if has(&["require(", "const ", "=>", "process."]) {
        Some("node -e")
    } else {
        has(&["import ", "__import__", "os.", "subprocess", "open("]).then_some("python3 -c")
    }
}
