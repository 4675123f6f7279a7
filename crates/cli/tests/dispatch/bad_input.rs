//! For any input: one object, exit code 0, nothing on stderr, in time.

use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use serde_json::{Value, json};
use testkit::{Answer, Sandbox, schema};

use crate::{js, sandbox, sandbox_with};

/// A host that does not finish its payload has two seconds; the rest is slack.
const IN_TIME: Duration = Duration::from_secs(8);

const NO_RM: (&str, &str) = (
    "no-rm",
    "if (ctx.event.command?.includes('rm -rf')) return { decision: 'deny', denyReason: 'Use trash.' }",
);

fn judge(sandbox: &Sandbox, stdin: impl Into<Vec<u8>>) -> Value {
    let answer = sandbox.dispatch("raw", "PreToolUse").stdin(stdin).run().object_within(IN_TIME);
    schema::check("hook-output", &answer);
    sandbox.check_everything();
    answer
}

fn is_warned(answer: &Value, of: &str) {
    assert_eq!(answer["decision"], "allow", "{answer}");
    assert!(answer["warnings"].to_string().contains(of), "{answer}");
}

#[test]
fn an_invalid_payload_is_reported() {
    let sandbox = sandbox();
    let tower = "[".repeat(1_000_000);
    for (stdin, problem) in [
        (b"".to_vec(), "no hook payload"),
        (b" \n\t ".to_vec(), "no hook payload"),
        (b"\xEF\xBB\xBF".to_vec(), "no hook payload"),
        (b"{\"tool_name\":".to_vec(), "ends before"),
        (b"{\"tool_name\":\"Ba".to_vec(), "ends before"),
        (b"null".to_vec(), "not a JSON object"),
        (b"[{}]".to_vec(), "not a JSON object"),
        (b"hello".to_vec(), "not a JSON object"),
        (b"\x00\x01\x02".to_vec(), "not a JSON object"),
        (b"\xFF\xFE{\x00}\x00".to_vec(), "not a JSON object"),
        (b"{]}".to_vec(), "not valid JSON"),
        (b"{'a': 1}".to_vec(), "not valid JSON"),
        (b"{}".to_vec(), "tool_name"),
        (tower.into_bytes(), "not a JSON object"),
    ] {
        let shown = String::from_utf8_lossy(&stdin[..stdin.len().min(40)]).into_owned();
        let answer = judge(&sandbox, stdin);
        assert!(answer["warnings"].to_string().contains(problem), "{shown:?}: {answer}");
        assert!(sandbox.dispatch_log().contains(problem), "{shown:?}");
    }
}

#[test]
fn more_than_32_mebibytes_are_not_read() {
    let sandbox = sandbox();
    let mut stdin = b"{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"".to_vec();
    stdin.resize(33 << 20, b'x');
    stdin.extend_from_slice(b"\"}}");
    // A busy machine may need longer for that much input than the time limit.
    let told = |answer: &Value| answer.get("warnings").is_some();
    let answer =
        (0..10).map(|_| judge(&sandbox, stdin.clone())).find(told).expect("one of ten is read in time");
    is_warned(&answer, "larger than 32 MiB");
}

/// The text of a call with a denied command, and an oddity beside or inside it.
fn refused_call(sandbox: &Sandbox, oddity: &str) -> Vec<u8> {
    let cwd = json!(sandbox.root());
    let rest = format!("\"tool_name\":\"Bash\",\"cwd\":{cwd},\"session_id\":\"s\"");
    format!("{{{rest},\"tool_input\":{{\"command\":\"rm -rf x\"{oddity}}}}}").into_bytes()
}

#[test]
fn what_a_model_puts_beside_a_command_does_not_hide_it() {
    let sandbox = js::sandbox(&[NO_RM], json!({}));
    let tower = format!(",\"x\":{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let objects = format!(",\"x\":{}1{}", "{\"a\":".repeat(5000), "}".repeat(5000));
    for (what, oddity) in [
        ("nothing", ""),
        ("a tower of brackets", tower.as_str()),
        ("a tower of braces", &objects),
        ("half a surrogate", ",\"x\":\"\\ud800\""),
        ("half a surrogate in a key", ",\"\\udc00\":1"),
        ("a number beyond all numbers", ",\"x\":1e999"),
        ("a number of many digits", ",\"x\":-123456789012345678901234567890"),
        ("a raw line break in a text", ",\"x\":\"a\nb\""),
        ("a raw tab in a text", ",\"x\":\"a\tb\""),
        ("a NUL in a text", ",\"x\":\"\\u0000\""),
        ("what other languages call a number", ",\"x\":[NaN,-Infinity,Infinity]"),
        ("the same key again", ",\"command\":\"rm -rf y\""),
    ] {
        assert_eq!(judge(&sandbox, refused_call(&sandbox, oddity))["decision"], "deny", "{what}");
    }
}

#[test]
fn what_a_model_puts_into_a_command_does_not_hide_it() {
    let sandbox = js::sandbox(&[NO_RM], json!({}));
    for command in ["rm -rf \\ud800", "\\udfff; rm -rf x", "\\ud83d\\ude00 rm -rf x", "\\u0000 rm -rf x"] {
        let stdin = format!("{{\"tool_name\":\"Bash\",\"tool_input\":{{\"command\":\"{command}\"}}}}");
        assert_eq!(judge(&sandbox, stdin)["decision"], "deny", "{command}");
    }
    let mut stdin =
        b"{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"\xFF\xC0 rm -rf x \xED\xA0\x80\"}}".to_vec();
    assert_eq!(judge(&sandbox, stdin.clone())["decision"], "deny", "not UTF-8");
    stdin.splice(0..0, *b"\xEF\xBB\xBF");
    assert_eq!(judge(&sandbox, stdin)["decision"], "deny", "a byte-order mark as well");
}

