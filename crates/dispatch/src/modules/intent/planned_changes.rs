//! Stores the planned changes of a permitted call until it ends.

use event::{Access, ToolCall};
use intent::trace::{Before, PendingCall, PendingCalls, PendingFile};
use intent::{IntentId, Touched};
use store::fingerprint;

use super::{tracing, work};
use crate::{Action, Concluded, Context};

/// The planned changes of a permitted call.
pub(super) struct PlannedChanges {
    /// The intent of the call; `None` if it needs none.
    pub(super) intent_id: Option<IntentId>,
    /// The files it names.
    pub(super) touched: Vec<Touched>,
    /// Whether it may change other files.
    pub(super) changes_more: bool,
}

/// The longest recorded name of a tool.
const MAX_TOOL: usize = 200;

/// Stores the content of a call's files before it runs. Does nothing for a denied call.
pub(super) fn keep(context: &Context<'_>, call: &ToolCall, concluded: &Concluded<'_>) -> Action {
    let Some(planned) = concluded.carryover.get::<PlannedChanges>() else { return Action::default() };
    if concluded.verdict.decision.is_deny() {
        return Action::default();
    }
    let pending = PendingCall {
        intent_id: planned.intent_id.clone(),
        agent: context.ids.agent.to_string(),
        tool: call.name.chars().take(MAX_TOOL).collect(),
        changes_more: planned.changes_more,
        files: planned.touched.iter().map(pending_file).collect(),
    };
    // Without it the trace has the call, but not the lines it changed.
    let calls = PendingCalls::in_file(context.session.pending_calls());
    let kept = calls.keep(&key(call), &pending, tracing::lock_timeout(context));
    if let Err(error) = kept {
        context.log.add(
            super::NAME,
            "warn",
            format!("cannot store the content of files before a call: {error}"),
        );
    }
    planned.intent_id.as_ref().map_or_else(Action::default, |id| work::under(context, id))
}

fn pending_file(touched: &Touched) -> PendingFile {
    let before = match touched.access {
        Access::CreateDir => Before::Unknown,
        _ => Before::of(&touched.located.file),
    };
    PendingFile {
        written: touched.located.written.as_str().to_owned(),
        real: touched.located.real.as_str().to_owned(),
        access: touched.access,
        before,
    }
}

/// Returns the key of a pending call: the host's id, else a hash of the input.
pub(super) fn key(call: &ToolCall) -> String {
    match &call.id {
        Some(id) => fingerprint([b"id".as_slice(), id.as_bytes()]).short(),
        None => key_by_input(call),
    }
}

/// Returns the key of a call without an id. Cursor announces a command without an id and reports its end with one,
/// under another name.
pub(super) fn key_by_input(call: &ToolCall) -> String {
    if let Some(command) = &call.command {
        return fingerprint([b"command".as_slice(), command.text.as_bytes()]).short();
    }
    let input = call.input.to_string();
    fingerprint([b"input".as_slice(), call.name.as_bytes(), input.as_bytes()]).short()
}
