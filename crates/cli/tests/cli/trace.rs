//! `trace …`: which intent wrote which lines.

use std::fs;

use expect_test::{Expect, expect};
use intent::ContentHash;
use intent::trace::LineMarks;
use serde_json::{Value, json};
use testkit::{Sandbox, schema};

const TRACE: &str = ".orchestration/agent_trace.jsonl";

/// A file that one intent created and another extended, with the journal of the second write.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new(env!("CARGO_BIN_EXE_steersman"));
    let (first, second) = ("one\ntwo\n", "zero\none\ntwo\n");
    let line = |intent: &str, file: &str, class: &str, content: &str, ranges: &Value, second: u32| {
        let record = json!({
            "intent_id": intent, "content_hash": ContentHash::of(content.as_bytes()).as_str(),
            "file_path": file, "mutation_class": class, "line_ranges": ranges,
            "timestamp": format!("2026-02-16T10:30:{second:02}Z"), "tool_name": "Write",
        });
        schema::check("trace-record", &record);
        format!("{record}\n")
    };
    let trace = [
        line("INT-001", "src/a.txt", "CREATE", first, &json!([{"start": 1, "end": 2}]), 1),
        line("INT-002", "src/a.txt", "MODIFY", second, &json!([{"start": 1, "end": 1}]), 2),
        line("INT-001", "docs/b.md", "CREATE", "b\n", &json!([{"start": 1, "end": 1}]), 3),
    ];
    sandbox.write(TRACE, trace.concat());
    sandbox.write("src/a.txt", second);
    let record = |kind: &str, data: Value| {
        let record = json!({
            "v": 1, "ts": 1, "type": kind, "hookRunId": "r", "sessionId": "0badcafe", "workId": "w001",
            "agentId": "u00", "turnId": 1, "module": "intent", "data": data,
        });
        format!("{record}\n")
    };
    let written = json!({
        "intentId": "INT-002", "file": "src/a.txt", "class": "MODIFY",
        "before": ContentHash::of(first.as_bytes()).as_str(), "after": ContentHash::of(second.as_bytes()).as_str(),
        "hunks": [[0, 0, 0, 1]],
    });
    let journal = [
        record("FILE_WRITTEN", written),
        record("INTENT_DENIED", json!({"intentId": "INT-002", "why": "out-of-scope", "files": ["x"]})),
        record("INTENT_DENIED", json!({"why": "no-intent"})),
    ];
    sandbox.write(".ai/tmp/0badcafe/events.jsonl", journal.concat());
    sandbox
}

fn said(sandbox: &Sandbox, args: &[&str]) -> String {
    let args = ["trace"].iter().chain(args);
    let answer = sandbox.call().args(args).env("COLUMNS", "100").run();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    format!("{}{}exit {}\n", text(&answer.stdout), text(&answer.stderr), answer.code.unwrap())
}

fn json_of(sandbox: &Sandbox, args: &[&str]) -> Value {
    let args = ["trace"].iter().chain(args).chain(&["--json"]);
    serde_json::from_slice(&sandbox.call().args(args).run().stdout).unwrap()
}

fn check(sandbox: &Sandbox, args: &[&str], expected: &Expect) {
    expected.assert_eq(&said(sandbox, args));
}

