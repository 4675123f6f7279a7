//! A pid namespace: the command sees no process outside, and the processes that it leaves behind end with it.
//!
//! WHY not for every command: a server that one call starts must live until another stops it. A command without the network
//! and without the rest of the home leaves no server of use to another.

use std::os::fd::AsFd;
use std::path::Path;

use super::supervisor::{Supervised, supervise_first_process, supervise_second_process};
use super::system::{NO_DEVICES, NO_SETUID, attach, close_others, new_file_system, place};
use super::{Failure, Step};

/// Enters the namespace that `unshare` made for children. Returns only in the process that is to become the command; the
/// two processes above it wait for its end and end in the same way.
///
/// The first process of a namespace must take in orphans, so the command is the second.
pub(super) fn enter() -> Result<(), Failure> {
    if let Supervised::Parent(end) = supervise_first_process(close_others).step("fork")? {
        end.follow();
    }
    // The one below shows the processes of the namespace outside.
    let processes = new_file_system(c"proc", &[], NO_SETUID | NO_DEVICES)
        .step("mounting the processes of a namespace")?;
    let there = place(Path::new("/proc")).step("opening /proc")?;
    attach(processes.as_fd(), there.as_fd()).step("move_mount")?;
    match supervise_second_process(close_others).step("fork")? {
        Supervised::Command => Ok(()),
        Supervised::Parent(end) => end.follow(),
    }
}
