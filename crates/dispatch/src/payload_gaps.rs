//! Completes an event whose payload leaves out a fact that the host's transcript has.

use std::path::Path;

use event::{Detail, Event, Outcome};
use host::{Host, TranscriptFact};
use store::plain_file;

/// How much of a transcript is read. The result of the last call is within its last lines.
const TRANSCRIPT_BYTES: u64 = 256 * 1024;

/// Completes the event. Returns `false` if the host announces something that does not happen.
pub(crate) fn fill(host: Host, event: &mut Event) -> bool {
    let Some(fact) = TranscriptFact::missing_in(host, event) else { return true };
    let read = |path: &String| plain_file::tail(Path::new(path), TRANSCRIPT_BYTES).ok();
    let lines = event.transcript.as_ref().and_then(read).unwrap_or_default();
    match (fact, &mut event.detail) {
        (TranscriptFact::Failure, Detail::PostToolUse { call, outcome }) => {
            if let Some(error) = call.id.as_deref().and_then(|id| host::failure_in(&lines, id)) {
                *outcome = Outcome::Failed { error };
            }
            true
        }
        (TranscriptFact::Compaction, _) => host::may_be_compressed_in(&lines),
        (TranscriptFact::Failure, _) => true,
    }
}
