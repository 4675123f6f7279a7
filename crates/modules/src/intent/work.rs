//! Starts a new work id when the session selects a different intent.

use event::Phase;
use intent::IntentId;
use intent::journal::{IntentSelected, SelectedBy};
use serde_json::{Map, Value, json};
use session::patch_of_core;

use super::governance::{self, ACTIVE, SELECTED_AT, WORKED};
use super::{NAME, emitted};
use crate::{Action, Context};

/// Records that the session works under this intent. If it was another one before, because a user changed the
/// workspace's default, a new piece of work starts.
pub(super) fn under(context: &Context<'_>, id: &IntentId) -> Action {
    let before = governance::pointer(context, WORKED);
    if before.as_ref() == Some(id) {
        return Action::default();
    }
    let mut action = Action { state_patch: pointers([(WORKED, id)]), ..Action::default() };
    if before.is_some() {
        // The permitted call belongs to the new piece of work.
        begin(context, Phase::Executing, &mut action);
        let by = SelectedBy::Workspace;
        action.emit_events.push(emitted(&IntentSelected { intent_id: id.clone(), before, by }));
    }
    action
}

/// Binds an intent to the session. If it worked under another one before, a new piece of work starts.
pub(super) fn bind(context: &Context<'_>, id: &IntentId, before: Option<IntentId>) -> Action {
    let mut action = Action { state_patch: pointers([(ACTIVE, id), (WORKED, id)]), ..Action::default() };
    let own = action.state_patch.get_mut("features").and_then(|all| all.get_mut(NAME));
    if let Some(Value::Object(own)) = own {
        own.insert(SELECTED_AT.to_owned(), Value::from(context.state.core.last_event_offset));
    }
    if before.as_ref().is_some_and(|before| before != id) {
        begin(context, Phase::Planning, &mut action);
    }
    let by = SelectedBy::Session;
    action.emit_events.push(emitted(&IntentSelected { intent_id: id.clone(), before, by }));
    action
}

fn begin(context: &Context<'_>, phase: Phase, action: &mut Action) {
    let core = patch_of_core([
        ("workId", Value::from(context.ids.work.next().to_string())),
        ("workTurn", Value::from(context.ids.turn)),
        ("phase", Value::from(phase.as_str())),
        ("phaseRevision", Value::from(0)),
    ]);
    action.state_patch.extend(core);
}

fn pointers<const N: usize>(values: [(&str, &IntentId); N]) -> Map<String, Value> {
    let own: Map<String, Value> =
        values.into_iter().map(|(key, id)| (key.to_owned(), Value::from(id.as_str()))).collect();
    let Value::Object(patch) = json!({"features": {NAME: own}}) else { return Map::new() };
    patch
}
