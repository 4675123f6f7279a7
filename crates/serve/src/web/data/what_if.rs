//! Fills the page that judges a session again under another manifest.

use std::sync::PoisonError;

use page::view::WhatIf;

use super::super::Web;

/// Judges a session under a manifest; without one, returns the manifest in force and judges nothing. Returns `None` if
/// the session does not exist.
pub(in crate::web) fn what_if(web: &Web, sid: &str, manifest: Option<&str>) -> Option<WhatIf> {
    let id = super::session::find(web, sid)?;
    let judged = manifest.map(|manifest| {
        // One at a time: a replay takes a processor for seconds.
        let _alone = web.replay.lock().unwrap_or_else(PoisonError::into_inner);
        web.inspection.what_if(id, manifest)
    });
    let (result, problem) = match judged {
        None => (None, None),
        Some(Ok(result)) => (Some(result), None),
        Some(Err(problem)) => (None, Some(problem)),
    };
    Some(WhatIf {
        ts: store::now().as_millis(),
        sid: sid.to_owned(),
        manifest: manifest.map_or_else(|| web.inspection.manifest(), str::to_owned),
        problem,
        result,
    })
}
