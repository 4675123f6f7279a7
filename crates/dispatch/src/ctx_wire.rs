//! The context of a project's own module: contract §6 in JSON.
//!
//! The engine adds the functions (`ctx.log`, `ctx.timers.elapsed`, `ctx.paths.featureRoot`, …).

use event::{Access, Detail, Outcome};
use modules::Context;
use serde::Serialize;
use serde_json::{Map, Value, json};
use store::ModuleName;

/// `ctx`, as data.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CtxWire {
    /// The ids of the run.
    ids: IdsWire,
    /// The agent program.
    host: String,
    /// The event.
    event: EventWire,
    /// The paths of workspace, session and state.
    paths: PathsWire,
    /// The state of the session; read-only.
    state: Value,
    /// This module's section of `config.json`.
    config: Value,
    /// This module's own folders within the session.
    feature: FeatureWire,
    /// The available capabilities.
    cap: Value,
    /// The budget.
    timers: TimersWire,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "the contract's own names")]
struct IdsWire {
    session_id: String,
    work_id: String,
    agent_id: String,
    turn_id: u64,
    hook_run_id: String,
}

#[derive(Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", schemars(deny_unknown_fields))]
struct EventWire {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cwd: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transcript_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_mode: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trigger: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stop_hook_active: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    times_kept: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_use_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_input: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_response: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    touches: Vec<TouchWire>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct TouchWire {
    path: String,
    access: &'static str,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct PathsWire {
    repo_root: String,
    hooks_root: String,
    work_root: String,
    session_root: String,
    state_file: String,
    events_file: String,
    registry_file: String,
    config_file: String,
    policy_file: String,
    followup_rules_file: String,
    manifest_file: String,
    schema_dir: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct FeatureWire {
    root: String,
    logs: String,
    output: String,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct TimersWire {
    start_ms: u64,
    budget_ms: u64,
}

/// Returns the context for one module.
pub(crate) fn of(context: &Context<'_>, module: &ModuleName) -> Value {
    let (workspace, session) = (context.workspace, context.session);
    let feature = session.feature(module);
    let state = serde_json::to_value(context.state).unwrap_or_default();
    let wire = CtxWire {
        ids: IdsWire {
            session_id: context.ids.session.to_string(),
            work_id: context.ids.work.to_string(),
            agent_id: context.ids.agent.to_string(),
            turn_id: context.ids.turn,
            hook_run_id: context.ids.run.to_string(),
        },
        host: context.host.name().into(),
        event: event_wire(context),
        paths: PathsWire {
            repo_root: workspace.root().to_string(),
            hooks_root: workspace.hooks_dir().to_string(),
            work_root: workspace.tmp_dir().to_string(),
            session_root: session.root().to_string(),
            state_file: session.state_file().to_string(),
            events_file: session.events_file().to_string(),
            registry_file: session.registry_file().to_string(),
            config_file: workspace.config_file().to_string(),
            policy_file: workspace.policy_file().to_string(),
            followup_rules_file: workspace.followup_rules_file().to_string(),
            manifest_file: workspace.manifest_file().to_string(),
            schema_dir: workspace.schema_dir().to_string(),
        },
        state,
        config: match context.config.section(module.as_str()) {
            Value::Null => Value::Object(Map::new()),
            section => section.clone(),
        },
        feature: FeatureWire {
            root: feature.root.to_string(),
            logs: feature.logs.to_string(),
            output: feature.output.to_string(),
        },
        cap: capabilities(&context.state.cap),
        timers: TimersWire {
            start_ms: context.ids.run.at_ms,
            budget_ms: u64::try_from(context.deadline.budget().as_millis()).unwrap_or(u64::MAX),
        },
    };
    serde_json::to_value(wire).unwrap_or_default()
}

fn event_wire(context: &Context<'_>) -> EventWire {
    let event = context.event;
    let mut wire = EventWire {
        name: event.name().as_str().into(),
        cwd: event.cwd.clone(),
        transcript_path: event.transcript.clone(),
        model: event.model.clone(),
        permission_mode: event.permission_mode.clone(),
        agent_type: event.agent.as_ref().and_then(|agent| agent.kind.clone()),
        ..EventWire::default()
    };
    if let Some(call) = event.call() {
        wire.tool_name = Some(call.name.clone());
        wire.tool_kind = Some(call.kind.as_str().into());
        wire.tool_use_id.clone_from(&call.id);
        wire.tool_input = Some(call.input.clone());
        wire.command = call.command.as_ref().map(|command| command.text.clone());
        wire.touches = call.touches.iter().map(|touch| touch_wire(&touch.path, touch.access)).collect();
    }
    match &event.detail {
        Detail::SessionStart { source } => wire.source.clone_from(source),
        Detail::UserPromptSubmit { prompt } => wire.prompt = Some(prompt.clone()),
        Detail::PreCompact { trigger, .. } => wire.trigger.clone_from(trigger),
        Detail::Stop { kept_going, message } | Detail::SubagentStop { kept_going, message } => {
            wire.message.clone_from(message);
            let times_kept = context.state.core.times_kept(context.ids.agent, context.ids.turn, *kept_going);
            wire.times_kept = Some(times_kept);
            // Some hosts do not report it.
            wire.stop_hook_active = Some(*kept_going || times_kept > 0);
        }
        Detail::PostToolUse { outcome: Outcome::Done { response }, .. } => {
            wire.tool_response = Some(response.clone());
        }
        Detail::PostToolUse { outcome: Outcome::Failed { error, .. }, .. } => {
            wire.error = Some(error.clone());
        }
        Detail::PreToolUse { .. } | Detail::SubagentStart => {}
    }
    wire
}

fn touch_wire(path: &str, access: Access) -> TouchWire {
    TouchWire { path: path.into(), access: access.as_str() }
}

/// Returns the capabilities; a database that was never checked is not reachable.
fn capabilities(known: &Map<String, Value>) -> Value {
    let mut all = known.clone();
    let mut neo4j = match all.remove("neo4j") {
        Some(Value::Object(neo4j)) => neo4j,
        _ => Map::new(),
    };
    for key in ["enabled", "reachable"] {
        if !neo4j.get(key).is_some_and(Value::is_boolean) {
            neo4j.insert(key.to_owned(), json!(false));
        }
    }
    all.insert("neo4j".to_owned(), Value::Object(neo4j));
    Value::Object(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neo4j_is_always_said_to_be_enabled_and_reachable_or_not() {
        for (known, neo4j) in [
            (json!({}), json!({"enabled": false, "reachable": false})),
            (json!({"neo4j": null}), json!({"enabled": false, "reachable": false})),
            (json!({"neo4j": {"enabled": true}}), json!({"enabled": true, "reachable": false})),
            (
                json!({"neo4j": {"enabled": true, "reachable": true, "schemaVersion": "1"}}),
                json!({"enabled": true, "reachable": true, "schemaVersion": "1"}),
            ),
        ] {
            assert_eq!(capabilities(known.as_object().unwrap())["neo4j"], neo4j, "{known}");
        }
    }
}
