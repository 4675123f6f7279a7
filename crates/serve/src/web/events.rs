//! Tells browsers that something changed, by server-sent events.
//!
//! A browser loads the page again, so no state is kept for it, and a page left open for a day does not grow. One task
//! looks for changes for all browsers, and only while one is connected.

use std::convert::Infallible;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use tokio::sync::watch;
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{Stream, StreamExt};

use super::Web;

/// How often the task looks for changes.
const EVERY: Duration = Duration::from_secs(1);

/// The number of changes so far.
#[derive(Debug)]
pub(super) struct ChangeEvents {
    number: watch::Sender<u64>,
}

impl Default for ChangeEvents {
    fn default() -> Self {
        Self { number: watch::Sender::new(0) }
    }
}

impl ChangeEvents {
    /// Returns the events for one browser: `hello`, then `changed` after every change.
    pub(super) fn stream(&self) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
        let mut name = "hello";
        let events = WatchStream::new(self.number.subscribe()).map(move |number| {
            let event = Event::default().event(name).data(format!("{{\"change\":{number}}}"));
            name = "changed";
            Ok(event)
        });
        Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(20)))
    }

    /// Reports a change.
    pub(super) fn report(&self) {
        self.number.send_modify(|number| *number += 1);
    }
}

/// Looks for changes as long as the server runs.
pub(super) async fn watch(web: Arc<Web>) {
    let mut last = None;
    loop {
        tokio::time::sleep(EVERY).await;
        if web.changes.number.receiver_count() == 0 {
            last = None;
            continue;
        }
        let reader = Arc::clone(&web);
        let Ok(stamp) = tokio::task::spawn_blocking(move || stamp(&reader)).await else { continue };
        // The first stamp counts as a change: what changed between the browser's connection and now is part of it.
        if last.replace(stamp) != Some(stamp) {
            web.changes.report();
        }
    }
}

/// Returns a number that differs if a session, an intent, an automation or the queue changed.
fn stamp(web: &Web) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut add = |path: &event::AbsPath| {
        let meta = fs::metadata(path.as_path()).ok();
        (meta.as_ref().map(fs::Metadata::len), meta.and_then(|it| it.modified().ok())).hash(&mut hasher);
    };
    for id in web.workspace.sessions().unwrap_or_default() {
        add(&web.workspace.session(id).events_file());
    }
    add(&web.workspace.automation_queue());
    add(&web.workspace.intents_file());
    if let Some(state) = &web.user_state {
        add(&store::asks_folder(state));
    }
    add(&web.workspace.agent_runs_dir());
    for page in super::data::served_pages(web) {
        page.url.hash(&mut hasher);
    }
    web.doctor.looked_at().hash(&mut hasher);
    let snapshot = web.snapshots.get();
    (&snapshot.objection, &snapshot.paused, &snapshot.file_problems).hash(&mut hasher);
    for row in &*snapshot.automations {
        (&row.id, &row.label, &row.trigger, row.enabled, &row.impediment).hash(&mut hasher);
    }
    for run in &snapshot.runs {
        (&run.id, &run.status).hash(&mut hasher);
    }
    hasher.finish()
}
