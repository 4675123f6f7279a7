//! Reports a permission of `session allow` that no person gave.

use event::{LineKind, Verdict};
use modules::Context;
use serde_json::json;
use session::Emitted;

/// How a report names these permissions.
const ALLOWED: &str = "session/allowed";

/// Why such a permission does not count.
const WHY: &str =
    "a file permits this call, but no command of a person recorded it: another program wrote it";

/// Warns the user, and returns a record for the journal the first time in a session.
pub(super) fn report(context: &Context<'_>, verdict: &mut Verdict) -> Option<Emitted> {
    verdict.warnings.push(WHY.to_owned());
    let is_known = context.journal_tail.lines().contains(&format!("\"what\":\"{ALLOWED}\""));
    let data = json!({"what": ALLOWED, "why": WHY});
    (!is_known).then(|| Emitted { kind: LineKind::Forged.name().into(), data })
}
