//! Everything a program has started, and how it is ended.
//!
//! A run is a session of its own, so one signal reaches all that stay in it. A process that
//! has left the session is found by its ancestors, or, if those are gone, by the mark in its
//! environment; being the reaper of orphans makes it our child, so that it can be buried.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod portable;
#[cfg(target_os = "linux")]
mod process_table;

#[cfg(target_os = "linux")]
pub(crate) use linux::Family;
#[cfg(not(target_os = "linux"))]
pub(crate) use portable::Family;

/// How hard a family is asked to leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// SIGTERM: clean up and go.
    Asked,
    /// SIGKILL: gone.
    Forced,
}

/// Kills whatever a run with this mark has left behind, such as the run of a process that was
/// itself killed. Returns how many processes there were.
pub fn end_leftovers(mark: &str) -> usize {
    Family::of_mark(mark).end_now()
}
