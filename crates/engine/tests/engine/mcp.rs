//! Tools of MCP servers, with a scripted server that speaks the protocol over its pipes.

use std::time::Duration;

use automation::{Action, Mcp, OccurrenceKind, SelectedTool, Status};
use serde_json::json;

use crate::stage::{Stage, automation};

/// Returns a script that answers the initialization, then runs `then` with the call in `$call` and
/// its id in `$id`.
fn server(then: &str) -> String {
    format!(
        r#"id_of() {{ printf '%s' "$1" | sed 's/.*"id":\([0-9]*\).*/\1/'; }}
read -r hello
printf '{{"jsonrpc":"2.0","id":%s,"result":{{"protocolVersion":"2025-06-18","capabilities":{{"tools":{{}}}},"serverInfo":{{"name":"s","version":"1"}}}}}}\n' "$(id_of "$hello")"
read -r ready
read -r call
id=$(id_of "$call")
printf '%s' "$call" > call
answer() {{ printf '{{"jsonrpc":"2.0","id":%s,"result":%s}}\n' "$id" "$1"; }}
{then}"#
    )
}

fn stage(script: &str) -> Stage {
    let stage = Stage::new();
    stage.program("docs-server", script);
    let settings = json!({"mcpServers": {"docs": {"command": "docs-server", "env": {"FROM": "settings"}}}});
    std::fs::write(stage.path(".mcp.json"), settings.to_string()).unwrap();
    stage
}

fn hook(server: &str) -> automation::Automation {
    let tool = SelectedTool { server: server.into(), tool: "look".into() };
    let arguments = json!({"q": "{name}!", "deep": [{"n": 1, "t": "{name}"}]}).as_object().unwrap().clone();
    automation("a", Action::Mcp(Mcp { tool, arguments }))
}

fn called_with(name: &str) -> OccurrenceKind {
    let data = json!({"name": name}).as_object().unwrap().clone();
    OccurrenceKind::Custom { name: "a".into(), path: None, data }
}

#[test]
fn a_tool_is_called_with_its_arguments_filled_in_and_its_answer_is_kept_without_secrets() {
    let secret = concat!("ghp_", "abcdefghijklmnopqrstuvwxyz0123456789");
    let stage = stage(&server(&format!(
        "answer '{{\"content\":[{{\"type\":\"text\",\"text\":\"found {secret}\"}},{{\"type\":\"image\",\"data\":\"AA==\",\"mimeType\":\"image/png\"}}]}}'\necho \"from $FROM\" >&2"
    )));
    let mut engine = stage.engine(&[hook("docs")]);
    engine.offer([called_with("it\" is $(touch hacked)")]);
    engine.finish();
    let record = stage.records().remove(0);
    assert_eq!(record.status, Status::Success, "{record:?}");
    assert_eq!(record.logs.unwrap(), "found [REDACTED]\n[image]\n[stderr]\nfrom settings\n");
    let call: serde_json::Value = serde_json::from_str(&stage.read("call")).unwrap();
    let name = "it\" is $(touch hacked)";
    assert_eq!(call["method"], "tools/call");
    assert_eq!(call["params"]["name"], "look");
    assert_eq!(call["params"]["arguments"], json!({"q": format!("{name}!"), "deep": [{"n": 1, "t": name}]}));
    assert!(!stage.path("hacked").exists());
}

#[test]
fn a_tool_that_fails_and_a_server_that_cannot_be_asked_are_failures_that_say_why() {
    for (script, code, said) in [
        (
            server("answer '{\"content\":[{\"type\":\"text\",\"text\":\"no such page\"}],\"isError\":true}'"),
            "MCP_TOOL",
            "the tool `docs/look` reports that it failed",
        ),
        (
            server(
                "printf '{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32602,\"message\":\"bad\"}}\\n' $id",
            ),
            "MCP",
            "bad",
        ),
        ("echo 'I am no server'; exit 3".to_owned(), "MCP", "cannot call the MCP tool `docs/look`: "),
        (server("exit 0"), "MCP", "cannot call the MCP tool `docs/look`: "),
    ] {
        let stage = stage(&script);
        let mut engine = stage.engine(&[hook("docs")]);
        engine.offer([called_with("x")]);
        engine.finish();
        let record = stage.records().remove(0);
        let error = record.error.clone().unwrap();
        assert_eq!((record.status, error.code.as_str()), (Status::Failed, code), "{record:?}");
        assert!(error.message.contains(said), "{record:?}");
    }
}

#[test]
fn a_server_that_is_not_named_or_not_there_is_told_before_anything_runs() {
    for (name, code) in [("dosc", "NO_SUCH_SERVER"), ("docs", "CLI_NOT_INSTALLED")] {
        let stage = stage("true");
        std::fs::remove_file(stage.dir.path().join("bin/docs-server")).unwrap();
        let mut engine = stage.engine(&[hook(name)]);
        engine.offer([called_with("x")]);
        engine.finish();
        assert_eq!(stage.records()[0].error.as_ref().unwrap().code, code);
    }
}

#[test]
fn a_server_that_never_answers_runs_out_of_time_and_nothing_of_it_is_left() {
    let stage = stage(&server("trap '' TERM; (trap '' TERM; echo $$ > child; sleep 600) & wait; sleep 600"));
    let mut slow = hook("docs");
    slow.timeout = Duration::from_secs(3);
    let mut engine = stage.engine(&[slow]);
    engine.offer([called_with("x")]);
    engine.finish();
    let record = stage.records().remove(0);
    assert_eq!(record.status, Status::Timeout, "{record:?}");
    assert_eq!(runner::end_leftovers(record.id.as_str()), 0, "no process outlives the run");
}

#[test]
fn a_server_that_floods_its_output_is_not_listened_to_for_ever() {
    let stage = stage("yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | tr -d '\\n'");
    let mut engine = stage.engine(&[hook("docs")]);
    engine.offer([called_with("x")]);
    engine.finish();
    let record = stage.records().remove(0);
    assert_eq!((record.status, record.error.unwrap().code), (Status::Failed, "MCP".to_owned()));
}
