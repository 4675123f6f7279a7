//! Whether the system's list of processes is the kernel's own.
//!
//! WHY: in a namespace of its own an agent can mount something else over `/proc`, over one process in it, or over the id
//! of the system's start. Then no ancestor is known, or another one.

use std::os::unix::process::parent_id;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, PROC_SUPER_MAGIC, StatxAttributes, StatxFlags, statfs, statx};

use super::process_chain;

/// Returns whether the list of processes was replaced, as far as it tells who started this process.
pub(super) fn is_replaced() -> bool {
    let own = std::process::id();
    let chain = process_chain::ancestors();
    // The parent of the last known process, too: it may be the one that something hides.
    let above = chain.iter().flat_map(|process| [process.pid, process.parent]);
    let pids = [own, parent_id()].into_iter().chain(above);
    let are_mounted = pids.filter(|pid| *pid != 0).any(|pid| {
        let folder = format!("/proc/{pid}");
        // A process of another user may be hidden.
        Path::new(&folder).exists() && (is_foreign(&folder) || is_foreign(&format!("{folder}/stat")))
    });
    let knows_itself = process_chain::own().is_some_and(|it| it.pid == own && it.parent == parent_id());
    !knows_itself || are_mounted || is_foreign("/proc/sys/kernel/random/boot_id")
}

/// Returns whether a path is not of the kernel's list of processes, or something is mounted there.
fn is_foreign(path: &str) -> bool {
    let is_of_kernel = statfs(path).is_ok_and(|it| it.f_type == PROC_SUPER_MAGIC);
    // Kernels before 5.8 do not tell.
    let is_mount = statx(CWD, path, AtFlags::SYMLINK_NOFOLLOW, StatxFlags::empty())
        .is_ok_and(|it| it.stx_attributes.contains(StatxAttributes::MOUNT_ROOT));
    !is_of_kernel || is_mount
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_a_system_is_its_own_and_another_folder_is_not() {
        assert!(!is_replaced());
        assert!(is_foreign("/"), "another file system, and a mount");
        assert!(is_foreign("/proc"), "a mount");
        assert!(is_foreign("/proc/no such file"));
    }
}
