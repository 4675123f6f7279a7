//! The session of an event.

use std::path::Path;

use crate::Host;
use crate::fields::Fields;

/// The folder in which Copilot stores its sessions, one folder each.
const COPILOT_SESSIONS: &str = "session-state";

/// Returns the host's id of the session. Returns `None` if the payload names no session.
///
/// WHY a subagent's parent: Copilot and Cursor give a subagent a session id of its own, but the user
/// started one session and selected one intent in it. The transcript is the outermost session's; the
/// parent of a nested subagent is itself a subagent, and `dispatch` looks that one up.
pub(crate) fn id(host: Host, payload: Fields<'_>) -> Option<String> {
    let own = || payload.text(&["conversation_id", "session_id", "sessionId"]);
    if !host.subagents_are_sessions() {
        return own();
    }
    let parent = payload.text(&["parent_agent_id", "parentAgentId", "parent_conversation_id"]);
    let outermost = || payload.word(&["transcript_path", "transcriptPath"]).and_then(session_of_transcript);
    parent.map(|parent| outermost().unwrap_or(parent)).or_else(own)
}

/// Returns the session whose folder contains a transcript. Returns `None` outside of Copilot's folder.
fn session_of_transcript(transcript: &str) -> Option<String> {
    let folder = Path::new(transcript).parent()?;
    let is_sessions = folder.parent()?.file_name()? == COPILOT_SESSIONS;
    folder.file_name()?.to_str().filter(|_| is_sessions).map(str::to_owned)
}
