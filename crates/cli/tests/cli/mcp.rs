//! `mcp`: the server on stdin and stdout, with a client that behaves like a host.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use serde_json::{Value, json};
use testkit::Sandbox;

const YAML: &str = "\
intents:
  - id: INT-001
    name: Login <page>
    status: PENDING
    owned_scope: [src/login/**]
  - id: INT-002
    name: Done
    status: COMPLETED
    owned_scope: [docs/**]
";

struct Server {
    child: Child,
    input: Option<ChildStdin>,
    lines: mpsc::Receiver<String>,
}

impl Server {
    fn start(sandbox: &Sandbox) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_steersman"))
            .arg("mcp")
            .current_dir(sandbox.root())
            .env("HOME", sandbox.elsewhere())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = mpsc::channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        Self { input: child.stdin.take(), child, lines }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn answer(&self) -> Value {
        let line = self.lines.recv_timeout(Duration::from_secs(30)).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.send(&json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}).to_string());
        loop {
            // An invalid request is answered without an id.
            let answer = self.answer();
            if answer["id"] == 7 {
                return answer;
            }
        }
    }

    fn begin(&mut self, version: &str) -> Value {
        let client = json!({"name": "test", "version": "1"});
        let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
        let answer = self.ask("initialize", &params);
        self.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        answer
    }

    /// Calls a tool; returns its text and whether it is an error.
    fn call(&mut self, tool: &str, arguments: &Value) -> (String, bool) {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
        (text, result["isError"] == true)
    }

    fn end(mut self) -> i32 {
        drop(self.input.take());
        self.child.wait().unwrap().code().unwrap()
    }
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new(env!("CARGO_BIN_EXE_steersman"));
    sandbox.write(".orchestration/active_intents.yaml", YAML);
    sandbox
}

#[test]
fn the_tools_do_what_they_say() {
    let sandbox = sandbox();
    let mut server = Server::start(&sandbox);
    let begun = server.begin("2025-06-18");
    assert_eq!(begun["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(begun["result"]["serverInfo"]["name"], "steersman");
    let tools = server.ask("tools/list", &json!({}));
    let mut names: Vec<&str> = tools["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(
        names,
        ["check_scope", "current_intent", "list_intents", "request_scope_expansion", "select_active_intent"]
    );
    // Hosts decide by these whether a call needs a person's approval.
    for tool in tools["result"]["tools"].as_array().unwrap() {
        let hints = &tool["annotations"];
        assert_eq!(hints["openWorldHint"], false, "{tool}");
        assert!(hints["readOnlyHint"] == true || hints["destructiveHint"] == false, "{tool}");
    }
    let (text, error) = server.call("current_intent", &json!({}));
    assert!(!error && text.contains("Call select_active_intent with one of these ids"), "{text}");
    let (text, error) = server.call("select_active_intent", &json!({"intent_id": "INT-001"}));
    assert!(!error && text.starts_with("<intent_context>\n  <intent_id>INT-001</intent_id>"), "{text}");
    assert!(text.contains("Login &lt;page&gt;") && text.contains("<status>IN_PROGRESS</status>"), "{text}");
    let file = std::fs::read_to_string(sandbox.path(".orchestration/active_intents.yaml")).unwrap();
    assert_eq!(file, YAML.replace("PENDING", "IN_PROGRESS"));
    let (text, error) = server.call("check_scope", &json!({"paths": ["src/login/a.ts", "src/b.ts"]}));
    let found: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((error, &found["allowed"], &found["intent_id"]), (false, &json!(false), &json!("INT-001")));
    assert_eq!(
        found["paths"][1]["message"],
        "Scope Violation: INT-001 is not authorized to edit src/b.ts. Request scope expansion."
    );
    let (text, error) = server.call("check_scope", &json!({"path": "src/login/a.ts"}));
    assert!(!error && text.contains("\"allowed\":true"), "one path by itself: {text}");
    let (text, error) = server.call("check_scope", &json!({"paths": []}));
    assert!(error && text.contains("`paths` is empty"), "{text}");
    let (text, error) = server.call("list_intents", &json!({}));
    let listed: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (error, &listed["intents"][0]["active"], &listed["intents"][1]["selectable"]),
        (false, &json!(true), &json!(false))
    );
    let asked = json!({"pattern": "src/b.ts", "reason": "it belongs together"});
    let (text, error) = server.call("request_scope_expansion", &asked);
    assert!(!error && text.contains("steersman intent expand --accept"), "{text}");
    let waiting = sandbox.call().args(["intent", "expand", "--json"]).run();
    let waiting: Value = serde_json::from_slice(&waiting.stdout).unwrap();
    let key = waiting["requests"][0]["request"].as_str().unwrap();
    sandbox.call().args(["intent", "expand", "--decline", key]).run();
    let (text, error) = server.call("request_scope_expansion", &asked);
    assert!(error && text.contains("a person declined src/b.ts for INT-001"), "{text}");
    assert_eq!(server.end(), 0);
}

#[test]
fn refusals_are_results_that_say_what_to_do() {
    let sandbox = sandbox();
    let mut server = Server::start(&sandbox);
    server.begin("2025-06-18");
    for (tool, arguments, expected) in [
        ("select_active_intent", json!({"intent_id": "INT-002"}), "it is COMPLETED"),
        (
            "select_active_intent",
            json!({"intent_id": "INT-9"}),
            "unknown intent `INT-9` (known: INT-001, INT-002)",
        ),
        ("select_active_intent", json!({"intentId": "login"}), "`login` is not an intent id"),
        ("request_scope_expansion", json!({"pattern": "x", "reason": "y"}), "No active intent selected."),
        (
            "request_scope_expansion",
            json!({"intent_id": "INT-001", "pattern": "../x", "reason": "y"}),
            "contains `..`",
        ),
    ] {
        let (text, error) = server.call(tool, &arguments);
        assert!(error && text.contains(expected), "{tool} {arguments}: {text}");
    }
    sandbox.write(".orchestration/active_intents.yaml", "intents: 7\n");
    let (text, error) = server.call("select_active_intent", &json!({"intent_id": "INT-001"}));
    assert!(error && text.starts_with("Invalid active_intents.yaml: "), "{text}");
    std::fs::remove_file(sandbox.path(".orchestration/active_intents.yaml")).unwrap();
    let (text, error) = server.call("current_intent", &json!({}));
    assert!(!error && text.starts_with("There are no intents in this workspace"), "{text}");
}

#[test]
fn what_is_malformed_does_not_end_it() {
    let sandbox = sandbox();
    let mut server = Server::start(&sandbox);
    server.begin("2025-06-18");
    for line in ["", "{", "[]", "null", "\u{1}", r#"{"jsonrpc":"2.0"}"#, "not json at all"] {
        server.send(line);
    }
    let answer = server.ask("tools/call", &json!({"name": "select_active_intent", "arguments": {}}));
    let said = answer.to_string();
    assert!(said.contains("intent_id"), "the missing field is named: {said}");
    let answer = server.ask("tools/call", &json!({"name": "no_such_tool", "arguments": {}}));
    assert!(answer["error"].is_object() || answer["result"]["isError"] == true, "{answer}");
    assert!(!server.call("current_intent", &json!({})).1);
    assert_eq!(server.end(), 0);
}

#[test]
fn an_unknown_version_is_answered_with_a_supported_one() {
    let sandbox = sandbox();
    let mut server = Server::start(&sandbox);
    let begun = server.begin("1999-01-01");
    let version = begun["result"]["protocolVersion"].as_str().unwrap_or_default();
    assert!(version.starts_with("202"), "{begun}");
}

#[test]
fn it_ends_with_its_input_even_before_it_began() {
    let sandbox = sandbox();
    assert_eq!(Server::start(&sandbox).end(), 0);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it() {
    let sandbox = sandbox();
    let mut server = Server::start(&sandbox);
    server.begin("2025-06-18");
    let id = server.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
}

#[test]
fn the_sdks_own_client_gets_along_with_the_program() {
    let sandbox = sandbox();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut program = tokio::process::Command::new(env!("CARGO_BIN_EXE_steersman"))
            .args(["mcp", "--workspace"])
            .arg(sandbox.root())
            .current_dir(sandbox.elsewhere())
            .env("HOME", sandbox.elsewhere())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let pipes = (program.stdout.take().unwrap(), program.stdin.take().unwrap());
        let client = ().serve(pipes).await.unwrap();
        assert_eq!(client.peer_info().unwrap().server_info.as_ref().unwrap().name, "steersman");
        let tools = client.list_all_tools().await.unwrap();
        assert_eq!(tools.len(), 5);
        for tool in &tools {
            assert!(tool.description.as_ref().is_some_and(|text| text.len() > 20), "{}", tool.name);
            assert_eq!(tool.input_schema["type"], "object", "{}", tool.name);
        }
        let call = |name: &'static str, arguments: Value| {
            let call =
                CallToolRequestParams::new(name).with_arguments(arguments.as_object().unwrap().clone());
            let client = &client;
            async move { serde_json::to_value(client.call_tool(call).await.unwrap()).unwrap() }
        };
        let listed = call("list_intents", json!({})).await;
        assert_eq!(listed["structuredContent"]["intents"][0]["id"], "INT-001", "{listed}");
        let selected = call("select_active_intent", json!({"intent_id": "INT-001"})).await;
        let text = selected["content"][0]["text"].as_str().unwrap();
        assert!(text.starts_with("<intent_context>") && selected["isError"] == false, "{selected}");
        let checked = call("check_scope", json!({"paths": ["src/login/a.ts", "src/b.ts"]})).await;
        assert_eq!(checked["structuredContent"]["paths"][0]["allowed"], true, "{checked}");
        assert_eq!(checked["structuredContent"]["paths"][1]["allowed"], false, "{checked}");
        let refused = call("select_active_intent", json!({"intent_id": "INT-002"})).await;
        assert_eq!(refused["isError"], true, "{refused}");
        client.cancel().await.unwrap();
        let ended = tokio::time::timeout(Duration::from_mins(1), program.wait()).await;
        assert_eq!(ended.expect("it ends with its input").unwrap().code(), Some(0));
    });
}