/// Copilot and others send the input as a string that contains a JSON object.
#[test]
fn an_input_that_is_sent_as_text_is_read_as_forgivingly() {
    let sandbox = js::sandbox(&[NO_RM], json!({}));
    let tower = format!(",\"x\":{}1{}", "[".repeat(500), "]".repeat(500));
    for oddity in ["", ",\"x\":\"\\ud800\"", ",\"x\":1e999", &tower] {
        let args = format!("{{\"command\":\"rm -rf x\"{oddity}}}");
        let payload = json!({"sessionId": "s", "timestamp": 1, "cwd": sandbox.root(), "toolName": "bash", "toolArgs": args});
        let answer = sandbox.ask("copilot-cli", "preToolUse", &payload);
        assert_eq!(answer["permissionDecision"], "deny", "{oddity:.30}");
    }
}

#[test]
fn only_the_first_of_two_objects_counts() {
    let sandbox = js::sandbox(&[NO_RM], json!({}));
    let mut stdin = refused_call(&sandbox, "");
    stdin.extend_from_slice(b"{\"tool_name\":\"Read\",\"tool_input\":{}}garbage");
    assert_eq!(judge(&sandbox, stdin)["decision"], "deny");
}

#[test]
fn numbers_where_texts_belong_are_taken_as_they_come() {
    let sandbox = sandbox();
    for odd in
        [json!(7), json!(-1.5), json!(true), json!(null), json!([]), json!({}), json!(["a"]), json!("")]
    {
        for field in [
            "session_id",
            "cwd",
            "transcript_path",
            "tool_use_id",
            "tool_input",
            "tool_name",
            "agent_id",
            "agent_type",
            "model",
            "permission_mode",
            "hook_event_name",
            "timestamp",
        ] {
            let mut payload = testkit::payload::raw("PreToolUse", &sandbox.root(), &crate::shell("t1", "ls"));
            payload[field] = odd.clone();
            judge(&sandbox, payload.to_string());
        }
    }
}

#[test]
fn dispatch_does_not_wait_for_stdin_to_close() {
    let sandbox = sandbox();
    let call = sandbox.dispatch("raw", "PreToolUse").stdin(refused_call(&sandbox, "")).keeping_stdin_open();
    let answer = call.run();
    assert_eq!(answer.object_within(IN_TIME)["decision"], "allow");
    assert_eq!(sandbox.session().events_of("HOOK_RUN").len(), 1);
}

fn silent(sandbox: &Sandbox, host: &str, stdin: &str) -> Answer {
    sandbox.dispatch(host, "PreToolUse").stdin(stdin).keeping_stdin_open().run()
}

#[test]
fn a_host_that_does_not_finish_is_answered_after_two_seconds() {
    let sandbox = sandbox();
    for stdin in ["", "{\"tool_name\":\"Bash\""] {
        let answer = silent(&sandbox, "raw", stdin);
        let object = answer.object_within(IN_TIME);
        schema::check("hook-output", &object);
        is_warned(&object, "2 seconds");
        assert!(answer.took >= Duration::from_millis(1900), "{:?}", answer.took);
    }
    assert_eq!(sandbox.dispatch_log().matches("2 seconds").count(), 2);
    assert!(silent(&sandbox, "claude-code", "").object()["systemMessage"].is_string());
    sandbox.check_everything();
}

#[test]
fn a_host_that_does_not_finish_is_refused_when_the_manifest_says_so() {
    let sandbox = sandbox_with(json!({"onFault": "deny"}));
    assert_eq!(silent(&sandbox, "raw", "{").object_within(IN_TIME)["decision"], "deny");
}

#[test]
fn a_payload_may_come_in_pieces() {
    let sandbox = js::sandbox(&[NO_RM], json!({}));
    let mut child = sandbox.dispatch("raw", "PreToolUse").start();
    let mut stdin = child.stdin.take().unwrap();
    for piece in refused_call(&sandbox, "").chunks(30) {
        stdin.write_all(piece).unwrap();
        stdin.flush().unwrap();
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["decision"], "deny");
    drop(stdin);
}

#[test]
fn an_odd_command_line_is_accepted() {
    let sandbox = sandbox();
    let payload = testkit::payload::recorded("claude", "PreToolUse_Bash", &sandbox.root()).payload;
    let long = "x".repeat(100_000);
    let not_text = std::ffi::OsStr::from_bytes(b"\xFF\xFE").to_owned();
    for args in [
        vec![],
        vec!["--host"],
        vec!["--workspace"],
        vec!["--host", "--workspace", "--host="],
        vec!["PreToolUse", "PostToolUse", "Stop"],
        vec!["--", "-x", "--help", "--version", "-h"],
        vec!["", " ", "\n", "--=", "--host=\u{1F600}"],
        vec!["../../etc/passwd", "--workspace=\u{202E}"],
        vec![&long, "--host", &long],
    ] {
        let call = sandbox.call().args(["dispatch"]).args(&args).payload(&payload);
        call.run().object_within(IN_TIME);
    }
    let call = sandbox.call().args(["dispatch"]).args([&not_text]).args(["--host"]).args([&not_text]);
    call.payload(&payload).run().object_within(IN_TIME);
    sandbox.check_everything();
}

#[test]
fn a_host_that_does_not_listen_does_no_harm() {
    let sandbox = sandbox();
    let mut child = sandbox.dispatch("raw", "PreToolUse").start();
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(&refused_call(&sandbox, "")).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
    assert_eq!(sandbox.session().events_of("HOOK_RUN").len(), 1);
}
