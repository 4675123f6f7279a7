//! Fills the page of asks from the hooks that wait.

use page::view::{AskRow, Asks};

use super::super::Web;

/// Returns the asks of the workspace.
pub(in crate::web) fn asks(web: &Web) -> Asks {
    let mut open = web.user_state.as_ref().map(|state| asks::open(state, &[])).unwrap_or_default();
    let root = web.workspace.root().to_string();
    open.retain(|open| open.ask.workspace == root);
    let row = |open: asks::OpenAsk| AskRow {
        id: open.ask.id.to_string(),
        session: open.ask.session,
        host: open.ask.host,
        agent: open.ask.agent,
        tool: open.ask.tool,
        call: open.ask.call,
        reason: open.ask.reason,
        opened: open.ask.opened,
        until: open.ask.until,
    };
    Asks { ts: store::now().as_millis(), asks: open.into_iter().map(row).collect() }
}
