//! A call of a tool of an MCP server, which is started for it and ended after it.

use std::process::{ChildStdin, ChildStdout};

use automation::{Mcp, McpServer, State, Template};
use redact::Redacted;
use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, CallToolResult};
use runner::Invocation;
use serde_json::{Map, Value};
use tokio::io::AsyncReadExt;

use super::Enter;
use crate::bench::{Bench, told};
use crate::ending::Ending;

/// The most a server may say; one that says more is not listened to any longer.
const MAX_SAID: u64 = 16 << 20;

/// What came of a call.
type Answer = Result<CallToolResult, String>;

/// Starts the server, calls the tool and ends the server.
pub(super) fn perform(bench: &Bench<'_>, mcp: &Mcp, enter: Enter<'_>) -> Result<Ending, Ending> {
    let settings = bench.settings;
    let variable = |name: &str| settings.environment.get(name)?.to_str().map(str::to_owned);
    let server =
        McpServer::find(settings.workspace.root(), &bench.member.workspace, &mcp.tool.server, &variable)
            .map_err(|error| {
                Ending::failure("NO_SUCH_SERVER", bench.redact(&error.to_string()).into_string())
            })?;
    let program = bench.find(&server.command)?;
    enter(State::Replacing);
    let arguments: Map<String, Value> =
        mcp.arguments.iter().map(|(name, value)| (name.clone(), filled(bench, value))).collect();
    enter(State::Executing);
    let invocation = Invocation::command(program, server.args, &Redacted::default());
    let mut environment = bench.environment();
    for (name, value) in server.env {
        environment.set(name, value);
    }
    let tool = mcp.tool.tool.clone();
    let talk = move |stdin, stdout| call(stdin, stdout, tool, arguments);
    let (said, logs) = bench.conversation(&invocation, &environment, talk)?;
    judge(bench, said, &logs)
}

/// Fills every text in a value in; a value that is filled in stays one text.
fn filled(bench: &Bench<'_>, value: &Value) -> Value {
    match value {
        Value::String(text) => bench.fill(&Template::new(text.as_str())).into_string().into(),
        Value::Array(items) => items.iter().map(|item| filled(bench, item)).collect(),
        Value::Object(object) => {
            object.iter().map(|(name, value)| (name.clone(), filled(bench, value))).collect()
        }
        other => other.clone(),
    }
}

/// Speaks with the server. Ends when the tool has answered or the server is gone.
fn call(stdin: ChildStdin, stdout: ChildStdout, tool: String, arguments: Map<String, Value>) -> Answer {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| told(&error))?;
    runtime.block_on(async {
        let output = tokio::process::ChildStdin::from_std(stdin).map_err(|error| told(&error))?;
        let input = tokio::process::ChildStdout::from_std(stdout).map_err(|error| told(&error))?;
        let client = ().serve((input.take(MAX_SAID), output)).await.map_err(|error| told(&error))?;
        let request = CallToolRequestParams::new(tool).with_arguments(arguments);
        let answer = client.call_tool(request).await.map_err(|error| told(&error));
        // Closes the server's stdin, which is how it is told to leave.
        let _ = client.cancel().await;
        answer
    })
}

fn judge(bench: &Bench<'_>, said: Answer, stderr: &str) -> Result<Ending, Ending> {
    let failure = |code, message: String, logs: String| Ending::Failure {
        code,
        message: bench.redact(&message).into_string(),
        exit_code: None,
        logs,
    };
    match said {
        Ok(result) => {
            let is_error = result.is_error.unwrap_or(false);
            let logs = bench.redact(&text_of(&result)).into_string();
            if is_error {
                let message = format!("the tool `{}` says that it failed", named(bench));
                return Err(failure("MCP_TOOL", message, logs).with(stderr));
            }
            Ok(Ending::Success { exit_code: None, logs }.with(stderr))
        }
        Err(why) => {
            let message = format!("the MCP server could not be asked for `{}`: {why}", named(bench));
            Err(failure("MCP", message, stderr.to_owned()))
        }
    }
}

fn named(bench: &Bench<'_>) -> String {
    match &bench.member.automation.action {
        automation::Action::Mcp(mcp) => format!("{}/{}", mcp.tool.server, mcp.tool.tool),
        other => other.word().to_owned(),
    }
}

/// Returns what a tool answered, as text.
fn text_of(result: &CallToolResult) -> String {
    let mut parts = Vec::new();
    for content in &result.content {
        let content = serde_json::to_value(content).unwrap_or_default();
        let kind = content.get("type").and_then(Value::as_str).unwrap_or("something");
        parts.push(match content.get("text").and_then(Value::as_str) {
            Some(text) => text.trim_end_matches('\n').to_owned(),
            None => format!("[{kind}]"),
        });
    }
    if parts.is_empty()
        && let Some(structured) = &result.structured_content
    {
        parts.push(structured.to_string());
    }
    let mut text = parts.join("\n");
    if !text.is_empty() {
        text.push('\n');
    }
    text
}
