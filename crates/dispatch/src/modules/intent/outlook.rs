//! What a call that passed is going to do, kept until it has done it.

use event::{Access, ToolCall};
use intent::trace::{Before, PendingCall, PendingCalls, PendingFile};
use intent::{IntentId, Touched};
use store::fingerprint;

use super::{tracing, work};
use crate::{Action, Concluded, Context};

/// What a call that passed is going to do.
pub(super) struct Outlook {
    /// The intent it does it for; none if it needs none.
    pub(super) intent_id: Option<IntentId>,
    /// The files it names.
    pub(super) touched: Vec<Touched>,
    /// Whether it may change others.
    pub(super) changes_more: bool,
}

/// Longer names of tools are cut.
const MAX_TOOL: usize = 200;

/// Keeps what the files of a call hold before it runs. A call that was refused has none.
pub(super) fn keep(context: &Context<'_>, call: &ToolCall, concluded: &Concluded<'_>) -> Action {
    let Some(outlook) = concluded.memo.get::<Outlook>() else { return Action::default() };
    if concluded.verdict.decision.is_deny() {
        return Action::default();
    }
    let pending = PendingCall {
        intent_id: outlook.intent_id.clone(),
        agent: context.ids.agent.to_string(),
        tool: call.name.chars().take(MAX_TOOL).collect(),
        changes_more: outlook.changes_more,
        files: outlook.touched.iter().map(pending_file).collect(),
    };
    // Without it the call is traced all the same, only without the lines it changed.
    let calls = PendingCalls::in_file(context.session.pending_calls());
    let kept = calls.keep(&key(call), &pending, tracing::patience(context));
    if let Err(error) = kept {
        context.log.add(
            super::NAME,
            "warn",
            format!("what files held before a call cannot be kept: {error}"),
        );
    }
    outlook.intent_id.as_ref().map_or_else(Action::default, |id| work::under(context, id))
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

/// Returns what a call is known by when it ends: the host's id, else what it says.
pub(super) fn key(call: &ToolCall) -> String {
    match &call.id {
        Some(id) => fingerprint([b"id".as_slice(), id.as_bytes()]).short(),
        None => key_by_input(call),
    }
}

/// Returns what a call without an id is known by. Cursor announces a command without an id and
/// reports it with one, under another name.
pub(super) fn key_by_input(call: &ToolCall) -> String {
    if let Some(command) = &call.command {
        return fingerprint([b"command".as_slice(), command.text.as_bytes()]).short();
    }
    let input = call.input.to_string();
    fingerprint([b"input".as_slice(), call.name.as_bytes(), input.as_bytes()]).short()
}
