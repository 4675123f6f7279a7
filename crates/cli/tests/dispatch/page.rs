//! Runs everything in `walkthrough.md`, in order, with the real binary.
//!
//! The second word after the backticks is the purpose of a block: `file PATH` is written, `send HOST EVENT`
//! goes to the hook (with ids and folder filled in), `answer` is the expected answer, `run` has command lines
//! after `$` with their expected output, `has PATH` has lines that a file contains. `<sid>` stands for the
//! session, `…` in an expected text for anything.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use testkit::{Call, Sandbox};

use crate::{patient, sandbox};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/dispatch/walkthrough.md");

#[test]
fn the_walk_through_all_modules_goes_as_its_page_says() {
    let text = fs::read_to_string(PAGE).unwrap();
    let blocks = blocks(&text);
    assert!(blocks.len() > 20, "only {} blocks", blocks.len());
    let mut walk = Walk { sandbox: sandbox(), last: None, n_calls: 0 };
    for block in &blocks {
        walk.step(block);
    }
    assert_eq!(walk.last, None, "the page does not check the last answer");
    walk.sandbox.check_everything();
}

/// A fenced block with a purpose.
struct Block<'a> {
    line: usize,
    verb: &'a str,
    words: Vec<&'a str>,
    text: &'a str,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut at = 0;
    while let Some(open) = page[at..].find("\n```").map(|found| at + found + 4) {
        let info_end = open + page[open..].find('\n').unwrap();
        let close = info_end + page[info_end..].find("\n```").unwrap();
        let line = page[..open].lines().count();
        let mut info = page[open..info_end].split_whitespace().skip(1);
        if let Some(verb) = info.next() {
            blocks.push(Block { line, verb, words: info.collect(), text: &page[info_end..close] });
        }
        at = close + 4;
    }
    blocks
}

struct Walk {
    sandbox: Sandbox,
    last: Option<Value>,
    n_calls: usize,
}

impl Walk {
    fn step(&mut self, block: &Block<'_>) {
        let place = format!("walkthrough.md, line {}", block.line);
        match (block.verb, block.words.as_slice()) {
            ("file", [path]) => self.file(&self.named(path), &self.named(block.text)),
            ("send", [host, event]) => self.send(host, event, block.text, &place),
            ("answer", []) => {
                let expected: Value = json_of(block.text, &place);
                let last = self.last.take().unwrap_or_else(|| panic!("{place}: there was no answer"));
                assert!(
                    fits(&expected, &self.plain(&last)),
                    "{place}: the answer is\n{:#}",
                    self.plain(&last)
                );
            }
            ("run", []) => self.run(block.text, &place),
            ("has", [path]) => {
                let path = self.sandbox.path(self.named(path));
                let content = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{place}: {error}"));
                for line in block.text.lines().filter(|line| !line.trim().is_empty()) {
                    assert!(
                        content.lines().any(|it| text_fits(line, it)),
                        "{place}: no `{line}` in\n{content}"
                    );
                }
            }
            other => panic!("{place}: unknown purpose {other:?}"),
        }
    }

    fn file(&self, path: &str, text: &str) {
        // The page's budgets are for a user's machine, not for one that runs a thousand tests.
        let text = if Path::new(path).ends_with("dispatch.manifest.json") {
            patient(serde_json::from_str(text).unwrap()).to_string()
        } else {
            text.trim_start().to_owned()
        };
        self.sandbox.write(path, text);
    }

    fn send(&mut self, host: &str, event: &str, text: &str, place: &str) {
        assert!(self.last.is_none(), "{place}: the page does not check the answer before this");
        self.n_calls += 1;
        let root = self.sandbox.root();
        let mut payload: Value = json_of(&self.named(text), place);
        let fields = payload.as_object_mut().unwrap();
        for (name, value) in
            [("session_id", json!("walk")), ("cwd", json!(root)), ("hook_event_name", json!(event))]
        {
            fields.entry(name).or_insert(value);
        }
        if event.ends_with("ToolUse") {
            fields.entry("tool_use_id").or_insert(json!(format!("toolu_{}", self.n_calls)));
        }
        self.last = Some(self.sandbox.ask(host, event, &payload));
    }

