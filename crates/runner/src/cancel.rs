//! Calling a run off from another thread.

use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::plumbing::Message;

/// A handle that ends every run it was given to. Clones are the same handle.
#[derive(Debug, Clone, Default)]
pub struct Cancel {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    called_off: bool,
    waiting: Vec<SyncSender<Message>>,
}

impl Cancel {
    /// Makes a handle that has not been used.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the runs that have this handle, and every later one at once.
    pub fn cancel(&self) {
        let mut state = self.state();
        state.called_off = true;
        for run in state.waiting.drain(..) {
            // A run whose mailbox is full looks at the flag before it waits again.
            let _ = run.try_send(Message::Cancelled);
        }
    }

    /// Returns whether it was used.
    pub fn is_cancelled(&self) -> bool {
        self.state().called_off
    }

    /// Remembers whom to wake.
    pub(crate) fn wake(&self, run: SyncSender<Message>) {
        let mut state = self.state();
        if state.called_off {
            let _ = run.try_send(Message::Cancelled);
        }
        state.waiting.push(run);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
