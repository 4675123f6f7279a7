//! The sockets of programs outside, by which a confined command could have others write for it.

use std::path::{Path, PathBuf};

/// A socket that takes connections or messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listener {
    /// The path under which it was bound. A relative one started at a folder that is not recorded.
    pub path: PathBuf,
}

/// The flag of a listening socket in `/proc/net/unix`.
const LISTENS: &str = "00010000";

/// The type of a socket for messages, which takes them without listening.
const MESSAGES: &str = "0002";

/// Sockets that commands need to work, and that do nothing for a command but answer or note a line: users and groups,
/// host names, the system's log.
const OPEN_TO_ALL: [&str; 4] =
    ["/var/lib/sss/pipes/nss", "/run/systemd/userdb", "/run/systemd/journal", "/run/nscd/socket"];

/// Reads the listeners of a `/proc/net/unix`: `Num RefCount Protocol Flags Type St Inode Path`. Skips abstract names,
/// which Landlock holds, and those that every command may use.
pub fn listeners(table: &str) -> Vec<Listener> {
    let mut found: Vec<Listener> = Vec::new();
    for line in table.lines().skip(1) {
        let mut fields = line.split_ascii_whitespace().skip(3);
        let (Some(flags), Some(kind), Some(_state), Some(inode)) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        if flags != LISTENS && kind != MESSAGES {
            continue;
        }
        // The path is the rest of the line and may contain spaces; the inode before it has no fixed width.
        let after = inode.as_ptr() as usize - line.as_ptr() as usize + inode.len();
        let Some(path) = line.get(after..).and_then(|rest| rest.strip_prefix(' ')) else { continue };
        let is_open = OPEN_TO_ALL.iter().any(|open| Path::new(path).starts_with(open));
        if !path.starts_with('@') && !is_open && !found.iter().any(|known| known.path.as_os_str() == path) {
            found.push(Listener { path: PathBuf::from(path) });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listeners_and_takers_of_messages_with_a_path_are_found_and_each_once() {
        let table = "Num       RefCount Protocol Flags    Type St Inode Path
0000000000000000: 00000002 00000000 00010000 0001 01 15555 /run/a.sock
0000000000000000: 00000003 00000000 00000000 0001 03 15556 /run/connected.sock
0000000000000000: 00000002 00000000 00010000 0005 01 1 /run/with space
0000000000000000: 00000002 00000000 00010000 0001 01 15558 @abstract
0000000000000000: 00000002 00000000 00010000 0001 01 15559 relative.sock
0000000000000000: 00000002 00000000 00010000 0001 01 15560
0000000000000000: 00000002 00000000 00010000 0001 01 15561 /run/a.sock
0000000000000000: 00000002 00000000 00000000 0002 01 15562 /run/datagram
0000000000000000: 00000002 00000000 00000000 0002 01 15563
0000000000000000: 00000002 00000000 00000000 0002 01 15564 /run/systemd/journal/dev-log
0000000000000000: 00000002 00000000 00010000 0001 01 15565 /var/lib/sss/pipes/nss
0000000000000000: 00000002 00000000 00010000 0001 01 15566 /var/lib/sss/pipes/nss2
broken
";
        let paths: Vec<_> = listeners(table).into_iter().map(|it| it.path.display().to_string()).collect();
        assert_eq!(
            paths,
            ["/run/a.sock", "/run/with space", "relative.sock", "/run/datagram", "/var/lib/sss/pipes/nss2"]
        );
        assert!(listeners("").is_empty());
    }
}
