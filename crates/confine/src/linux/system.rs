//! The system calls of confinement that the standard library lacks, each as one safe function.
#![expect(unsafe_code, reason = "system calls without a safe interface")]

use std::ffi::{CStr, CString};
use std::io;
use std::mem::{self, ManuallyDrop};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr;

use crate::path_bytes::is_clean;

// WHY by number: these are equal on all architectures, and the bindings for some C libraries lack them.
const OPEN_TREE: libc::c_long = 428;
const MOVE_MOUNT: libc::c_long = 429;
const FSOPEN: libc::c_long = 430;
const FSCONFIG: libc::c_long = 431;
const FSMOUNT: libc::c_long = 432;
const CLOSE_RANGE: libc::c_long = 436;
const OPENAT2: libc::c_long = 437;
const MOUNT_SETATTR: libc::c_long = 442;
const LANDLOCK_CREATE_RULESET: libc::c_long = 444;
const LANDLOCK_ADD_RULE: libc::c_long = 445;
const LANDLOCK_RESTRICT_SELF: libc::c_long = 446;

const RESOLVE_NO_SYMLINKS: u64 = 0x04;
const OPEN_TREE_CLONE: u32 = 1;
const AT_RECURSIVE: u32 = 0x8000;
const AT_EMPTY_PATH: u32 = 0x1000;
const MOVE_FROM_EMPTY: u32 = 0x04;
const MOVE_BOTH_EMPTY: u32 = MOVE_FROM_EMPTY | 0x40;
const FSCONFIG_SET_FLAG: u32 = 0;
const FSCONFIG_SET_STRING: u32 = 1;
const FSCONFIG_CMD_CREATE: u32 = 6;
const FSMOUNT_CLOEXEC: u32 = 1;

/// A read-only mount.
pub(super) const READ_ONLY: u64 = 0x01;
/// A mount whose setuid bits have no effect.
pub(super) const NO_SETUID: u64 = 0x02;
/// A mount whose device nodes cannot be opened.
pub(super) const NO_DEVICES: u64 = 0x04;

#[repr(C)]
struct OpenHow {
    flags: u64,
    mode: u64,
    resolve: u64,
}

#[repr(C)]
struct MountAttr {
    set: u64,
    clear: u64,
    propagation: u64,
    userns: u64,
}

/// The attributes of a Landlock ruleset.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ruleset {
    pub(super) files: u64,
    pub(super) network: u64,
    pub(super) scoped: u64,
}

#[repr(C, packed)]
struct PathBeneath {
    allowed: u64,
    parent: i32,
}

/// A descriptor that stays open until this process becomes the command, which closes it.
///
/// WHY: to close each by a call of its own took a tenth of the whole confinement. From a certain number on they are
/// closed after use, so that a long plan does not exceed the limit of open files.
#[derive(Debug)]
pub(super) struct Handle(ManuallyDrop<OwnedFd>);

/// The first descriptor that a [`Handle`] closes after use.
const FIRST_CLOSED: RawFd = 96;

impl From<OwnedFd> for Handle {
    fn from(fd: OwnedFd) -> Self {
        Self(ManuallyDrop::new(fd))
    }
}

impl AsFd for Handle {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        if self.0.as_raw_fd() >= FIRST_CLOSED {
            // SAFETY: the value is not used again.
            unsafe { ManuallyDrop::drop(&mut self.0) };
        }
    }
}

/// Returns a path for the kernel.
pub(super) fn c_path(path: &Path) -> io::Result<CString> {
    CString::new(path.as_os_str().as_bytes()).map_err(|_| io::Error::from_raw_os_error(libc::EINVAL))
}

fn result(value: libc::c_long) -> io::Result<libc::c_long> {
    if value < 0 { Err(io::Error::last_os_error()) } else { Ok(value) }
}

