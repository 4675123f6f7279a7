//! The process tree of a run on systems where only its process group is known.

use std::process::Child;

#[cfg(unix)]
use rustix::process::{self, Pid, Signal};

use super::StopSignal;

/// The process group of one run.
#[derive(Debug)]
pub(crate) struct ProcessTree {
    #[cfg_attr(not(unix), expect(dead_code, reason = "there are no process groups to signal here"))]
    root: u32,
}

impl ProcessTree {
    /// Starts a program.
    pub(crate) fn start<E>(spawn: impl FnOnce() -> Result<Child, E>) -> Result<Child, E> {
        spawn()
    }

    /// Returns the tree of a program that was just started as the leader of a group.
    pub(crate) fn of_root(root: u32, _mark: &str) -> Self {
        Self { root }
    }

    /// Returns an empty tree: this system cannot find processes by their mark.
    pub(crate) fn of_mark(_mark: &str) -> Self {
        Self { root: 0 }
    }

    /// Does nothing: this system has no subreaper.
    pub(crate) fn adopt_orphans() {}

    /// Sends the signal to the group.
    #[cfg(unix)]
    pub(crate) fn signal(&mut self, stop: StopSignal) {
        let signal = match stop {
            StopSignal::Terminate => Signal::TERM,
            StopSignal::Kill => Signal::KILL,
        };
        if let Some(group) = self.group() {
            let _ = process::kill_process_group(group, signal);
        }
    }

    /// Does nothing: the caller ends the program by its handle.
    #[cfg(not(unix))]
    pub(crate) fn signal(&mut self, _urgency: StopSignal) {}

    /// Returns false: the dead leader still holds the group id, so the group always exists.
    pub(crate) fn has_leftovers(&mut self) -> bool {
        false
    }

    /// Kills the group.
    pub(crate) fn kill_all(&mut self) -> usize {
        self.signal(StopSignal::Kill);
        0
    }

    #[cfg(unix)]
    fn group(&self) -> Option<Pid> {
        i32::try_from(self.root).ok().filter(|root| *root > 0).and_then(Pid::from_raw)
    }
}
