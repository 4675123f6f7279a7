//! The schema of every file below the state folders.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::schema;

/// The content of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// One value of this schema.
    Json(&'static str),
    /// A value of this schema per line.
    Lines(&'static str),
    /// Values of this schema, each on a line, among bytes of other files.
    Framed(&'static str),
    /// Intents in their fast binary form.
    Compiled,
    /// A plan in its form for partial reads.
    Plan,
    /// Text for people, copies of the project's own files, an empty file, or a cache that only the crate that
    /// writes it reads.
    Free,
}

/// Path patterns and their content; the first match counts. `*` is any name, `**`
/// at the end any rest, `#` eight or more hex digits.
const SHAPES: &[(&str, Shape)] = &[
    ("state/trust.json", Shape::Json("trust")),
    ("state/trust.lock", Shape::Free),
    ("state/trusted/*", Shape::Free),
    ("state/holds/#", Shape::Json("hold-of-all")),
    ("state/hosts/*/*", Shape::Json("host-record")),
    ("state/answers/#", Shape::Free),
    ("state/allowed/*/*", Shape::Free),
    ("state/pin.json", Shape::Json("pin")),
    ("state/governed/*/#", Shape::Free),
    ("state/sessions/#", Shape::Free),
    ("state/subagents/#", Shape::Free),
    ("state/made-folders", Shape::Free),
    ("state/persons/*.json", Shape::Json("person-changes")),
    ("state/intents/*/INT-*", Shape::Json("kept-intent")),
    ("state/intents/*/#", Shape::Compiled),
    ("state/plans/*/#", Shape::Plan),
    ("tmp/.gitignore", Shape::Free),
    ("tmp/hosts.jsonl", Shape::Lines("host-record")),
    ("tmp/dispatch.log", Shape::Free),
    ("tmp/intents.lock", Shape::Free),
    ("tmp/intent.json", Shape::Json("intent-selection")),
    ("tmp/scope-requests.jsonl", Shape::Lines("scope-request")),
    ("tmp/agents.json", Shape::Json("agent-registry")),
    ("tmp/agent-runs/*", Shape::Lines("agent-run-record")),
    ("tmp/automation/queue*.jsonl", Shape::Lines("automation-queue")),
    ("tmp/automation/server.json", Shape::Json("automation-server")),
    ("tmp/backup/**", Shape::Free),
    ("tmp/#/state.json", Shape::Json("state")),
    ("tmp/#/events.jsonl", Shape::Lines("event-record")),
    ("tmp/#/registry.jsonl", Shape::Lines("artifact-record")),
    ("tmp/#/p.jsonl", Shape::Lines("prompt-record")),
    ("tmp/#/output/**", Shape::Free),
    ("tmp/#/session/allowed/#", Shape::Free),
    ("tmp/#/intent/clock", Shape::Free),
    ("tmp/#/intent/folders", Shape::Free),
    ("tmp/#/intent/index/#", Shape::Free),
    ("tmp/#/intent/scan.json", Shape::Json("scan-coverage")),
    ("tmp/#/intent/pending-calls", Shape::Framed("pending-call")),
    ("tmp/#/intent/seen/*/*", Shape::Json("seen-file")),
    ("tmp/#/intent/reports/#", Shape::Json("staged-report")),
    ("tmp/#/agent-tools/output/*", Shape::Json("agent-ruling")),
    ("tmp/#/memory-journal/output/experience.jsonl", Shape::Lines("experience-record")),
    ("tmp/#/memory-journal/output/candidates.json", Shape::Json("memory-candidates")),
    ("tmp/#/stop-synth/output/summary.json", Shape::Json("stop-summary")),
    ("tmp/#/stop-synth/output/*.md", Shape::Free),
    ("tmp/#/stop-synth/output/adr/*.md", Shape::Free),
    ("tmp/#/rlm-work/output/sa/*/*/packet.json", Shape::Json("rlm-packet")),
    // Subagents write the rest of these three folders.
    ("tmp/#/rlm-work/output/sa/**", Shape::Free),
    ("tmp/#/plan-subagent-contract/output/sa/**", Shape::Free),
    ("tmp/#/planGraph-exec/output/planGraph.json", Shape::Free),
    ("tmp/#/*/logs/debug.log", Shape::Free),
];

/// Checks every file below both folders, and returns the files that match no pattern.
pub fn check(tmp: &Path, user_state: &Path) -> Vec<String> {
    let mut unknown = Vec::new();
    for (folder, name) in [(tmp, "tmp"), (user_state, "state")] {
        for file in files(folder) {
            let below = file.strip_prefix(folder).unwrap_or(&file).to_string_lossy().replace('\\', "/");
            let path = format!("{name}/{below}");
            // A process that was killed while it replaced a file leaves the new content beside it, perhaps in part.
            let replaced = path.strip_suffix(".tmp");
            match SHAPES.iter().find(|(pattern, _)| fits(pattern, replaced.unwrap_or(&path))) {
                Some((_, shape)) if replaced.is_none() => shape.check(&file),
                Some(_) => {}
                None => unknown.push(path),
            }
        }
    }
    unknown
}

impl Shape {
    fn check(self, file: &Path) {
        let bytes = fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        // A process that was killed between creating a file and writing it leaves it empty.
        if bytes.is_empty() {
            return;
        }
        let json = |bytes: &[u8]| -> Value {
            serde_json::from_slice(bytes).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
        };
        let lines = || bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        match self {
            Self::Json(name) => schema::check(name, &json(&bytes)),
            Self::Lines(name) => lines().for_each(|line| schema::check(name, &json(line))),
            Self::Framed(name) => {
                let heads = lines().filter(|line| line.starts_with(b"{\"version\":"));
                heads.for_each(|line| schema::check(name, &json(line)));
            }
            Self::Compiled => {
                schema::check("compiled-intents", &json(lines().next().unwrap_or_default()));
                for line in lines().skip(1) {
                    let tab = line.iter().position(|byte| *byte == b'\t').unwrap_or_default();
                    let intent = json(&line[tab..]);
                    schema::check("compiled-intent", &intent);
                    assert_eq!(intent["id"].as_str().unwrap_or_default().as_bytes(), &line[..tab]);
                }
            }
            Self::Plan => {
                schema::check("kept-plan", &json(lines().next().unwrap_or_default()));
                for line in lines().skip(1) {
                    let node = line.splitn(6, |byte| *byte == b'\t').nth(5).unwrap_or_default();
                    schema::check("plan-graph", &serde_json::json!({"nodes": [json(node)]}));
                }
            }
            Self::Free => {}
        }
    }
}

/// Returns the files below a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    files.sort();
    files
}

fn fits(pattern: &str, path: &str) -> bool {
    let (mut patterns, mut names) = (pattern.split('/'), path.split('/'));
    loop {
        match (patterns.next(), names.next()) {
            (Some("**"), Some(_)) | (None, None) => return true,
            (Some(pattern), Some(name)) if fits_name(pattern, name) => {}
            _ => return false,
        }
    }
}

fn fits_name(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        _ if pattern == "#" => {
            name.len() >= 8 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        }
        Some((before, after)) => name.starts_with(before) && name.ends_with(after),
        None => pattern == name,
    }
}