fn descriptor(value: libc::c_long) -> io::Result<OwnedFd> {
    let fd = RawFd::try_from(result(value)?).map_err(|_| io::Error::from_raw_os_error(libc::EBADF))?;
    // SAFETY: the kernel has just returned this descriptor, so nothing else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Opens the place of a path, or fails with `ELOOP` if a link is on the way.
///
/// WHY: a process that an earlier command left behind may swap a folder of the scope for a link at any moment.
pub(super) fn place(path: &Path) -> io::Result<Handle> {
    linkless(path).map(Handle::from)
}

fn linkless(path: &Path) -> io::Result<OwnedFd> {
    let path = c_path(path)?;
    let flags = u64::from((libc::O_PATH | libc::O_CLOEXEC).cast_unsigned());
    let how = OpenHow { flags, mode: 0, resolve: RESOLVE_NO_SYMLINKS };
    // SAFETY: the path is NUL-terminated and the structure has the size that is passed.
    descriptor(unsafe {
        libc::syscall(OPENAT2, libc::AT_FDCWD, path.as_ptr(), &raw const how, size_of::<OpenHow>())
    })
}

/// Returns the path without links of something that exists. A path without links takes one look, not one per component.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    if is_clean(path) {
        match linkless(path) {
            Ok(_) => return Ok(path.to_path_buf()),
            // No link is on the way to what is missing: a link would have been met first.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(error),
            // A link, or a kernel without the call.
            Err(_) => {}
        }
    }
    path.canonicalize()
}

/// Returns a detached copy of the mounts at a path of the system, where no command can put a link.
pub(super) fn clone_system_mount(path: &CStr) -> io::Result<Handle> {
    let flags = OPEN_TREE_CLONE | AT_RECURSIVE | libc::O_CLOEXEC.cast_unsigned();
    // SAFETY: the path is NUL-terminated.
    descriptor(unsafe { libc::syscall(OPEN_TREE, libc::AT_FDCWD, path.as_ptr(), flags) }).map(Handle::from)
}

/// Attaches a detached mount at a path of the system, where no command can put a link.
pub(super) fn attach_to_system(mount: BorrowedFd<'_>, path: &CStr) -> io::Result<()> {
    let empty = c"".as_ptr();
    // SAFETY: the paths are NUL-terminated.
    result(unsafe {
        libc::syscall(MOVE_MOUNT, mount.as_raw_fd(), empty, libc::AT_FDCWD, path.as_ptr(), MOVE_FROM_EMPTY)
    })
    .map(drop)
}

/// Returns a detached copy of the mounts at a place, with all below it.
pub(super) fn clone_mount(place: BorrowedFd<'_>) -> io::Result<Handle> {
    let flags = OPEN_TREE_CLONE | AT_RECURSIVE | AT_EMPTY_PATH | libc::O_CLOEXEC.cast_unsigned();
    // SAFETY: the path is NUL-terminated.
    descriptor(unsafe { libc::syscall(OPEN_TREE, place.as_raw_fd(), c"".as_ptr(), flags) }).map(Handle::from)
}

/// Attaches a detached mount at a place.
pub(super) fn attach(mount: BorrowedFd<'_>, place: BorrowedFd<'_>) -> io::Result<()> {
    let empty = c"".as_ptr();
    // SAFETY: the paths are NUL-terminated.
    result(unsafe {
        libc::syscall(MOVE_MOUNT, mount.as_raw_fd(), empty, place.as_raw_fd(), empty, MOVE_BOTH_EMPTY)
    })
    .map(drop)
}

/// Adds attributes to a mount and all mounts below it. Never clears one: inside other sandboxes that is refused.
pub(super) fn add_attributes(mount: BorrowedFd<'_>, set: u64) -> io::Result<()> {
    add_to(mount, set, AT_RECURSIVE)
}

/// Adds attributes to a mount alone.
pub(super) fn add_attributes_here(mount: BorrowedFd<'_>, set: u64) -> io::Result<()> {
    add_to(mount, set, 0)
}

