//! A reading and the guard's judgement as JSON; the keys are documented and stable.
//!
//! WHY not a serializer: see [`encoding::json`]. A batch answers thousands of lines a second.

use encoding::json::Object;
use shell::guard::GuardJudgement;
use shell::{PathUse, Reading, Span};

/// Appends the object that `--json` and `--batch` print about one command line.
pub(super) fn write(reading: &Reading, judgement: &GuardJudgement, out: &mut Vec<u8>) {
    let mut answer = Object::open(out);
    answer.string("verdict", judgement.verdict.name());
    answer.objects("reasons", &judgement.reasons, |reason, finding| {
        reason.string("rule", finding.rule.name());
        reason.string("level", finding.level.name());
        reason.string("text", &finding.text);
        reason.string("hint", finding.hint);
        span(reason, finding.span);
    });
    answer.string("class", reading.class.name());
    answer.strings("programs", &reading.programs());
    answer.strings("reads", &paths(&reading.reads));
    answer.strings("writes", &paths(reading.writes.iter().chain(&reading.creates)));
    answer.strings("deletes", &paths(&reading.deletes));
    answer.boolean("network", reading.network);
    answer.boolean("privilege", reading.privilege);
    answer.boolean("runsFetchedCode", reading.runs_fetched_code);
    answer.objects("unknown", &reading.unknown, |unknown, doubt| {
        unknown.string("about", &doubt.about);
        unknown.string("text", doubt.kind.sentence());
        span(unknown, doubt.span);
    });
    answer.boolean("parsed", reading.parsed);
    if let Some(stop) = &reading.stopped_at {
        answer.object("stoppedAt", |place| {
            place.number("at", stop.at);
            place.string("what", stop.what);
        });
    }
    answer.close();
}

/// Appends the answer to an invalid request: the keys of every answer, and the error.
pub(super) fn write_invalid_request(error: &serde_json::Error, out: &mut Vec<u8>) {
    let mut answer = Object::open(out);
    answer.string("error", &error.to_string());
    answer.string("verdict", "ask");
    answer.strings("reasons", &[]);
    answer.string("class", "unknown");
    for list in ["programs", "reads", "writes", "deletes"] {
        answer.strings(list, &[]);
    }
    for fact in ["network", "privilege", "runsFetchedCode"] {
        answer.boolean(fact, false);
    }
    answer.strings("unknown", &[]);
    answer.boolean("parsed", false);
    answer.close();
}

fn span(object: &mut Object<'_>, span: Span) {
    object.numbers("span", &[span.start, span.end]);
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