    /// Runs each line after a `$` and checks the output against the lines below it.
    fn run(&self, text: &str, place: &str) {
        // A person's terminal is no child of the agent program; this process plays both.
        self.forget_this_process();
        for part in text.split("\n$ ").skip(1) {
            let (line, expected) = part.split_once('\n').unwrap_or((part, ""));
            let words: Vec<String> = self.named(line).split_whitespace().map(str::to_owned).collect();
            assert_eq!(words[0], "steersman", "{place}: only steersman is run here");
            let call: Call = self.sandbox.call().args(&words[1..]);
            let ran = call.run();
            let printed = [ran.stdout, ran.stderr].concat();
            let printed = self.plain_text(&String::from_utf8_lossy(&printed));
            let lines = |text: &str| {
                text.lines()
                    .map(|it| it.trim_end().to_owned())
                    .filter(|it| !it.is_empty())
                    .collect::<Vec<_>>()
            };
            let (expected, printed) = (lines(expected), lines(&printed));
            let same = expected.len() == printed.len()
                && expected.iter().zip(&printed).all(|(one, other)| text_fits(one, other));
            assert!(same, "{place}: `{line}` prints\n{}", printed.join("\n"));
        }
    }

    /// Lets the records of agent programs name a process that does not exist.
    fn forget_this_process(&self) {
        let _ = fs::remove_file(self.sandbox.path(".ai/tmp/hosts.jsonl"));
        let folders = fs::read_dir(self.sandbox.user_state().join("hosts")).into_iter().flatten().flatten();
        let files = folders.filter_map(|folder| fs::read_dir(folder.path()).ok()).flatten().flatten();
        for file in files.map(|file| file.path()) {
            let mut record = json_of(&fs::read_to_string(&file).unwrap(), "a record");
            record["chain"] = json!([[u32::MAX, u64::MAX]]);
            fs::write(&file, record.to_string()).unwrap();
        }
        for session in self.sandbox.sessions() {
            let journal = session.root.join("events.jsonl");
            let text = fs::read_to_string(&journal).unwrap();
            fs::write(&journal, without_process(&text)).unwrap();
        }
    }

    fn sid(&self) -> Option<String> {
        self.sandbox.sessions().first().map(|session| session.id.clone())
    }

    /// Replaces the placeholder of the session's id.
    fn named(&self, text: &str) -> String {
        self.sid().map_or_else(|| text.to_owned(), |sid| text.replace("<sid>", &sid))
    }

    /// Replaces values that differ between runs by placeholders.
    fn plain_text(&self, text: &str) -> String {
        let text = text.replace(&self.sandbox.root().display().to_string(), "/project");
        self.sid().map_or_else(|| text.clone(), |sid| text.replace(&sid, "<sid>"))
    }

    fn plain(&self, value: &Value) -> Value {
        serde_json::from_str(&self.plain_text(&value.to_string())).unwrap()
    }
}

/// Blots out the process that a session names at its start. Every line keeps its length, and so its offset.
fn without_process(journal: &str) -> String {
    const KEY: &str = "\"process\":\"";
    let mut parts = journal.split(KEY);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (process, rest) = part.split_once('"').unwrap();
        text.extend([KEY, &"-".repeat(process.len()), "\"", rest]);
    }
    text
}

fn json_of(text: &str, place: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{place}: {error}"))
}

/// Returns whether a value is as expected; in strings `…` stands for anything.
fn fits(expected: &Value, actual: &Value) -> bool {
    match (expected, actual) {
        (Value::String(expected), Value::String(actual)) => text_fits(expected, actual),
        (Value::Object(expected), Value::Object(actual)) => {
            expected.len() == actual.len()
                && expected.iter().all(|(key, value)| actual.get(key).is_some_and(|it| fits(value, it)))
        }
        (Value::Array(expected), Value::Array(actual)) => {
            expected.len() == actual.len() && expected.iter().zip(actual).all(|(one, other)| fits(one, other))
        }
        _ => expected == actual,
    }
}

fn text_fits(expected: &str, actual: &str) -> bool {
    let mut parts = expected.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = actual.strip_prefix(first) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, between)) = parts.split_last() else { return rest.is_empty() };
    for part in between {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}
