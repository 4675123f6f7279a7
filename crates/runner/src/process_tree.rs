//! All processes that a program has started, and how they are ended.
//!
//! A run has its own session, so one signal reaches every process that stays in it. A process
//! that has left the session is found by its ancestors or, if those have exited, by the mark in
//! its environment. We are the subreaper of orphans, so they become our children and we reap them.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod portable;
#[cfg(target_os = "linux")]
mod process_table;

#[cfg(target_os = "linux")]
pub(crate) use linux::ProcessTree;
#[cfg(not(target_os = "linux"))]
pub(crate) use portable::ProcessTree;

/// The signal that ends the processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StopSignal {
    /// SIGTERM: the process may clean up.
    Terminate,
    /// SIGKILL: the process cannot refuse.
    Kill,
}

/// Kills every process with this mark, such as those of a run whose steersman process was
/// itself killed. Returns how many processes there were.
pub fn end_leftovers(mark: &str) -> usize {
    ProcessTree::of_mark(mark).kill_all()
}
