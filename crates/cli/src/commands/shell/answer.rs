//! A reading and the guard's judgement as JSON; the keys are documented and stable.
//!
//! WHY borrowed fields: a batch answers thousands of lines a second, and a tree of owned values took as long to build
//! as the answer takes to write.

use serde::{Serialize, Serializer};
use shell::guard::{Finding, GuardJudgement};
use shell::{PathUse, Reading, Reason, Span, Stop};

/// The object that `--json` and `--batch` print.
#[expect(clippy::struct_excessive_bools, reason = "independent facts, one key each")]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct AnswerWire<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    verdict: &'a str,
    reasons: Vec<ReasonWire<'a>>,
    class: &'a str,
    programs: Vec<&'a str>,
    reads: Vec<&'a str>,
    writes: Vec<&'a str>,
    deletes: Vec<&'a str>,
    network: bool,
    privilege: bool,
    runs_fetched_code: bool,
    unknown: Vec<UnknownWire<'a>>,
    parsed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped_at: Option<StopWire>,
}

#[derive(Debug, Serialize)]
struct ReasonWire<'a> {
    rule: &'a str,
    level: &'a str,
    text: &'a str,
    hint: &'a str,
    #[serde(serialize_with = "span")]
    span: Span,
}

#[derive(Debug, Serialize)]
struct UnknownWire<'a> {
    about: &'a str,
    text: &'a str,
    #[serde(serialize_with = "span")]
    span: Span,
}

#[derive(Debug, Serialize)]
struct StopWire {
    at: usize,
    what: &'static str,
}

impl<'a> AnswerWire<'a> {
    /// Returns the answer about one command line.
    pub(super) fn new(reading: &'a Reading, judgement: &'a GuardJudgement) -> Self {
        Self {
            error: None,
            verdict: judgement.verdict.name(),
            reasons: judgement.reasons.iter().map(ReasonWire::new).collect(),
            class: reading.class.name(),
            programs: reading.programs(),
            reads: paths(&reading.reads),
            writes: paths(reading.writes.iter().chain(&reading.creates)),
            deletes: paths(&reading.deletes),
            network: reading.network,
            privilege: reading.privilege,
            runs_fetched_code: reading.runs_fetched_code,
            unknown: reading.unknown.iter().map(UnknownWire::new).collect(),
            parsed: reading.parsed,
            stopped_at: reading.stopped_at.as_ref().map(|Stop { at, what }| StopWire { at: *at, what }),
        }
    }

    /// Returns the answer to an invalid request: all keys, and the error.
    pub(super) fn of_invalid_request(error: &serde_json::Error) -> Self {
        Self {
            error: Some(error.to_string()),
            verdict: "ask",
            reasons: Vec::new(),
            class: "unknown",
            programs: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            deletes: Vec::new(),
            network: false,
            privilege: false,
            runs_fetched_code: false,
            unknown: Vec::new(),
            parsed: false,
            stopped_at: None,
        }
    }
}

impl<'a> ReasonWire<'a> {
    fn new(finding: &'a Finding) -> Self {
        Self {
            rule: finding.rule.name(),
            level: finding.level.name(),
            text: &finding.text,
            hint: finding.hint,
            span: finding.span,
        }
    }
}

impl<'a> UnknownWire<'a> {
    fn new(doubt: &'a Reason) -> Self {
        Self { about: &doubt.about, text: doubt.kind.sentence(), span: doubt.span }
    }
}

fn span<S: Serializer>(span: &Span, serializer: S) -> Result<S::Ok, S::Error> {
    [span.start, span.end].serialize(serializer)
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
