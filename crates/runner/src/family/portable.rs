//! The family of a run where only its process group is known.

#[cfg(unix)]
use rustix::process::{self, Pid, Signal};

use super::Urgency;

/// The process group of one run.
#[derive(Debug)]
pub(crate) struct Family {
    #[cfg_attr(not(unix), expect(dead_code, reason = "there are no process groups to signal here"))]
    root: u32,
}

impl Family {
    /// The family of a program that was just started as the leader of a group.
    pub(crate) fn of_root(root: u32, _mark: &str) -> Self {
        Self { root }
    }

    /// Nobody: processes cannot be found by their mark here.
    pub(crate) fn of_mark(_mark: &str) -> Self {
        Self { root: 0 }
    }

    /// Does nothing: there is no such service here.
    pub(crate) fn adopt_orphans() {}

    /// Sends the group the signal.
    #[cfg(unix)]
    pub(crate) fn signal(&mut self, urgency: Urgency) {
        let signal = match urgency {
            Urgency::Asked => Signal::TERM,
            Urgency::Forced => Signal::KILL,
        };
        if let Some(group) = self.group() {
            let _ = process::kill_process_group(group, signal);
        }
    }

    /// Does nothing: the program itself is ended by its handle.
    #[cfg(not(unix))]
    pub(crate) fn signal(&mut self, _urgency: Urgency) {}

    /// Returns false: the dead leader keeps the group's number, so asking would always say yes.
    pub(crate) fn has_leftovers(&mut self) -> bool {
        false
    }

    /// Kills the group.
    pub(crate) fn end_now(&mut self) -> usize {
        self.signal(Urgency::Forced);
        0
    }

    #[cfg(unix)]
    fn group(&self) -> Option<Pid> {
        i32::try_from(self.root).ok().filter(|root| *root > 0).and_then(Pid::from_raw)
    }
}