fn add_to(mount: BorrowedFd<'_>, set: u64, recursive: u32) -> io::Result<()> {
    let attr = MountAttr { set, clear: 0, propagation: 0, userns: 0 };
    // SAFETY: the path is NUL-terminated and the structure has the size that is passed.
    result(unsafe {
        libc::syscall(
            MOUNT_SETATTR,
            mount.as_raw_fd(),
            c"".as_ptr(),
            AT_EMPTY_PATH | recursive,
            &raw const attr,
            size_of::<MountAttr>(),
        )
    })
    .map(drop)
}

/// Stops the exchange of mounts with other namespaces.
pub(super) fn make_private() -> io::Result<()> {
    // SAFETY: the path is NUL-terminated; the other pointers may be null for this operation.
    let done = unsafe {
        libc::mount(ptr::null(), c"/".as_ptr(), ptr::null(), libc::MS_REC | libc::MS_PRIVATE, ptr::null())
    };
    result(done.into()).map(drop)
}

/// Creates a detached file system. An option is a flag if its value is empty.
pub(super) fn new_file_system(
    kind: &CStr,
    options: &[(&CStr, &CStr)],
    attributes: u64,
) -> io::Result<Handle> {
    // SAFETY: every string is NUL-terminated, and unused pointers are null as each command requires.
    unsafe {
        let context = Handle::from(descriptor(libc::syscall(FSOPEN, kind.as_ptr(), 1))?);
        let fd = context.as_fd().as_raw_fd();
        for (name, value) in options {
            if value.is_empty() {
                result(libc::syscall(FSCONFIG, fd, FSCONFIG_SET_FLAG, name.as_ptr(), ptr::null::<u8>(), 0))?;
            } else {
                result(libc::syscall(FSCONFIG, fd, FSCONFIG_SET_STRING, name.as_ptr(), value.as_ptr(), 0))?;
            }
        }
        result(libc::syscall(FSCONFIG, fd, FSCONFIG_CMD_CREATE, ptr::null::<u8>(), ptr::null::<u8>(), 0))?;
        descriptor(libc::syscall(FSMOUNT, fd, FSMOUNT_CLOEXEC, attributes)).map(Handle::from)
    }
}

/// Removes a mount from its place; what refers to it keeps it.
pub(super) fn detach(path: &CStr) -> io::Result<()> {
    // SAFETY: the path is NUL-terminated.
    result(unsafe { libc::umount2(path.as_ptr(), libc::MNT_DETACH) }.into()).map(drop)
}

/// Leaves shared namespaces for new ones.
pub(super) fn unshare(flags: libc::c_int) -> io::Result<()> {
    // SAFETY: takes no pointer.
    result(unsafe { libc::unshare(flags) }.into()).map(drop)
}

/// Joins a user namespace.
pub(super) fn join_user_namespace(namespace: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: takes no pointer.
    result(unsafe { libc::setns(namespace.as_raw_fd(), libc::CLONE_NEWUSER) }.into()).map(drop)
}

/// Sends the mount namespace of this process over a socket. It lives as long as the message.
pub(super) fn send_own_mount_namespace(socket: &OwnedFd) -> io::Result<()> {
    /// The size of a descriptor.
    const ONE: libc::c_uint = 4;
    #[repr(C, align(8))]
    struct Control([u8; 32]);
    const { assert!(size_of::<RawFd>() == ONE as usize) };
    // SAFETY: the path is NUL-terminated; all zeros is a valid message; the buffer is aligned for the header that the
    // system's macros put into it, and everything lives during the calls.
    unsafe {
        let flags = libc::O_RDONLY | libc::O_CLOEXEC;
        let path = c"/proc/self/ns/mnt".as_ptr();
        let own = Handle::from(descriptor(libc::syscall(libc::SYS_openat, libc::AT_FDCWD, path, flags, 0))?);
        let mut control = Control([0; 32]);
        let mut message: libc::msghdr = mem::zeroed();
        message.msg_control = control.0.as_mut_ptr().cast();
        message.msg_controllen = libc::CMSG_SPACE(ONE) as _;
        debug_assert!(message.msg_controllen as usize <= control.0.len());
        let header = libc::CMSG_FIRSTHDR(&raw const message);
        (*header).cmsg_level = libc::SOL_SOCKET;
        (*header).cmsg_type = libc::SCM_RIGHTS;
        (*header).cmsg_len = libc::CMSG_LEN(ONE) as _;
        libc::CMSG_DATA(header).cast::<RawFd>().write_unaligned(own.as_fd().as_raw_fd());
        result(libc::sendmsg(socket.as_raw_fd(), &raw const message, libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT)
            as _)
        .map(drop)
    }
}

