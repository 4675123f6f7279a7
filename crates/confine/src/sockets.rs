//! The sockets of programs outside, by which a confined command could have others write for it.

use std::path::PathBuf;

/// A socket that accepts connections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listener {
    /// Its path.
    pub path: PathBuf,
}

/// The flag of a listening socket in `/proc/net/unix`.
const LISTENS: &str = "00010000";

/// Reads the listeners of a `/proc/net/unix`: `Num RefCount Protocol Flags Type St Inode Path`. Skips abstract names,
/// which Landlock holds, and relative paths, whose folder is unknown.
pub fn listeners(table: &str) -> Vec<Listener> {
    let mut found: Vec<Listener> = Vec::new();
    for line in table.lines().skip(1) {
        let mut fields = line.split_ascii_whitespace();
        if fields.nth(3) != Some(LISTENS) {
            continue;
        }
        // The path is the rest of the line and may contain spaces; the inode before it has no fixed width.
        let Some(path) = fields.nth(2).and_then(|inode| {
            let after = inode.as_ptr() as usize - line.as_ptr() as usize + inode.len();
            line.get(after..)?.strip_prefix(' ')
        }) else {
            continue;
        };
        if path.starts_with('/') && !found.iter().any(|known| known.path.as_os_str() == path) {
            found.push(Listener { path: PathBuf::from(path) });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_listeners_with_a_path_are_found_and_each_once() {
        let table = "Num       RefCount Protocol Flags    Type St Inode Path
0000000000000000: 00000002 00000000 00010000 0001 01 15555 /run/a.sock
0000000000000000: 00000003 00000000 00000000 0001 03 15556 /run/connected.sock
0000000000000000: 00000002 00000000 00010000 0005 01 1 /run/with space
0000000000000000: 00000002 00000000 00010000 0001 01 15558 @abstract
0000000000000000: 00000002 00000000 00010000 0001 01 15559 relative.sock
0000000000000000: 00000002 00000000 00010000 0001 01 15560
0000000000000000: 00000002 00000000 00010000 0001 01 15561 /run/a.sock
0000000000000000: 00000002 00000000 00000000 0002 01 15562 /run/datagram
broken
";
        let paths: Vec<_> = listeners(table).into_iter().map(|it| it.path).collect();
        assert_eq!(paths, [PathBuf::from("/run/a.sock"), PathBuf::from("/run/with space")]);
        assert!(listeners("").is_empty());
    }
}
