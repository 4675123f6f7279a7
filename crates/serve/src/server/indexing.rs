//! Keeps the history's index up to the journals while runs end, so that whoever asks need not
//! wait until a day's runs are read.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use store::Workspace;

use crate::history::History;

/// How much time lies between two updates at least.
const EVERY: Duration = Duration::from_secs(2);

/// A thread that reads what was added to the journals when it is told to.
#[derive(Debug)]
pub(super) struct Indexing {
    wake: SyncSender<()>,
    /// How many runs had ended when it was last told.
    n_ended: Option<u64>,
    not_before: Instant,
}

impl Indexing {
    pub(super) fn begin(workspace: Workspace) -> Self {
        let (wake, told) = sync_channel(1);
        thread::spawn(move || {
            for () in told {
                // Opened anew each time: `git clean` may have taken it away. What fails now, such as
                // on a full disk, is done by the next update or by whoever asks.
                let _ = History::open(&workspace);
            }
        });
        Self { wake, n_ended: None, not_before: Instant::now() }
    }

    /// Says how many runs have ended. Returns when to say so again, if that is to be soon.
    pub(super) fn hear(&mut self, n_ended: u64, moment: Instant) -> Option<Instant> {
        if self.n_ended == Some(n_ended) {
            return None;
        }
        if moment < self.not_before {
            return Some(self.not_before);
        }
        // One update that has not begun sees all there is.
        let _ = self.wake.try_send(());
        self.n_ended = Some(n_ended);
        self.not_before = moment + EVERY;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_follows_when_runs_end_but_not_at_once_after_the_last() {
        let (wake, told) = sync_channel(1);
        let start = Instant::now();
        let mut indexing = Indexing { wake, n_ended: None, not_before: start };
        assert_eq!((indexing.hear(0, start), told.try_recv()), (None, Ok(())), "what was there at the start");
        assert_eq!(indexing.hear(0, start + EVERY * 9), None);
        assert!(told.try_recv().is_err(), "nothing ended");
        assert_eq!((indexing.hear(1, start + EVERY * 9), told.try_recv()), (None, Ok(())));
        assert_eq!(indexing.hear(2, start + EVERY * 9), Some(start + EVERY * 10));
        assert!(told.try_recv().is_err(), "too soon");
        assert_eq!((indexing.hear(2, start + EVERY * 10), told.try_recv()), (None, Ok(())));
    }
}
