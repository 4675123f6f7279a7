//! Tells browsers that something changed, by server-sent events.
//!
//! A browser loads the page again, so no state is kept for it, and a page left open for a day does not grow. One task
//! looks for changes for all browsers, and only while one is connected.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use tokio::sync::watch;
use tokio_stream::wrappers::WatchStream;
use tokio_stream::{Stream, StreamExt};

use super::Web;
use super::stamp::stamp;

/// How often the task looks for changes.
const EVERY: Duration = Duration::from_secs(1);

/// The latest change.
#[derive(Debug, Clone, Copy, Default)]
struct Change {
    /// The number of changes so far.
    number: u64,
    /// The state after it.
    stamp: u64,
}

/// The changes of everything that the pages show.
#[derive(Debug)]
pub(super) struct ChangeEvents {
    latest: watch::Sender<Change>,
}

impl Default for ChangeEvents {
    fn default() -> Self {
        Self { latest: watch::Sender::new(Change::default()) }
    }
}

impl ChangeEvents {
    /// Returns the events for one browser: `hello`, then `changed` after every change. Both have the stamp of the state,
    /// so that a page that shows this state is not loaded again.
    pub(super) fn stream(&self) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
        let mut name = "hello";
        let events = WatchStream::new(self.latest.subscribe()).map(move |Change { number, stamp }| {
            let event = Event::default()
                .event(name)
                .data(format!("{{\"change\":{number},\"stamp\":\"{}\"}}", shown(stamp)));
            name = "changed";
            Ok(event)
        });
        Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(20)))
    }

    /// Reports a state if it differs from the last one.
    fn report(&self, stamp: u64) {
        self.latest.send_if_modified(|latest| {
            let is_new = latest.stamp != stamp;
            if is_new {
                *latest = Change { number: latest.number + 1, stamp };
            }
            is_new
        });
    }
}

/// Returns a stamp as pages and events contain it.
pub(super) fn shown(stamp: u64) -> String {
    format!("{stamp:x}")
}

/// Looks for a change now: a browser connects or has changed something.
pub(super) async fn look(web: &Arc<Web>) {
    let reader = Arc::clone(web);
    if let Ok(stamp) = tokio::task::spawn_blocking(move || stamp(&reader)).await {
        web.changes.report(stamp);
    }
}

/// Looks for changes as long as the server runs.
pub(super) async fn watch(web: Arc<Web>) {
    loop {
        tokio::time::sleep(EVERY).await;
        if web.changes.latest.receiver_count() > 0 {
            look(&web).await;
        }
    }
}
