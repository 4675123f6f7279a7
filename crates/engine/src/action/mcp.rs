//! Calls a tool of an MCP server: starts the server, calls the tool and stops the server.

use std::process::{ChildStdin, ChildStdout};

use automation::{Mcp, McpServer, State, Template};
use redact::Redacted;
use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, CallToolResult};
use runner::Invocation;
use serde_json::{Map, Value};
use tokio::io::AsyncReadExt;

use super::Enter;
use crate::attempt::{Attempt, with_sources};
use crate::ending::Ending;

/// How many bytes of a server's stdout are read.
const MAX_STDOUT: u64 = 16 << 20;

/// The result of a call.
type Answer = Result<CallToolResult, String>;

/// Starts the server, calls the tool and stops the server.
pub(super) fn perform(attempt: &Attempt<'_>, mcp: &Mcp, enter: Enter<'_>) -> Result<Ending, Ending> {
    let settings = attempt.settings;
    let variable = |name: &str| settings.environment.get(name)?.to_str().map(str::to_owned);
    let server =
        McpServer::find(settings.workspace.root(), &attempt.loaded.workspace, &mcp.tool.server, &variable)
            .map_err(|error| {
                Ending::failure("NO_SUCH_SERVER", attempt.redact(&error.to_string()).into_string())
            })?;
    let program = attempt.find(&server.command)?;
    enter(State::Replacing);
    let arguments: Map<String, Value> =
        mcp.arguments.iter().map(|(name, value)| (name.clone(), filled(attempt, value))).collect();
    enter(State::Executing);
    let invocation = Invocation::command(program, server.args, &Redacted::default());
    let mut environment = attempt.environment();
    for (name, value) in server.env {
        environment.set(name, value);
    }
    let tool = mcp.tool.tool.clone();
    let talk = move |stdin, stdout| call(stdin, stdout, tool, arguments);
    let (answer, logs) = attempt.conversation(&invocation, &environment, talk)?;
    ending(attempt, answer, &logs)
}

/// Fills in every string of a JSON value; a filled-in value stays within its string.
fn filled(attempt: &Attempt<'_>, value: &Value) -> Value {
    match value {
        Value::String(text) => attempt.fill(&Template::new(text.as_str())).into_string().into(),
        Value::Array(items) => items.iter().map(|item| filled(attempt, item)).collect(),
        Value::Object(object) => {
            object.iter().map(|(name, value)| (name.clone(), filled(attempt, value))).collect()
        }
        other => other.clone(),
    }
}

/// Calls the tool. Returns when the tool has answered or the server has exited.
fn call(stdin: ChildStdin, stdout: ChildStdout, tool: String, arguments: Map<String, Value>) -> Answer {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| with_sources(&error))?;
    runtime.block_on(async {
        let output = tokio::process::ChildStdin::from_std(stdin).map_err(|error| with_sources(&error))?;
        let input = tokio::process::ChildStdout::from_std(stdout).map_err(|error| with_sources(&error))?;
        let client = ().serve((input.take(MAX_STDOUT), output)).await.map_err(|error| with_sources(&error))?;
        let request = CallToolRequestParams::new(tool).with_arguments(arguments);
        let answer = client.call_tool(request).await.map_err(|error| with_sources(&error));
        // Closes the server's stdin, which makes it exit.
        let _ = client.cancel().await;
        answer
    })
}

fn ending(attempt: &Attempt<'_>, answer: Answer, stderr: &str) -> Result<Ending, Ending> {
    let failure = |code, message: String, logs: String| Ending::Failure {
        code,
        message: attempt.redact(&message).into_string(),
        exit_code: None,
        logs,
    };
    match answer {
        Ok(result) => {
            let is_error = result.is_error.unwrap_or(false);
            let logs = attempt.redact(&text_of(&result)).into_string();
            if is_error {
                let message = format!("the tool `{}` reports that it failed", tool_name(attempt));
                return Err(failure("MCP_TOOL", message, logs).with(stderr));
            }
            Ok(Ending::Success { exit_code: None, logs }.with(stderr))
        }
        Err(why) => {
            let message = format!("cannot call the MCP tool `{}`: {why}", tool_name(attempt));
            Err(failure("MCP", message, stderr.to_owned()))
        }
    }
}

fn tool_name(attempt: &Attempt<'_>) -> String {
    match &attempt.loaded.automation.action {
        automation::Action::Mcp(mcp) => format!("{}/{}", mcp.tool.server, mcp.tool.tool),
        other => other.word().to_owned(),
    }
}

/// Returns a tool's answer as text.
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