/// Makes a folder in a folder.
pub(super) fn make_folder(path: &CStr, mode: libc::mode_t) -> io::Result<()> {
    // SAFETY: the path is NUL-terminated.
    result(unsafe { libc::mkdir(path.as_ptr(), mode) }.into())?;
    // SAFETY: as above. The umask does not count here.
    result(unsafe { libc::chmod(path.as_ptr(), mode) }.into()).map(drop)
}

/// Makes an empty file.
pub(super) fn make_file(path: &CStr) -> io::Result<()> {
    let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL | libc::O_CLOEXEC;
    // SAFETY: the path is NUL-terminated.
    descriptor(unsafe { libc::open(path.as_ptr(), flags, 0o644) }.into()).map(drop)
}

/// Returns whether a descriptor is that of a folder.
pub(super) fn is_folder(fd: BorrowedFd<'_>) -> io::Result<bool> {
    // SAFETY: all zeros is a valid `stat`, which lives during the call.
    unsafe {
        let mut stat: libc::stat = mem::zeroed();
        result(libc::fstat(fd.as_raw_fd(), &raw mut stat).into())?;
        Ok(stat.st_mode & libc::S_IFMT == libc::S_IFDIR)
    }
}

/// Closes all descriptors but the standard ones.
pub(super) fn close_others() {
    // SAFETY: the caller uses none of them again.
    unsafe { libc::syscall(CLOSE_RANGE, libc::STDERR_FILENO + 1, libc::c_uint::MAX, 0) };
}

/// Changes the current folder.
pub(super) fn change_folder(path: &CStr) -> io::Result<()> {
    // SAFETY: the path is NUL-terminated.
    result(unsafe { libc::chdir(path.as_ptr()) }.into()).map(drop)
}

/// Renounces new privileges by setuid programs, for this process and its children.
pub(super) fn renounce_privileges() -> io::Result<()> {
    // SAFETY: takes no pointer.
    result(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }.into()).map(drop)
}

/// Leaves the keyring of the session, which programs outside share, for an empty one.
///
/// It fails where a filter forbids keys altogether, or where the user has no room for one more; both leave the command
/// nothing but the keys of its own session.
pub(super) fn leave_session_keyring() {
    const JOIN_SESSION_KEYRING: libc::c_long = 1;
    // SAFETY: a null name asks for a keyring without one.
    unsafe { libc::syscall(libc::SYS_keyctl, JOIN_SESSION_KEYRING, ptr::null::<u8>()) };
}

/// Returns whether a seccomp filter is in force, which may refuse this question too.
pub(super) fn is_filtered() -> bool {
    // SAFETY: takes no pointer.
    let mode = result(unsafe { libc::prctl(libc::PR_GET_SECCOMP, 0, 0, 0, 0) }.into());
    // A kernel without filters does not know the question.
    mode.map_or_else(|error| error.raw_os_error() != Some(libc::EINVAL), |mode| mode != 0)
}

/// Installs a seccomp filter.
pub(super) fn filter_calls(filter: &mut [libc::sock_filter]) -> io::Result<()> {
    let len = u16::try_from(filter.len()).map_err(|_| io::Error::from_raw_os_error(libc::E2BIG))?;
    let program = libc::sock_fprog { len, filter: filter.as_mut_ptr() };
    // SAFETY: the program describes a slice that lives during the call.
    result(unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, &raw const program) })
        .map(drop)
}

