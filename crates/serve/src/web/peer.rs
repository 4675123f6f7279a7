//! The processes behind a connection from this machine.
//!
//! Only Linux tells. Elsewhere no process is found, and nothing may be changed through the page.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;

/// The addresses of this machine in the kernel's tables, as the two versions of the protocol write them.
const LOOPBACK: [&str; 2] = ["0100007F", "0000000000000000FFFF00000100007F"];

/// Returns the processes that hold the other end of a connection to our port.
pub(super) fn holders(peer: SocketAddr, port: u16) -> Vec<u32> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|file| fs::read_to_string(file).unwrap_or_default());
    let Some(inode) = tables.iter().find_map(|table| inode(table, peer.port(), port)) else {
        return Vec::new();
    };
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
fn inode(table: &str, local: u16, remote: u16) -> Option<u64> {
    table.lines().skip(1).find_map(|line| {
        let fields: Vec<&str> = line.split_ascii_whitespace().collect();
        let is_end = |field: &str, port: u16| {
            let (address, number) = field.split_once(':')?;
            Some(LOOPBACK.contains(&address) && u16::from_str_radix(number, 16) == Ok(port))
        };
        let is_wanted = is_end(fields.get(1)?, local)? && is_end(fields.get(2)?, remote)?;
        // A closed connection has no file, so its number is zero.
        is_wanted.then(|| fields.get(9)?.parse().ok()).flatten().filter(|inode| *inode != 0)
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
        assert_eq!(inode(table, 0xC350, 0x1F90), Some(43));
        assert_eq!(inode(table, 0x1F90, 0xC351), None);
    }
}
