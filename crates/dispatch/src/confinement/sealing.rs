//! Which calls can run sealed: without the network and with everything private hidden, in exchange for a prompt.
//!
//! INVARIANT: only after a call of the same session was seen to arrive in a namespace, and not after one that was not. A
//! variable in the settings says where steersman should be; the arrival proves that it is there.

use event::{ContextNote, Outcome};
use host::{Host, ShellEntry};
use modules::Context;
use project_config::ApproveMode;
use serde_json::{Map, Value, json};
use session::shell_call::{Arrival, CallScope, RecordedCall, ShellCall};

use super::{Confinement, NAME};

/// The key of the state: whether the last call of the session arrived in a namespace.
const ARRIVED: &str = "arrived";

/// The key of the state: the calls that failed sealed, by a hash of their commands.
const FAILED: &str = "failedSealed";

/// More calls that failed sealed end sealing in the session.
const MAX_FAILED: usize = 64;

/// The mechanism that can hide files.
const HIDES: &str = "namespace";

/// Returns whether the project approves calls that run sealed, and calls of the session were seen to arrive.
pub(super) fn is_wanted(context: &Context<'_>) -> bool {
    let mode = context.config.section(ApproveMode::SECTION).as_str().and_then(ApproveMode::parse);
    mode == Some(ApproveMode::InScope) && has_arrived(context)
}

fn has_arrived(context: &Context<'_>) -> bool {
    let state = context.state.features.get(NAME);
    state.and_then(|state| state.get(ARRIVED)) == Some(&Value::Bool(true))
}

/// Returns whether a call can run sealed.
pub(super) fn is_possible(context: &Context<'_>, call: &ShellCall) -> bool {
    // Where the real program was seen to ask its hook first, and to run the original command in the recorded shell.
    let is_proven_host = context.host == Host::ClaudeCode
        && context.host.shell_entry() == ShellEntry::Prefix
        && context.host.why_unconfined().is_none();
    let state = context.state.features.get(NAME);
    let has_failed =
        state.and_then(|state| state.get(FAILED)?.get(key(&call.command))).is_some_and(Value::is_boolean);
    is_proven_host
        && has_arrived(context)
        && !has_failed
        && call.rewritten.is_none()
        && !call.background
        && matches!(call.scope, CallScope::Intent(_))
}

/// Learns from a call that has ended whether calls arrive, and which ones need more than they get sealed.
pub(super) fn learn(
    context: &Context<'_>,
    record: &RecordedCall,
    outcome: &Outcome,
    found: &mut Confinement,
) {
    let state = context.state.features.get(NAME);
    let is = |arrived: bool| state.and_then(|state| state.get(ARRIVED)) == Some(&Value::Bool(arrived));
    let mut arrived = record.arrival == Arrival::Confined(HIDES.to_owned());
    let mut patch = Map::new();
    if record.call.sealed && matches!(outcome, Outcome::Failed { .. }) {
        let n_failed = state.and_then(|state| state.get(FAILED)?.as_object()).map_or(0, Map::len);
        arrived &= n_failed < MAX_FAILED;
        patch.insert(FAILED.to_owned(), json!({key(&record.call.command): true}));
        found.action.additional_context.push(ContextNote { key: NAME.into(), value: SEALED.to_owned() });
    }
    if !is(arrived) && (arrived || is(true)) {
        patch.insert(ARRIVED.to_owned(), arrived.into());
    }
    if !patch.is_empty() {
        let own = Map::from_iter([(NAME.to_owned(), Value::Object(patch))]);
        found.action.state_patch.insert("features".to_owned(), Value::Object(own));
    }
}

const SEALED: &str = "steersman approved this command in place of the user and ran it sealed: without the network, the home \
folder, files of other programs, files and variables with secrets. If it failed for that reason, run the same command \
again: then the user is asked, and it runs with them.";

fn key(command: &str) -> String {
    store::fingerprint([command.trim().as_bytes()]).short()
}