/// Returns the version of Landlock; 0 without.
pub(super) fn landlock_version() -> u32 {
    // SAFETY: with this flag the kernel expects a null pointer and size zero.
    let version = unsafe { libc::syscall(LANDLOCK_CREATE_RULESET, ptr::null::<u8>(), 0, 1) };
    u32::try_from(version).unwrap_or(0)
}

/// Creates a Landlock ruleset; `size` is that of the attributes which the kernel's version knows.
pub(super) fn landlock_ruleset(rules: &Ruleset, size: usize) -> io::Result<OwnedFd> {
    debug_assert!(size <= size_of::<Ruleset>());
    // SAFETY: the structure is at least as large as the size that is passed.
    descriptor(unsafe { libc::syscall(LANDLOCK_CREATE_RULESET, ptr::from_ref(rules), size, 0) })
}

/// Permits accesses beneath a place.
pub(super) fn landlock_permit(
    ruleset: BorrowedFd<'_>,
    place: BorrowedFd<'_>,
    allowed: u64,
) -> io::Result<()> {
    let rule = PathBeneath { allowed, parent: place.as_raw_fd() };
    // SAFETY: the rule lives during the call and has the type that `1` stands for.
    result(unsafe { libc::syscall(LANDLOCK_ADD_RULE, ruleset.as_raw_fd(), 1, &raw const rule, 0) }).map(drop)
}

/// Puts this process and its children under a ruleset.
pub(super) fn landlock_restrict(ruleset: BorrowedFd<'_>) -> io::Result<()> {
    // SAFETY: takes no pointer.
    result(unsafe { libc::syscall(LANDLOCK_RESTRICT_SELF, ruleset.as_raw_fd(), 0) }).map(drop)
}

/// Returns the effective user and group.
pub(super) fn user_and_group() -> (u32, u32) {
    // SAFETY: these calls cannot fail.
    unsafe { (libc::geteuid(), libc::getegid()) }
}

/// Writes a small file of `/proc` in one call, as maps of ids require.
pub(super) fn write_file(path: &CStr, content: &[u8]) -> io::Result<()> {
    // SAFETY: the path is NUL-terminated; the slice lives during the call; the descriptor is closed once.
    unsafe {
        // WHY not `open`: the C library of the static binary asks again for what the flag says.
        let flags = libc::O_WRONLY | libc::O_CLOEXEC;
        let file = descriptor(libc::syscall(libc::SYS_openat, libc::AT_FDCWD, path.as_ptr(), flags, 0))?;
        let written = libc::write(file.as_raw_fd(), content.as_ptr().cast(), content.len());
        if usize::try_from(written).is_ok_and(|written| written == content.len()) {
            return Ok(());
        }
        Err(io::Error::last_os_error())
    }
}

/// Brings up the loopback of this network namespace.
pub(super) fn raise_loopback() -> io::Result<()> {
    // SAFETY: all zeros is a valid request; the name is shorter than its field; the socket is closed once.
    unsafe {
        let socket =
            descriptor(libc::socket(libc::AF_INET, libc::SOCK_DGRAM | libc::SOCK_CLOEXEC, 0).into())?;
        let mut request: libc::ifreq = mem::zeroed();
        request.ifr_name[0] = 'l' as libc::c_char;
        request.ifr_name[1] = 'o' as libc::c_char;
        let flags = libc::IFF_UP | libc::IFF_RUNNING;
        request.ifr_ifru.ifru_flags = libc::c_short::try_from(flags).unwrap_or_default();
        result(libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS as _, &raw const request).into()).map(drop)
    }
}

/// Returns whether the process has a controlling terminal, or one among its standard streams that it could make it.
pub(super) fn has_terminal() -> bool {
    // SAFETY: takes no pointer.
    if (0..=2).any(|fd| unsafe { libc::isatty(fd) } == 1) {
        return true;
    }
    let flags = libc::O_RDONLY | libc::O_NOCTTY | libc::O_CLOEXEC | libc::O_NONBLOCK;
    // SAFETY: the path is NUL-terminated.
    descriptor(unsafe { libc::open(c"/dev/tty".as_ptr(), flags) }.into()).is_ok()
}
