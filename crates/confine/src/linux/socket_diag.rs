//! Asks the kernel for the sockets of this network namespace.
//!
//! WHY not `/proc/net/unix`: reading it takes four times as long, and a name with a line break spoils it.
#![expect(unsafe_code, reason = "the interface of the kernel for sockets has no safe one")]

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use super::socket_answers::{in_messages, in_table};
use crate::Listener;

const SOCK_DIAG: libc::c_int = 4;

/// A request for all unix sockets that listen or have no peer, with their names.
#[repr(C)]
struct Request {
    length: u32,
    kind: u16,
    flags: u16,
    sequence: u32,
    port: u32,
    family: u8,
    protocol: u8,
    padding: u16,
    states: u32,
    inode: u32,
    show: u32,
    cookie: [u32; 2],
}

const LENGTH: u32 = 40;
const BY_FAMILY: u16 = 20;
const REQUEST_ALL: u16 = 0x301;
const LISTENING_OR_UNCONNECTED: u32 = 1 << 10 | 1 << 7;
const NAMES: u32 = 1;

/// Returns the sockets with a path that take connections or messages.
///
/// A sandbox around this process may refuse the question; then the table of the system answers.
pub fn listeners() -> Vec<Listener> {
    ask().unwrap_or_else(|_| {
        // WHY not `fs::read`: it would start with a few bytes, because the kernel says that the file is empty.
        let mut table = Vec::with_capacity(16 * 1024);
        let read = File::open("/proc/net/unix").and_then(|mut file| file.read_to_end(&mut table));
        if read.is_ok() { in_table(&String::from_utf8_lossy(&table)) } else { Vec::new() }
    })
}

fn ask() -> io::Result<Vec<Listener>> {
    let request = Request {
        length: LENGTH,
        kind: BY_FAMILY,
        flags: REQUEST_ALL,
        sequence: 1,
        port: 0,
        family: 1,
        protocol: 0,
        padding: 0,
        states: LISTENING_OR_UNCONNECTED,
        inode: 0,
        show: NAMES,
        cookie: [0; 2],
    };
    const { assert!(size_of::<Request>() == LENGTH as usize) };
    let kind = libc::SOCK_RAW | libc::SOCK_CLOEXEC;
    // SAFETY: takes no pointer; the kernel has just returned the descriptor, so nothing else owns it.
    let socket = unsafe {
        let fd = libc::socket(libc::AF_NETLINK, kind, SOCK_DIAG);
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        OwnedFd::from_raw_fd(fd)
    };
    // SAFETY: the request lives during the call and has the size that is passed.
    let sent =
        unsafe { libc::send(socket.as_raw_fd(), (&raw const request).cast(), size_of::<Request>(), 0) };
    if sent < 0 {
        return Err(io::Error::last_os_error());
    }
    let mut found = Vec::new();
    let mut buffer = vec![0_u8; 8 * 1024];
    loop {
        // The kernel prepares each part of the answer before the call for the part before it returns.
        let flags = libc::MSG_DONTWAIT | libc::MSG_TRUNC;
        // SAFETY: the buffer has the size that is passed.
        let got = unsafe { libc::recv(socket.as_raw_fd(), buffer.as_mut_ptr().cast(), buffer.len(), flags) };
        let got = usize::try_from(got).map_err(|_| io::Error::last_os_error())?;
        let part = buffer.get(..got).ok_or(io::ErrorKind::InvalidData)?;
        if in_messages(part, &mut found)? {
            return Ok(found);
        }
    }
}
