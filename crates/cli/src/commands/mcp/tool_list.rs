//! The tools that an MCP server offers: starts it as an agent program would, asks, and ends it.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use dispatch::modules::shell_guard::DefinedServer;
use event::AbsPath;
use serde_json::{Value, json};

/// The time limit for each answer: a first start may download a package.
const ANSWER_TIMEOUT: Duration = Duration::from_mins(1);

/// The tools of a server.
pub(super) enum Listed {
    /// Description and schema of each, by name.
    Tools(BTreeMap<String, String>),
    /// Why they could not be listed.
    NotStarted(String),
}

/// Starts the server and lists its tools.
#[expect(
    clippy::disallowed_methods,
    reason = "it starts the server as an agent program does; the user asked for it"
)]
pub(super) fn list_tools(server: &DefinedServer, workspace: &AbsPath) -> Listed {
    let Some(entry) = &server.entry else {
        return Listed::NotStarted("steersman starts only servers that a JSON file defines".to_owned());
    };
    let Some(program) = entry.get("command").and_then(Value::as_str) else {
        return Listed::NotStarted("it is reached over the network".to_owned());
    };
    let words = entry.get("args").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let variables = entry.get("env").and_then(Value::as_object).into_iter().flatten();
    let variables = variables.filter_map(|(name, value)| Some((name, value.as_str()?)));
    let started = Command::new(program)
        .args(words)
        .envs(variables)
        .current_dir(workspace.as_path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = match started {
        Ok(child) => child,
        Err(error) => return Listed::NotStarted(format!("cannot start `{program}`: {error}")),
    };
    let tools = ask(&mut child);
    // A server stops at the end of its input; do not wait for one that does not.
    drop(child.stdin.take());
    let _ = child.kill();
    let _ = child.wait();
    match tools {
        Ok(tools) => Listed::Tools(tools),
        Err(error) => Listed::NotStarted(format!("{error:#}")),
    }
}

fn ask(child: &mut Child) -> anyhow::Result<BTreeMap<String, String>> {
    let client = json!({"name": "steersman", "version": env!("CARGO_PKG_VERSION")});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let lines = lines(child);
    send(child, &json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}));
    answer(&lines, 1)?;
    send(child, &json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    send(child, &json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}));
    let answer = answer(&lines, 2)?;
    let tools = answer["result"]["tools"].as_array().cloned().unwrap_or_default();
    Ok(tools.iter().filter_map(|tool| Some((tool["name"].as_str()?.to_owned(), described(tool)))).collect())
}

/// The description of a tool for a model, as text that a diff can compare.
fn described(tool: &Value) -> String {
    let kept = json!({"description": tool["description"], "inputSchema": tool["inputSchema"]});
    serde_json::to_string_pretty(&kept).unwrap_or_default() + "\n"
}

fn send(child: &mut Child, message: &Value) {
    if let Some(input) = child.stdin.as_mut() {
        // If the server has exited, reading its answer reports that.
        let _ = writeln!(input, "{message}").and_then(|()| input.flush());
    }
}

fn lines(child: &mut Child) -> Receiver<String> {
    let output = child.stdout.take();
    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        for line in output.map(BufReader::new).into_iter().flat_map(BufRead::lines).map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// Waits for the answer with this id; servers may send other messages before.
fn answer(lines: &Receiver<String>, id: u64) -> anyhow::Result<Value> {
    loop {
        let Ok(line) = lines.recv_timeout(ANSWER_TIMEOUT) else {
            anyhow::bail!("it does not answer");
        };
        let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
        if message["id"] == json!(id) {
            return Ok(message);
        }
    }
}
