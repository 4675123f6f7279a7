//! Cancels a run from another thread.

use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::pipes::Message;

/// A handle that cancels every run it was passed to. Clones share their state.
#[derive(Debug, Clone, Default)]
pub struct Cancel {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    is_cancelled: bool,
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
