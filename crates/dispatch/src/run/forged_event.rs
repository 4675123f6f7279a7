//! Events that a command of the agent sends, to end its own call, its turn or a person's order to stop.
//!
//! WHY only these: a call that is announced falsely is judged like any other, and the start of a session is dealt with
//! where the session is bound to its workspace.

use event::{Event, EventName, LineKind};
use host::Host;
use serde_json::{Map, Value};
use session::{ManualChange, OpenSession};
use store::Workspace;

use crate::LaunchContext;

/// Returns whether a command of the agent sent an event that only the agent program may send, and records it.
pub(super) fn refuse(launch: &LaunchContext, workspace: &Workspace, host: Host, event: &Event) -> bool {
    let name = event.name();
    let ends_something = matches!(
        name,
        EventName::UserPromptSubmit | EventName::PostToolUse | EventName::Stop | EventName::SubagentStop
    );
    if !ends_something || !launch.is_sent_by_agents_command(Some(workspace)) {
        return false;
    }
    let (session, _) = OpenSession::open(workspace, host, event);
    if let Ok(change) = ManualChange::begin(&session) {
        let data = Map::from_iter([
            ("what".to_owned(), Value::from(format!("event {}", name.as_str()))),
            ("why".to_owned(), Value::from("a program that the agent started sent it")),
        ]);
        // Without the line the event has no effect either.
        let _ = change.note("dispatch", LineKind::Forged, data);
    }
    true
}
