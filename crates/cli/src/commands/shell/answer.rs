//! A reading and the guard's judgement as JSON; the keys are documented and stable.

use serde_json::{Value, json};
use shell::guard::{Judgement, Level};
use shell::{PathUse, Reading};

/// Returns the object that `--json` and `--batch` print.
pub(super) fn of(reading: &Reading, judgement: &Judgement) -> Value {
    let reasons: Vec<_> = judgement
        .reasons
        .iter()
        .map(|finding| {
            json!({
                "rule": finding.rule.name(),
                "level": finding.level.name(),
                "text": finding.text,
                "hint": finding.hint,
                "span": [finding.span.start, finding.span.end],
            })
        })
        .collect();
    let unknown: Vec<_> = reading
        .unknown
        .iter()
        .map(|doubt| {
            json!({
                "about": doubt.about,
                "text": doubt.kind.sentence(),
                "span": [doubt.span.start, doubt.span.end],
            })
        })
        .collect();
    let mut answer = json!({
        "verdict": judgement.verdict.name(),
        "reasons": reasons,
        "class": reading.class.name(),
        "programs": reading.programs(),
        "reads": paths(&reading.reads),
        "writes": paths(reading.writes.iter().chain(&reading.creates)),
        "deletes": paths(&reading.deletes),
        "network": reading.network,
        "privilege": reading.privilege,
        "runsFetchedCode": reading.runs_fetched_code,
        "unknown": unknown,
        "parsed": reading.parsed,
    });
    if let Some(stop) = &reading.stopped_at {
        answer["stoppedAt"] = json!({"at": stop.at, "what": stop.what});
    }
    answer
}

/// Returns the answer to an invalid request: all keys, and the error.
pub(super) fn of_invalid_request(error: &serde_json::Error) -> Value {
    json!({
        "error": error.to_string(),
        "verdict": "ask",
        "reasons": [],
        "class": "unknown",
        "programs": [],
        "reads": [],
        "writes": [],
        "deletes": [],
        "network": false,
        "privilege": false,
        "runsFetchedCode": false,
        "unknown": [],
        "parsed": false,
    })
}

/// Returns the word for a finding's level.
pub(super) fn word(level: Level) -> &'static str {
    level.name()
}

fn paths<'a>(uses: impl IntoIterator<Item = &'a PathUse>) -> Vec<&'a str> {
    let mut paths: Vec<&str> = Vec::new();
    for used in uses {
        if !paths.contains(&used.path.as_str()) {
            paths.push(&used.path);
        }
    }
    paths
}