#[test]
fn the_log_shows_the_latest_first_and_can_be_narrowed() {
    let sandbox = sandbox();
    check(
        &sandbox,
        &["log"],
        &expect![[r#"
        WHEN, UTC            INTENT   WHAT    FILE       LINES  TOOL   COMMIT
        2026-02-16 10:30:03  INT-001  create  docs/b.md  1      Write  –
        2026-02-16 10:30:02  INT-002  modify  src/a.txt  1      Write  –
        2026-02-16 10:30:01  INT-001  create  src/a.txt  1-2    Write  –
        exit 0
    "#]],
    );
    check(
        &sandbox,
        &["log", "--intent", "INT-002"],
        &expect![[r#"
        WHEN, UTC            INTENT   WHAT    FILE       LINES  TOOL   COMMIT
        2026-02-16 10:30:02  INT-002  modify  src/a.txt  1      Write  –
        exit 0
    "#]],
    );
    let files = |args: &[&str]| -> Vec<String> {
        let records = json_of(&sandbox, args)["records"].clone();
        records.as_array().unwrap().iter().map(|it| it["file_path"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(files(&["log", "--file", "src"]), ["src/a.txt", "src/a.txt"]);
    assert_eq!(files(&["log", "--file", "docs/b.md"]), ["docs/b.md"]);
    assert_eq!(files(&["log", "--since", "2026-02-16T10:30:02"]), ["docs/b.md", "src/a.txt"]);
    assert_eq!(files(&["log", "--until", "2026-02-16T10:30:02"]), ["src/a.txt"]);
    assert_eq!(files(&["log", "-n", "1"]), ["docs/b.md"]);
    assert_eq!(files(&["log", "--since", "1h"]), Vec::<String>::new());
}

#[test]
fn blame_follows_lines_that_a_later_write_moved() {
    let sandbox = sandbox();
    check(
        &sandbox,
        &["blame", "src/a.txt"],
        &expect![[r#"
        INT-002  0badcafe  2026-02-16 10:30:02  1 │ zero
        INT-001            2026-02-16 10:30:01  2 │ one
        INT-001            2026-02-16 10:30:01  3 │ two
        exit 0
    "#]],
    );
    check(
        &sandbox,
        &["blame", "src/a.txt:1"],
        &expect![[r#"
        INT-002  0badcafe  2026-02-16 10:30:02  1 │ zero
        exit 0
    "#]],
    );
    let lines = json_of(&sandbox, &["blame", "src/a.txt"])["lines"].clone();
    assert_eq!(
        lines[0],
        json!({
            "line": 1, "author": "agent", "intent": "INT-002", "session": "0badcafe",
            "timestamp": "2026-02-16T10:30:02Z", "tool": "Write", "certain": true, "text": "zero",
        })
    );
    assert_eq!(lines[2]["intent"], "INT-001");
    check(
        &sandbox,
        &["blame", "src/a.txt:9"],
        &expect![[r#"
        error: `src/a.txt` has no line 9
        exit 1
    "#]],
    );
    check(
        &sandbox,
        &["blame", "nowhere.txt"],
        &expect![[r#"
        error: the file `nowhere.txt` does not exist
        hint: run `steersman trace log --file nowhere.txt` for its earlier writes
        exit 1
    "#]],
    );
}

#[test]
fn lines_without_a_trace_are_a_persons() {
    let sandbox = sandbox();
    sandbox.write("mine.txt", "by hand\n");
    check(
        &sandbox,
        &["blame", "mine.txt"],
        &expect![[r#"
        person                                 1 │ by hand
        .orchestration/agent_trace.jsonl has no record of this file
        exit 0
    "#]],
    );
    let git = |args: &[&str]| {
        let status =
            std::process::Command::new("git").args(args).current_dir(sandbox.root()).output().unwrap().status;
        assert!(status.success(), "{args:?}");
    };
    fs::remove_dir_all(sandbox.path(".git")).unwrap();
    git(&["init", "-q"]);
    git(&["add", "src"]);
    git(&["-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x"]);
    sandbox.write("src/a.txt", "zero\nmine\none\ntwo\n");
    check(
        &sandbox,
        &["blame", "src/a.txt"],
        &expect![[r#"
        INT-002  0badcafe  2026-02-16 10:30:02  1 │ zero
        person                                  2 │ mine
        INT-001            2026-02-16 10:30:01  3 │ one
        INT-001            2026-02-16 10:30:01  4 │ two
        exit 0
    "#]],
    );
}

#[test]
fn blame_recognises_an_agents_lines_after_edits_by_a_person() {
    let sandbox = Sandbox::new(env!("CARGO_BIN_EXE_steersman"));
    let content = "one\ntwo\nthree\n";
    let hash = ContentHash::of(content.as_bytes());
    let record = json!({
        "intent_id": "INT-001", "content_hash": hash.as_str(), "file_path": "src/a.txt",
        "mutation_class": "CREATE", "line_ranges": [{"start": 1, "end": 3}],
        "timestamp": "2026-02-16T10:30:01Z", "tool_name": "Write",
    });
    sandbox.write(TRACE, format!("{record}\n"));
    let written = json!({
        "v": 1, "ts": 1, "type": "FILE_WRITTEN", "hookRunId": "r", "sessionId": "0badcafe", "workId": "w001",
        "agentId": "u00", "turnId": 1, "module": "intent", "data": {
            "intentId": "INT-001", "file": "src/a.txt", "class": "CREATE", "after": hash.as_str(),
            "hunks": [[0, 0, 0, 3]], "marks": LineMarks::of(content.as_bytes()).kept(),
        },
    });
    sandbox.write(".ai/tmp/0badcafe/events.jsonl", format!("{written}\n"));
    sandbox.write("src/a.txt", "mine\none\nTWO\nthree\n");
    check(
        &sandbox,
        &["blame", "src/a.txt"],
        &expect![[r#"
        person                                  1 │ mine
        INT-001  0badcafe  2026-02-16 10:30:01  2 │ one
        person                                  3 │ TWO
        INT-001  0badcafe  2026-02-16 10:30:01  4 │ three
        exit 0
    "#]],
    );
    fs::remove_file(sandbox.path("src/a.txt")).unwrap();
    sandbox.write("src/renamed.txt", content);
    check(
        &sandbox,
        &["blame", "src/renamed.txt:2"],
        &expect![[r#"
        INT-001  0badcafe  2026-02-16 10:30:01  2 │ two
        exit 0
    "#]],
    );
}

#[test]
fn verify_checks_the_trace_against_the_files() {
    let sandbox = sandbox();
    check(
        &sandbox,
        &["verify"],
        &expect![[r#"
            - docs/b.md  missing
            ✓ 2 files were written by agents: 1 unchanged, 0 changed outside, 1 missing
            ~ 2 lines are unverifiable: their journals are not on this machine
            exit 0
        "#]],
    );
    sandbox.write("src/a.txt", "changed\n");
    sandbox.write(TRACE, fs::read_to_string(sandbox.path(TRACE)).unwrap() + "{\"torn\":\n");
    check(
        &sandbox,
        &["verify"],
        &expect![[r#"
            ~ src/a.txt  changed outside
            - docs/b.md  missing
            ✗ .orchestration/agent_trace.jsonl:4  not a trace record: EOF while parsing a value at line 1 column 8
            ✗ 2 files were written by agents: 0 unchanged, 1 changed outside, 1 missing
            ~ 2 lines are unverifiable: their journals are not on this machine
            error: 1 line of .orchestration/agent_trace.jsonl is malformed
            hint: compare the trace with its version in git to find the change; steersman only appends to it
            exit 1
        "#]],
    );
    let found = json_of(&sandbox, &["verify"]);
    assert_eq!((&found["whole"], &found["broken"][0]["line"]), (&json!(false), &json!(4)));
    assert!(said(&sandbox, &["log"]).contains("warning: 1 line of"), "other commands read on");
}

#[test]
fn stats_count_writes_and_refusals() {
    let sandbox = sandbox();
    check(
        &sandbox,
        &["stats"],
        &expect![[r#"
            INTENT   FILES  WRITES  LINES                DENIED                LAST, UTC
            (none)       0       0      0                     1  ████████████  –
            INT-001      2       2      3  ████████████       0                2026-02-16 10:30:03
            INT-002      1       1      1  ████               1  ████████████  2026-02-16 10:30:02
            exit 0
        "#]],
    );
    let stats = json_of(&sandbox, &["stats"]);
    assert_eq!(
        stats["intents"][0],
        json!({"intent": null, "files": 0, "writes": 0, "lines": 0, "denials": 1, "from": null, "to": null})
    );
}

#[test]
fn the_trace_can_be_exported() {
    let sandbox = sandbox();
    check(
        &sandbox,
        &["export", "--format", "csv", "--intent", "INT-002"],
        &expect![[r#"
        intent_id,content_hash,file_path,mutation_class,line_ranges,timestamp,tool_name,git_sha
        INT-002,08debd07cb8472cbfdec996dd46fd6e42c80eeae187e27dc3fb29e91f6239581,src/a.txt,MODIFY,1-1,2026-02-16T10:30:02Z,Write,
        exit 0
    "#]],
    );
    let answer = sandbox.call().args(["trace", "export", "--format", "agent-trace"]).run();
    let lines = String::from_utf8(answer.stdout).unwrap();
    assert_eq!(lines.lines().count(), 3);
    let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!((&first["version"], &first["files"][0]["path"]), (&json!("0.1.0"), &json!("src/a.txt")));
    assert!(said(&sandbox, &["export"]).ends_with("exit 2\n"));
}

#[test]
fn a_workspace_without_a_trace_is_no_fault() {
    let sandbox = Sandbox::new(env!("CARGO_BIN_EXE_steersman"));
    check(
        &sandbox,
        &["log"],
        &expect![[r#"
        the trace of this workspace is empty
        hint: steersman traces the writes of agents in a workspace with intents; run `steersman intent list`
        exit 0
    "#]],
    );
    check(
        &sandbox,
        &["stats"],
        &expect![[r#"
        the trace of this workspace is empty
        hint: steersman traces the writes of agents in a workspace with intents; run `steersman intent list`
        exit 0
    "#]],
    );
    check(
        &sandbox,
        &["verify"],
        &expect![[r#"
        ✓ 0 files were written by agents: 0 unchanged, 0 changed outside, 0 missing
        exit 0
    "#]],
    );
}
