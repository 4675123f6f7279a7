//! Tests that the trace contains every write.

use std::fs;
use std::time::Duration;

use event::AbsPath;
use intent::IntentId;
use intent::trace::{
    Appended, Before, Earlier, FileChange, MutationClass, TraceLog, TraceRecord, file_change,
};
use store::Timestamp;

use crate::sandbox::Sandbox;

const LOCK_TIMEOUT: Duration = Duration::from_millis(500);

fn record(sandbox: &Sandbox, path: &str, tool: &str) -> TraceRecord {
    let file = sandbox.at(path);
    let written = file_change(&file, &Before::Absent, None).unwrap().unwrap();
    let relative = file.below(&sandbox.root).unwrap();
    TraceRecord::new(
        IntentId::parse("INT-001").unwrap(),
        &relative,
        tool,
        Timestamp::from_millis(1000),
        written,
    )
}

fn log(sandbox: &Sandbox) -> TraceLog {
    TraceLog::new(sandbox.at(TraceLog::PATH))
}

const NOTHING: Earlier = Earlier { same_writes: None, same_records: None };

fn lines(path: &AbsPath) -> Vec<TraceRecord> {
    let text = fs::read_to_string(path.as_path()).unwrap_or_default();
    text.lines().map(|line| TraceRecord::parse(line.as_bytes()).unwrap()).collect()
}

#[test]
fn a_write_is_traced_with_the_documents_fields() {
    let sandbox = Sandbox::with(&[("src/a.ts", "one\ntwo\n")]);
    let record = record(&sandbox, "src/a.ts", "Write").at_commit(Some("abc".into()));
    log(&sandbox).append(&[record], NOTHING, LOCK_TIMEOUT).unwrap();
    let hash = intent::ContentHash::of(b"one\ntwo\n");
    let expected = format!(
        "{{\"intent_id\":\"INT-001\",\"content_hash\":\"{hash}\",\
         \"file_path\":\"src/a.ts\",\"mutation_class\":\"CREATE\",\"line_ranges\":[{{\"start\":1,\"end\":2}}],\
         \"timestamp\":\"1970-01-01T00:00:01.000Z\",\"tool_name\":\"Write\",\"git_sha\":\"abc\"}}\n"
    );
    assert_eq!(fs::read_to_string(sandbox.at(TraceLog::PATH).as_path()).unwrap(), expected);
}

#[test]
fn nothing_is_lost_and_nothing_doubled_among_64_writers() {
    let sandbox = Sandbox::with(&[("src/a.ts", "x")]);
    std::thread::scope(|scope| {
        for writer in 0..64 {
            let (sandbox, log) = (&sandbox, log(&sandbox));
            scope.spawn(move || {
                for call in 0..10 {
                    let record = record(sandbox, "src/a.ts", &format!("t{writer}-{call}"));
                    // A very short wait: many attempts fail, and are repeated as a later event would.
                    while log
                        .append(std::slice::from_ref(&record), NOTHING, Duration::from_millis(2))
                        .unwrap()
                        == Appended::Busy
                    {}
                }
            });
        }
    });
    let mut tools: Vec<String> =
        lines(&sandbox.at(TraceLog::PATH)).into_iter().map(|it| it.tool_name).collect();
    assert_eq!(tools.len(), 640);
    tools.sort();
    tools.dedup();
    assert_eq!(tools.len(), 640);
}

#[test]
fn records_that_a_killed_process_has_appended_are_not_appended_again() {
    let sandbox = Sandbox::with(&[("src/a.ts", "x"), ("src/b.ts", "y")]);
    let log = log(&sandbox);
    let [zero, one, two] = [("src/a.ts", "zero"), ("src/a.ts", "one"), ("src/b.ts", "two")]
        .map(|(file, tool)| record(&sandbox, file, tool));
    log.append(std::slice::from_ref(&zero), NOTHING, LOCK_TIMEOUT).unwrap();
    let length = log.length();
    log.append(std::slice::from_ref(&one), NOTHING, LOCK_TIMEOUT).unwrap();
    let again = Earlier { same_records: Some(length), ..NOTHING };
    log.append(&[one.clone(), two.clone()], again, LOCK_TIMEOUT).unwrap();
    log.append(&[one.clone(), two.clone()], again, LOCK_TIMEOUT).unwrap();
    assert_eq!(lines(&sandbox.at(TraceLog::PATH)), [zero, one, two.clone()]);
    // A shorter trace is another one, of which all lines count.
    fs::write(sandbox.at(TraceLog::PATH).as_path(), "").unwrap();
    log.append(std::slice::from_ref(&two), again, LOCK_TIMEOUT).unwrap();
    log.append(std::slice::from_ref(&two), Earlier { same_records: Some(10_000), ..NOTHING }, LOCK_TIMEOUT)
        .unwrap();
    assert_eq!(lines(&sandbox.at(TraceLog::PATH)), [two]);
}

#[test]
fn a_trace_that_cannot_be_written_refuses() {
    let sandbox = Sandbox::with(&[("src/a.ts", "x")]);
    // A folder in place of the trace simulates a full disk.
    fs::create_dir_all(sandbox.at(TraceLog::PATH).as_path()).unwrap();
    log(&sandbox).append(&[record(&sandbox, "src/a.ts", "one")], NOTHING, LOCK_TIMEOUT).unwrap_err();
}

#[test]
fn a_line_a_killed_writer_left_half_done_is_taken_off() {
    let sandbox = Sandbox::with(&[("src/a.ts", "x")]);
    let log = log(&sandbox);
    log.append(&[record(&sandbox, "src/a.ts", "one")], NOTHING, LOCK_TIMEOUT).unwrap();
    let path = sandbox.at(TraceLog::PATH);
    let torn = fs::read_to_string(path.as_path()).unwrap() + "{\"intent_id\":\"INT";
    fs::write(path.as_path(), torn).unwrap();
    log.append(&[record(&sandbox, "src/a.ts", "two")], NOTHING, LOCK_TIMEOUT).unwrap();
    assert_eq!(lines(&path).len(), 2);
}

#[test]
fn what_a_call_made_of_a_file_is_told_by_its_bytes() {
    let sandbox = Sandbox::with(&[("a", "one\ntwo\n")]);
    let file = sandbox.at("a");
    let look = |before: Before, announced: Option<&str>| -> Option<FileChange> {
        file_change(&file, &before, announced).unwrap()
    };
    let changed = look(Before::Content(b"one\n".to_vec()), Some("one\ntwo\n")).unwrap();
    assert_eq!((changed.mutation_class, changed.conflict), (MutationClass::Modify, false));
    assert_eq!(changed.line_ranges.unwrap().len(), 1);
    assert!(look(Before::Absent, Some("something else")).unwrap().conflict);
    assert_eq!(look(Before::Unknown, None).unwrap().line_ranges, None);
    assert_eq!(look(Before::Content(b"one\ntwo\n".to_vec()), None), None);
    fs::remove_file(file.as_path()).unwrap();
    assert_eq!(look(Before::Content(b"one\n".to_vec()), None), None);
}
