//! The processes behind a connection from this machine.
//!
//! Only Linux tells. Elsewhere no process is found, and nothing may be changed through the page.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;

/// The addresses of this machine in the kernel's tables, as the two versions of the protocol write them.
const LOOPBACK: [&str; 2] = ["0100007F", "0000000000000000FFFF00000100007F"];

/// The other end of a connection, as the kernel's table lists it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Socket {
    inode: u64,
    uid: u32,
}

/// Returns whether another user of this machine, who is not its administrator, holds the other end of a connection.
#[cfg(unix)]
pub(super) fn is_of_another_user(peer: SocketAddr, port: u16) -> bool {
    let own = rustix::process::getuid().as_raw();
    socket_of(peer, port).is_some_and(|socket| socket.uid != own && socket.uid != 0)
}

#[cfg(not(unix))]
pub(super) fn is_of_another_user(_peer: SocketAddr, _port: u16) -> bool {
    false
}

fn socket_of(peer: SocketAddr, port: u16) -> Option<Socket> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|file| fs::read_to_string(file).unwrap_or_default());
    tables.iter().find_map(|table| socket(table, peer.port(), port))
}

/// Returns the processes that hold the other end of a connection to our port.
pub(super) fn holders(peer: SocketAddr, port: u16) -> Vec<u32> {
    let Some(Socket { inode, .. }) = socket_of(peer, port) else { return Vec::new() };
    let wanted = format!("socket:[{inode}]");
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|entry| Some((entry.file_name().to_str()?.parse::<u32>().ok()?, entry.path().join("fd"))))
        .filter(|(_, folder)| has_file(folder, &wanted))
        .map(|(pid, _)| pid)
        .collect()
}

fn has_file(folder: &Path, wanted: &str) -> bool {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.filter_map(|file| fs::read_link(file.path()).ok()).any(|target| target.as_os_str() == wanted)
}

/// Finds the socket that is bound to `local` and connected to `remote` on this machine.
fn socket(table: &str, local: u16, remote: u16) -> Option<Socket> {
    table.lines().skip(1).find_map(|line| {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        let is_end = |field: &str, port: u16| {
            let (address, number) = field.split_once(':')?;
            Some(LOOPBACK.contains(&address) && u16::from_str_radix(number, 16) == Ok(port))
        };
        let is_wanted = is_end(fields.get(1)?, local)? && is_end(fields.get(2)?, remote)?;
        // A closed connection has no file, so its number is zero.
        let read = || Some(Socket { inode: fields.get(9)?.parse().ok()?, uid: fields.get(7)?.parse().ok()? });
        is_wanted.then(read).flatten().filter(|socket| socket.inode != 0)
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[test]
    fn a_connection_of_this_process_is_found() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        let (_accepted, peer) = listener.accept().unwrap();
        assert_eq!(holders(peer, port), [std::process::id()]);
        drop(stream);
        assert_eq!(holders(peer, port), Vec::<u32>::new());
    }

    #[test]
    fn lines_of_other_sockets_are_no_match() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
             0: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 41 1 0\n\
             1: 0200000A:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 42 1 0\n\
             2: 0100007F:C350 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 43 1 0\n";
        assert_eq!(socket(table, 0xC350, 0x1F90), Some(Socket { inode: 43, uid: 1000 }));
        assert_eq!(socket(table, 0x1F90, 0xC351), None);
    }
}
