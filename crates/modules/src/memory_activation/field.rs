//! Reads the fields of a condition: the event, the tool's input, the parsed command line, the state.

use event::{Detail, Outcome, ToolCall};
use project_config::{shell_field, walk};
use serde_json::Value;
use session::shown_path;

use crate::Context;

/// Returns the value of a field; `None` if it does not exist.
pub(super) fn of(context: &Context<'_>, call: &ToolCall, path: &str) -> Option<Value> {
    let (root, rest) = path.split_once('.')?;
    match root {
        "event" => of_event(context, call, rest),
        "input" => walk(&call.input, rest).cloned(),
        "shell" => shell_field::of(context.reading(call.command.as_ref()?), rest),
        // Few rules use the state, and a state is small.
        "state" => walk(&serde_json::to_value(context.state).ok()?, rest).cloned(),
        _ => None,
    }
}

fn of_event(context: &Context<'_>, call: &ToolCall, name: &str) -> Option<Value> {
    let outcome = match &context.event.detail {
        Detail::PostToolUse { outcome, .. } => Some(outcome),
        _ => None,
    };
    Some(match name {
        "name" => context.event.name().as_str().into(),
        "host" => context.host.name().into(),
        "toolName" => call.name.as_str().into(),
        "toolKind" => call.kind.as_str().into(),
        "command" => call.command.as_ref()?.text.as_str().into(),
        "paths" => {
            let paths = call.touches.iter().map(|touch| shown_path(context.workspace.root(), &touch.path));
            paths.map(Value::from).collect()
        }
        "agentId" => context.ids.agent.to_string().into(),
        "agentType" => context.event.agent.as_ref()?.kind.as_deref()?.into(),
        "workId" => context.ids.work.to_string().into(),
        "turnId" => context.ids.turn.into(),
        "ok" => matches!(outcome?, Outcome::Done { .. }).into(),
        "error" => match outcome? {
            Outcome::Failed { error, .. } => error.as_str().into(),
            Outcome::Done { .. } => return None,
        },
        _ => return None,
    })
}
