//! Rebuilds the event of a run from its record.

use event::{Agent, Detail, Event, EventName, LineKind, ToolCall};
use host::Host;
use serde_json::Value;

use super::Run;
use crate::{PromptRecord, RunRecord, allowance};

/// Why the event of a run cannot be rebuilt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, thiserror::Error)]
pub enum NotReplayable {
    /// The input was longer than a record permits.
    #[error("the tool's input was too long to be recorded completely")]
    InputCut,
    /// The input contained a secret.
    #[error("the recorded input of the tool is redacted")]
    InputRedacted,
    /// The record has only the hash of the prompt.
    #[error("the prompt's text is not recorded (`session.promptAudit` is not `raw`)")]
    PromptNotKept,
    /// The prompt contained a secret.
    #[error("the recorded prompt is redacted")]
    PromptRedacted,
    /// Tool results are never recorded.
    #[error("the tool's result is not recorded")]
    OutcomeNotKept,
    /// An agent's messages are never recorded.
    #[error("the agent's last message is not recorded")]
    FinalMessageNotRecorded,
    /// The record lacks the event.
    #[error("the watchdog ended the run before anything was recorded")]
    CutShort,
    /// The line has a value that this build does not know.
    #[error("the record is incomplete")]
    Incomplete,
}

/// Returns exactly the event of a run.
pub fn recorded_event(run: &Run, prompt: Option<&PromptRecord>) -> Result<Event, NotReplayable> {
    let record = run.record.as_ref().ok_or(NotReplayable::CutShort)?;
    // Every field is named, so that a new one does not compile until this decides whether the event had it.
    let RunRecord {
        event: event_name,
        cwd,
        agent_type,
        // `call` reads them.
        host: _,
        tool: _,
        tool_use_id: _,
        input: _,
        input_cut: _,
        input_hash: _,
        // Not from the payload: the verdict, and facts about the run.
        call_key: _,
        host_event: _,
        decision: _,
        reason: _,
        module: _,
        running_agent: _,
        modules: _,
        rewrite: _,
        stamps: _,
        context: _,
        warnings: _,
        ignored: _,
        dropped: _,
        registration: _,
        transcript_length: _,
        automations: _,
        us: _,
        patch: _,
    } = record;
    let name = EventName::from_contract(event_name).ok_or(NotReplayable::Incomplete)?;
    let detail = match name {
        EventName::PreToolUse => Detail::PreToolUse { call: call(record)? },
        EventName::UserPromptSubmit => Detail::UserPromptSubmit { prompt: prompt_text(prompt)? },
        EventName::SessionStart => {
            Detail::SessionStart { source: text_in(run, LineKind::SessionStart, "source") }
        }
        EventName::PreCompact => Detail::PreCompact {
            trigger: text_in(run, LineKind::Compaction, "trigger"),
            instructions: text_in(run, LineKind::Compaction, "instructions"),
        },
        EventName::SubagentStart => Detail::SubagentStart,
        EventName::PostToolUse => return Err(NotReplayable::OutcomeNotKept),
        EventName::Stop | EventName::SubagentStop => return Err(NotReplayable::FinalMessageNotRecorded),
    };
    let mut event = Event::of(detail);
    event.cwd.clone_from(cwd);
    event.agent = agent_type.clone().map(|kind| Agent { id: None, kind: Some(kind) });
    event.model = text_in(run, LineKind::SessionStart, "model");
    event.permission_mode = text_in(run, LineKind::SessionStart, "permissionMode");
    Ok(event)
}

/// Returns exactly the call that was judged.
fn call(record: &RunRecord) -> Result<ToolCall, NotReplayable> {
    let host = Host::from_name(&record.host).ok_or(NotReplayable::Incomplete)?;
    let (Some(tool), Some(input)) = (&record.tool, &record.input) else {
        return Err(NotReplayable::Incomplete);
    };
    if record.input_cut {
        return Err(NotReplayable::InputCut);
    }
    let mut call = host::tool_call(host, tool, input.clone());
    call.id.clone_from(&record.tool_use_id);
    let is_another = record.input_hash.as_ref().is_some_and(|hash| *hash != allowance::key(&call));
    if is_another || holds(input, redact::REPLACEMENT) {
        return Err(NotReplayable::InputRedacted);
    }
    Ok(call)
}

fn prompt_text(prompt: Option<&PromptRecord>) -> Result<String, NotReplayable> {
    let prompt = prompt.ok_or(NotReplayable::PromptNotKept)?;
    let text = prompt.text.clone().ok_or(NotReplayable::PromptNotKept)?;
    if store::fingerprint([text.as_bytes()]).short() == prompt.hash {
        Ok(text)
    } else {
        Err(NotReplayable::PromptRedacted)
    }
}

fn holds(value: &Value, word: &str) -> bool {
    match value {
        Value::String(text) => text.contains(word),
        Value::Array(items) => items.iter().any(|item| holds(item, word)),
        Value::Object(fields) => fields.values().any(|field| holds(field, word)),
        _ => false,
    }
}

fn text_in(run: &Run, kind: LineKind, key: &str) -> Option<String> {
    run.line(kind)?.data.get(key)?.as_str().map(str::to_owned)
}
