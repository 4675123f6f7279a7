//! The user namespaces: one that may mount, and for uid 0 a second one that may not undo it.
#![expect(unsafe_code, reason = "a child that shares memory has no safe interface")]

use std::ffi::CString;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use super::system::{join_user_namespace, unshare, user_and_group, write_file};
use super::{Failure, Step};

/// Enters a user namespace, and others of `flags`, in which only the own ids exist.
pub(super) fn enter_with_own_id(flags: libc::c_int) -> Result<(), Failure> {
    let (user, group) = user_and_group();
    unshare(libc::CLONE_NEWUSER | flags).step("unshare(CLONE_NEWUSER)")?;
    write_file(c"/proc/self/setgroups", b"deny").step("writing /proc/self/setgroups")?;
    write_file(c"/proc/self/uid_map", format!("{user} {user} 1").as_bytes())
        .step("writing /proc/self/uid_map")?;
    write_file(c"/proc/self/gid_map", format!("{group} {group} 1").as_bytes())
        .step("writing /proc/self/gid_map")
}

/// A user namespace that holds every id of the present one.
///
/// WHY it keeps the child: waiting for its end at once would cost a switch to it and back. By the time that this value is
/// dropped the child has ended, mostly.
/// INVARIANT: it is dropped before the command runs, which has power over this namespace and could reach the root folder
/// of the child, outside of all mounts.
#[derive(Debug)]
pub(super) struct WholeRange {
    namespace: OwnedFd,
    holder: Option<Holder>,
}

impl WholeRange {
    /// Creates it, which only a privileged process may.
    pub(super) fn create() -> io::Result<Self> {
        let holder = Holder::start()?;
        for ids in ["uid", "gid"] {
            let own = own_map(&format!("/proc/self/{ids}_map"))?;
            let map = CString::new(format!("/proc/{}/{ids}_map", holder.pid)).unwrap_or_default();
            write_file(&map, same_ids(&own).as_bytes())?;
        }
        let namespace = File::open(format!("/proc/{}/ns/user", holder.pid))?;
        holder.end();
        Ok(Self { namespace: namespace.into(), holder: Some(holder) })
    }

    /// Waits for the end of the child, which only this process can.
    pub(super) fn wait(&mut self) {
        self.holder = None;
    }

    /// Joins it, which gives up all privileges over the namespaces of the caller.
    pub(super) fn join(&self) -> io::Result<()> {
        join_user_namespace(self.namespace())
    }

    fn namespace(&self) -> BorrowedFd<'_> {
        self.namespace.as_fd()
    }
}

/// Reads a map of ids. WHY not `fs::read_to_string`: it asks for the size, which is zero, and then reads by the byte.
fn own_map(path: &str) -> io::Result<String> {
    // The kernel keeps at most 340 lines of 33 bytes.
    let mut map = Vec::with_capacity(12 * 1024);
    File::open(path)?.read_to_end(&mut map)?;
    String::from_utf8(map).map_err(|_| io::ErrorKind::InvalidData.into())
}

/// Returns a map of each id to itself, for all ids of a map.
fn same_ids(map: &str) -> String {
    let same = |line: &str| {
        let mut numbers = line.split_ascii_whitespace();
        let (inside, count) = (numbers.next()?, numbers.nth(1)?);
        Some(format!("{inside} {inside} {count}\n"))
    };
    map.lines().filter_map(same).collect::<Vec<_>>().concat()
}

/// A child in a new user namespace that does nothing, until it is dropped.
///
/// WHY a child: only a process of the parent namespace may write a map of many ids, so another process must be in the
/// new one meanwhile. WHY shared memory: copying the address space would take longer than all mounts.
#[derive(Debug)]
struct Holder {
    pid: libc::pid_t,
    _stack: Box<[u128; 256]>,
}

impl Holder {
    fn start() -> io::Result<Self> {
        extern "C" fn wait(parent: *mut libc::c_void) -> libc::c_int {
            // SAFETY: no call here touches memory of the parent, other than `errno`; the parent reads that only after
            // calls of its own that failed.
            unsafe {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0);
                // The parent may have ended before the line above.
                if libc::getppid().cast_unsigned() as usize == parent as usize {
                    libc::pause();
                }
                libc::_exit(0)
            }
        }
        let mut stack = Box::new([0_u128; 256]);
        // SAFETY: the stack outlives the child, which `drop` ends; its end is aligned to 16 bytes; the child calls
        // nothing but the system.
        let pid = unsafe {
            let top = stack.as_mut_ptr().add(stack.len());
            let flags = libc::CLONE_VM | libc::CLONE_NEWUSER;
            libc::clone(wait, top.cast(), flags, libc::getpid().cast_unsigned() as usize as *mut libc::c_void)
        };
        if pid < 0 { Err(io::Error::last_os_error()) } else { Ok(Self { pid, _stack: stack }) }
    }
}

impl Holder {
    /// Ends the child; what holds the namespace by then keeps it.
    fn end(&self) {
        // SAFETY: the child is ours and not yet waited for, so its number still names it.
        unsafe { libc::kill(self.pid, libc::SIGKILL) };
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        self.end();
        // SAFETY: as above.
        unsafe { libc::waitpid(self.pid, std::ptr::null_mut(), libc::__WALL) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mapped_id_is_mapped_to_itself() {
        assert_eq!(same_ids("         0          0 4294967295\n"), "0 0 4294967295\n");
        assert_eq!(same_ids("0 1000 1\n1 100000 65536\n"), "0 0 1\n1 1 65536\n");
        assert_eq!(same_ids(""), "");
    }
}
