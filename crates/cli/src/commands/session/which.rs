//! Which session a person means.

use anyhow::Context;
use event::SessionId;

use crate::commands::Place;
use crate::output;

/// Finds the session whose id begins like this. If there is none, or more than one, says so.
pub(crate) fn find(place: &Place, named: &str) -> anyhow::Result<Option<SessionId>> {
    let sessions = place.workspace.sessions().context("cannot list the sessions")?;
    let wanted = named.to_ascii_lowercase();
    let begins = |id: &SessionId| !wanted.is_empty() && id.to_string().starts_with(&wanted);
    let mut found: Vec<_> = sessions.into_iter().filter(begins).collect();
    found.sort_unstable();
    match found.as_slice() {
        [id] => return Ok(Some(*id)),
        [] => {
            output::complain(&format!("there is no session `{}`", output::text::one_line(named)));
            output::hint("`steersman session list` lists them");
        }
        several => {
            let ids: Vec<_> = several.iter().take(8).map(ToString::to_string).collect();
            let more = if several.len() > 8 { ", …" } else { "" };
            output::complain(&format!("`{named}` could be {}{more}", ids.join(", ")));
        }
    }
    Ok(None)
}
