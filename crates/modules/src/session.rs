//! `session`: ids, turns, phases, and the record of prompts, decisions and results.
//!
//! It runs first and is critical: without it the journal would lack the calls.

mod conclusion;
pub mod neo4j_capability;
pub mod neo4j_settings;
mod phases;
mod prompt;

pub use prompt::Settings;

use event::{Detail, EventName, LineKind, Outcome, ToolCall};
use serde_json::{Map, Value, json};
use session::recorded_input::short;
use session::{Emitted, patch_of_core};

use crate::{Action, Concluded, Context, Module, ModuleFailure, Profile};

/// The most paths of a call in its record.
const MAX_TOUCHES: usize = 100;

/// The module `session`.
pub(super) struct Session;

impl Module for Session {
    fn profile(&self) -> &Profile {
        &Profile {
            name: "session",
            about: "records every event in a journal",
            supports: &[
                EventName::SessionStart,
                EventName::UserPromptSubmit,
                EventName::PreToolUse,
                EventName::PostToolUse,
                EventName::PreCompact,
                EventName::Stop,
            ],
            priority: 0,
            hot_path_safe: true,
            critical: true,
            on_by_default: true,
        }
    }

    fn handle(&self, context: &Context<'_>) -> Result<Action, ModuleFailure> {
        let mut action = match &context.event.detail {
            Detail::SessionStart { source } => start(context, source.as_deref()),
            Detail::UserPromptSubmit { prompt } => prompt::submitted(context, prompt),
            Detail::PreToolUse { call } => before_tool(context, call),
            Detail::PostToolUse { call, outcome } => after_tool(call, outcome),
            Detail::PreCompact { trigger, instructions } => {
                compaction(context, trigger.as_deref(), instructions.as_deref())
            }
            Detail::Stop { .. } | Detail::SubagentStart | Detail::SubagentStop { .. } => Action::default(),
        };
        let found = neo4j_capability::look(context);
        action.state_patch.extend(found.patch);
        action.warnings.extend(found.warnings);
        Ok(action)
    }

    fn conclude(&self, context: &Context<'_>, concluded: &Concluded<'_>) -> Action {
        match &context.event.detail {
            Detail::PreToolUse { call } => conclusion::of_tool_call(context, call, concluded),
            Detail::Stop { kept_going, .. } => conclusion::of_stop(context, *kept_going, concluded),
            _ => Action::default(),
        }
    }
}

fn start(context: &Context<'_>, source: Option<&str>) -> Action {
    // Left by a confined command whose background processes outlived it, or whose helper was killed.
    if let Some(state) = context.user_state {
        store::MadeFolders::remove_unused(state);
    }
    let data = json!({
        "host": context.host.name(),
        "source": source.map(short),
        "cwd": context.event.cwd.as_deref().map(short),
        "model": context.event.model.as_deref().map(short),
        "permissionMode": context.event.permission_mode.as_deref().map(short),
        "process": session::person::announced_process(),
    });
    let core = &context.state.core;
    let state_patch = match core.phase {
        Some(_) => Map::new(),
        None => patch_of_core([
            ("workId", Value::from(context.ids.work.to_string())),
            ("phase", Value::from(core.phase().as_str())),
        ]),
    };
    Action { emit_events: vec![emitted(LineKind::SessionStart, data)], state_patch, ..Action::default() }
}

fn before_tool(context: &Context<'_>, call: &ToolCall) -> Action {
    let mut action = phases::enforce(context, call);
    let stamps = [
        ("_hookSessionId", context.ids.session.to_string()),
        ("_hookWorkId", context.ids.work.to_string()),
        ("_hookAgentId", context.ids.agent.to_string()),
    ];
    action.input_metadata = stamps.map(|(key, id)| (key.to_owned(), Value::from(id))).into_iter().collect();
    action
}

fn after_tool(call: &ToolCall, outcome: &Outcome) -> Action {
    let mut data = call_data(call);
    data.insert("ok".into(), matches!(outcome, Outcome::Done { .. }).into());
    if let Outcome::Failed { error, .. } = outcome {
        data.insert("error".into(), short(error).into());
    }
    Action { emit_events: vec![emitted(LineKind::ToolOutcome, Value::Object(data))], ..Action::default() }
}

fn compaction(context: &Context<'_>, trigger: Option<&str>, instructions: Option<&str>) -> Action {
    let core = &context.state.core;
    let mut data = json!({
        "trigger": trigger.map(short),
        "instructions": instructions.map(short),
        "snapshot": {
            "workId": context.ids.work.to_string(),
            "turnId": context.ids.turn,
            "phase": core.phase().as_str(),
            "lastEventOffset": core.last_event_offset,
            "plan": context.state.plan,
        },
    });
    if host::may_announce_no_compaction(context.host, trigger) {
        data["possible"] = true.into();
    }
    Action { emit_events: vec![emitted(LineKind::Compaction, data)], ..Action::default() }
}

/// Returns the fields that all records of a tool call share.
fn call_data(call: &ToolCall) -> Map<String, Value> {
    let mut data = Map::new();
    data.insert("tool".into(), short(&call.name).into());
    data.insert("kind".into(), call.kind.as_str().into());
    if let Some(id) = &call.id {
        data.insert("toolUseId".into(), short(id).into());
    }
    if !call.touches.is_empty() {
        let shown = call.touches.iter().take(MAX_TOUCHES);
        let touches = shown.map(|touch| json!({"path": short(&touch.path), "access": touch.access.as_str()}));
        data.insert("touches".into(), touches.collect());
        if let Some(more) = call.touches.len().checked_sub(MAX_TOUCHES).filter(|more| *more > 0) {
            data.insert("moreTouches".into(), more.into());
        }
    }
    if let Some(command) = &call.command {
        data.insert("command".into(), short(&command.text).into());
    }
    data
}

fn emitted(kind: LineKind, data: Value) -> Emitted {
    Emitted { kind: kind.name().into(), data }
}
