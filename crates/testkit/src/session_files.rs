//! The files of one session.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::schema;

/// The folder of one session.
#[derive(Debug, Clone)]
pub struct SessionFiles {
    /// The session id: eight hex digits, and the name of the folder.
    pub id: String,
    /// The folder.
    pub root: PathBuf,
}

impl SessionFiles {
    pub(crate) fn at(root: PathBuf) -> Self {
        let id = root.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self { id, root }
    }

    /// Returns the lines of `events.jsonl`, each checked.
    pub fn events(&self) -> Vec<Value> {
        let lines = lines(&self.root.join("events.jsonl"));
        for line in &lines {
            self.check_event(line);
        }
        lines
    }

    /// Returns the lines of `events.jsonl` with this `type`.
    pub fn events_of(&self, kind: &str) -> Vec<Value> {
        self.events().into_iter().filter(|line| line["type"] == kind).collect()
    }

    /// Returns the last line about a whole run.
    pub fn last_run(&self) -> Value {
        self.events_of("HOOK_RUN").pop().unwrap_or_else(|| panic!("session {} has no run", self.id))
    }

    /// Returns the lines of `registry.jsonl`, each checked.
    pub fn registry(&self) -> Vec<Value> {
        let lines = lines(&self.root.join("registry.jsonl"));
        for line in &lines {
            schema::check("artifact-record", line);
        }
        lines
    }

    /// Returns the lines of `p.jsonl`, each checked.
    pub fn prompts(&self) -> Vec<Value> {
        let lines = lines(&self.root.join("p.jsonl"));
        for line in &lines {
            schema::check("prompt-record", line);
            let hash = line["hash"].as_str().unwrap_or_default();
            assert!(is_hex(hash, 16) && is_work(&line["workId"]), "not a prompt record: {line}");
        }
        lines
    }

    /// Returns `state.json`, checked.
    pub fn state(&self) -> Value {
        let path = self.root.join("state.json");
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let state: Value = serde_json::from_str(&text)
            .unwrap_or_else(|error| panic!("{} does not parse ({error}): {text}", path.display()));
        schema::check("state", &state);
        state
    }

    /// Returns a field of `core` in `state.json`.
    pub fn core(&self, field: &str) -> Value {
        self.state()["core"][field].clone()
    }

    /// Returns a module's `debug.log`; empty if the file does not exist.
    pub fn debug_log(&self, module: &str) -> String {
        fs::read_to_string(self.root.join(module).join("logs/debug.log")).unwrap_or_default()
    }

    /// Checks the journals and the state of the session.
    pub fn check_everything(&self) {
        assert!(is_hex(&self.id, 8), "not the folder of a session: {}", self.root.display());
        if self.root.join("events.jsonl").is_file() {
            self.events();
        }
        if self.root.join("state.json").is_file() {
            let state = self.state();
            let id = &state["core"]["sessionId"];
            assert!(id.is_null() || *id == *self.id, "{} is kept in {}", id, self.root.display());
        }
        self.registry();
        self.prompts();
    }

    /// Returns the lines of `experience.jsonl`, each checked.
    pub fn experience(&self) -> Vec<Value> {
        let lines = lines(&self.root.join("memory-journal/output/experience.jsonl"));
        for line in &lines {
            schema::check("experience-record", line);
        }
        lines
    }

    /// Returns a JSON file that a module has written; `None` if it does not exist.
    pub fn output(&self, file: &str) -> Option<Value> {
        let text = self.output_text(file)?;
        let parsed = serde_json::from_str(&text);
        Some(parsed.unwrap_or_else(|error| panic!("{file} does not parse ({error}): {text}")))
    }

    /// Returns the text of a file that a module has written; `None` if it does not exist. `file` is
    /// the module, a slash, and the name in its output folder.
    pub fn output_text(&self, file: &str) -> Option<String> {
        let (module, name) = file.split_once('/').unwrap_or_else(|| panic!("`{file}` names no module"));
        fs::read_to_string(self.root.join(module).join("output").join(name)).ok()
    }

    fn check_event(&self, line: &Value) {
        schema::check("event-record", line);
        assert_eq!(line["v"], 1, "{line}");
        assert_eq!(line["sessionId"], *self.id, "{line}");
        assert!(is_work(&line["workId"]), "{line}");
        let agent = line["agentId"].as_str().unwrap_or_default();
        let numbered =
            agent.strip_prefix('a').is_some_and(|n| n.len() >= 2 && n.bytes().all(|b| b.is_ascii_digit()));
        assert!(agent == "u00" || numbered, "{line}");
        let turn = line["turnId"].to_string();
        let run: Vec<&str> = line["hookRunId"].as_str().unwrap_or_default().split('-').collect();
        let is_run = matches!(run[..], [_, of_turn, ts] if of_turn == turn && ts.len() >= 13);
        assert!(is_run, "{line}");
    }
}

/// Reads complete JSON lines; a missing file yields no lines.
fn lines(path: &Path) -> Vec<Value> {
    if !path.exists() {
        return Vec::new();
    }
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(text.is_empty() || text.ends_with('\n'), "{} ends in a torn line: {text}", path.display());
    let parse = |line: &str| {
        serde_json::from_str(line)
            .unwrap_or_else(|error| panic!("{} has a line that is no JSON ({error}): {line}", path.display()))
    };
    text.lines().map(parse).collect()
}

fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn is_work(id: &Value) -> bool {
    let digits = id.as_str().and_then(|id| id.strip_prefix('w')).unwrap_or_default();
    digits.len() >= 3 && digits.bytes().all(|byte| byte.is_ascii_digit())
}
