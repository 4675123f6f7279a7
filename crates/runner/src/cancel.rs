//! Cancels a run from another thread.

use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::pipes::Message;

/// A handle that cancels every run it was passed to. Clones share their state.
#[derive(Debug, Clone, Default)]
pub struct Cancel {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    is_cancelled: bool,
    /// The longest time between SIGTERM and SIGKILL, if shorter than the runs' own.
    grace: Option<Duration>,
    running: Vec<SyncSender<Message>>,
}

impl Cancel {
    /// Creates a handle that has not been cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Cancels the runs that have this handle, and every later run as soon as it starts.
    pub fn cancel(&self) {
        let mut state = self.state();
        state.is_cancelled = true;
        for run in state.running.drain(..) {
            // A run whose mailbox is full checks the flag before it waits again.
            let _ = run.try_send(Message::Cancelled);
        }
    }

    /// Does the same, and kills processes that outlive this grace period: a program that ends soon cannot wait for the
    /// runs' own.
    pub fn cancel_within(&self, grace: Duration) {
        self.state().grace = Some(grace);
        self.cancel();
    }

    /// Returns the shorter of a run's own grace period and that of [`Self::cancel_within`].
    pub(crate) fn limit_grace(&self, own: Duration) -> Duration {
        self.state().grace.map_or(own, |grace| grace.min(own))
    }

    /// Returns whether [`Self::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.state().is_cancelled
    }

    /// Registers the mailbox of a run.
    pub(crate) fn wake(&self, run: SyncSender<Message>) {
        let mut state = self.state();
        if state.is_cancelled {
            let _ = run.try_send(Message::Cancelled);
        }
        state.running.push(run);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
