//! Lists the other workspaces that are served on this machine.

use automation::ServedWorkspace;
use page::view::ServedPage;

use super::super::Web;

/// Returns the pages of the other served workspaces of this user, sorted by their folders.
pub(in crate::web) fn served_pages(web: &Web) -> Vec<ServedPage> {
    let Some(state) = &web.user_state else { return Vec::new() };
    ServedWorkspace::all(state)
        .into_iter()
        .filter(|served| served.root != *web.workspace.root())
        .filter_map(|served| Some(ServedPage { workspace: served.root.to_string(), url: served.server.url? }))
        // An address in a file is a link on the page: only those that a server writes.
        .filter(|page| page.url.starts_with("http://"))
        .collect()
}
