//! The announcement of a command in the transcript of a host whose payload lacks its working folder.

use std::path::Path;

use event::{Detail, Event};
use host::Host;
use host::user_rules::{Announced, announced};
use store::plain_file;

/// How much of a transcript is searched for the announcement of a call.
const TRANSCRIPT_BYTES: u64 = 512 * 1024;

/// Reads the record of a command that is about to run from the transcript.
pub(crate) fn of(event: &Event, command: &str) -> Option<Announced> {
    let transcript = event.transcript.as_deref()?;
    let lines = plain_file::tail(Path::new(transcript), TRANSCRIPT_BYTES).ok()?;
    announced(&lines, command)
}

/// Adds the working folder of a command that only the transcript has.
pub(crate) fn complete(host: Host, event: &mut Event) {
    if host != Host::Codex {
        return;
    }
    let Detail::PreToolUse { call } = &event.detail else { return };
    let Some(command) = call.command.as_ref().filter(|command| command.cwd.is_none()) else { return };
    let Some(folder) = of(event, &command.text).and_then(|found| found.folder) else { return };
    if let Detail::PreToolUse { call } = &mut event.detail
        && let Some(command) = &mut call.command
    {
        command.cwd = Some(folder);
    }
}
