//! The packet of a starting subagent: its work, the folder for its results, and the expected files.

use event::{ContextNote, LineKind};
use redact::Redacted;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use session::Emitted;

use super::{NAME, Settings, feature, policy, role};
use crate::action::{Content, Output};
use crate::{Action, Context, ModuleFailure};

/// `packet.json`, in the folder of the subagent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Packet {
    /// The format of this file; 1.
    version: u64,
    /// The session.
    session_id: String,
    /// The piece of work.
    work_id: String,
    /// The turn in which the subagent started.
    turn_id: u64,
    /// The subagent.
    agent_id: String,
    /// The role it was started as.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent_type: Option<String>,
    /// The folder for its results, relative to the workspace.
    output_dir: String,
    /// The names of the expected files.
    expects: Vec<String>,
    /// Whether a missing file keeps it from stopping, once.
    required: bool,
    /// When, in milliseconds since 1970.
    created_ts: u64,
}

/// The name of the packet's file.
pub(super) const FILE: &str = "packet.json";

/// Gives the subagent its packet.
pub(super) fn hand_out(context: &Context<'_>) -> Result<Action, ModuleFailure> {
    let (settings, warnings) = Settings::read(context);
    let role = role(context);
    if settings.skips(role) {
        return Ok(Action { warnings, ..Action::default() });
    }
    let expected = match policy(context) {
        Ok(policy) => policy.unwrap_or_default().output,
        Err(disabled) => return Ok(*disabled),
    };
    let feature = feature(context)?;
    let folder = feature.of_subagent(role, context.ids.agent);
    let shown = session::shown_path(context.workspace.root(), &folder.to_string());
    let within = folder
        .below(&feature.output)
        .map_err(|_| ModuleFailure(format!("`{folder}` is not below the output folder of the module")))?;
    let packet = Packet {
        version: 1,
        session_id: context.ids.session.to_string(),
        work_id: context.ids.work.to_string(),
        turn_id: context.ids.turn,
        agent_id: context.ids.agent.to_string(),
        agent_type: role.map(|role| session::recorded_input::short(role).into_owned()),
        output_dir: shown.clone(),
        expects: expected.expects,
        required: expected.required,
        created_ts: context.ids.run.at_ms,
    };
    let value = serde_json::to_value(&packet).map_err(|error| ModuleFailure(error.to_string()))?;
    let text: Redacted = redact::value(&value).to_text();
    let output = Output { name: format!("{}/{FILE}", within.as_str()), content: Content::Replace(text) };
    let agent = json!({"workId": packet.work_id, "output": shown, "startedTs": packet.created_ts});
    Ok(Action {
        additional_context: vec![ContextNote { key: NAME.into(), value: letter(&packet) }],
        state_patch: patch_of(&packet.agent_id, &agent),
        emit_events: vec![Emitted { kind: LineKind::RlmPacket.name().into(), data: value }],
        outputs: vec![output],
        warnings,
        ..Action::default()
    })
}

/// Returns the patch of one subagent's entry in the state.
pub(super) fn patch_of(agent: &str, fields: &Value) -> Map<String, Value> {
    let agents = json!({"agents": {agent: fields}});
    Map::from_iter([("rlm".to_owned(), agents)])
}

/// Words the packet for the subagent.
fn letter(packet: &Packet) -> String {
    let expects = if packet.expects.is_empty() {
        "Name the files after what is in them.".to_owned()
    } else {
        let names: Vec<_> = packet.expects.iter().map(|name| format!("`{name}`")).collect();
        let must = if packet.required { " You cannot stop without them." } else { "" };
        format!("Expected there: {}.{must}", names.join(", "))
    };
    format!(
        "You are subagent {} on {}. Write your results as files into `{}/`. {expects} End with a pointer for the agent that \
         started you: the paths and one sentence each, not their content.",
        packet.agent_id, packet.work_id, packet.output_dir
    )
}
