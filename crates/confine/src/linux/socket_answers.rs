//! Reads how the kernel lists sockets: as messages, and as the table `/proc/net/unix`.
//!
//! Skips abstract names, which Landlock holds, and sockets that every command may use.

use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::{Listener, is_within};

/// The state of a socket without a peer in `/proc/net/unix`: it listens, takes messages, or may do so soon.
const UNCONNECTED: &str = "01";

/// The type of a socket for messages, which takes them whatever its state.
const MESSAGES: &str = "0002";

/// Sockets that commands need to work, and that do nothing for a command but answer or note a line: users and groups,
/// host names, the system's log.
const OPEN_TO_ALL: [&str; 4] =
    ["/var/lib/sss/pipes/nss", "/run/systemd/userdb", "/run/systemd/journal", "/run/nscd/socket"];

/// Reads the listeners of a `/proc/net/unix`: `Num RefCount Protocol Flags Type St Inode Path`.
pub(super) fn in_table(table: &str) -> Vec<Listener> {
    let mut found: Vec<Listener> = Vec::new();
    for line in table.lines().skip(1) {
        let mut fields = line.split_ascii_whitespace().skip(4);
        let (Some(kind), Some(state), Some(inode)) = (fields.next(), fields.next(), fields.next()) else {
            continue;
        };
        if state != UNCONNECTED && kind != MESSAGES {
            continue;
        }
        // The path is the rest of the line and may contain spaces; the inode before it has no fixed width.
        let after = inode.as_ptr() as usize - line.as_ptr() as usize + inode.len();
        let Some(path) = line.get(after..).and_then(|rest| rest.strip_prefix(' ')) else { continue };
        if !path.starts_with('@') {
            add(&mut found, Path::new(path));
        }
    }
    found
}

/// The sizes of a message's header, and of what comes before the attributes of a socket.
const HEADER: usize = 16;
const BEFORE_ATTRIBUTES: usize = HEADER + 16;

/// Types of messages.
const ERROR: u16 = 2;
const DONE: u16 = 3;

/// The attribute with the name of a socket.
const NAME: u16 = 0;

/// Adds the listeners of a part of the kernel's answer about unix sockets. Returns whether it is the last part.
pub(super) fn in_messages(mut part: &[u8], found: &mut Vec<Listener>) -> io::Result<bool> {
    let broken = || io::Error::from(io::ErrorKind::InvalidData);
    while part.len() >= HEADER {
        let length = usize::try_from(word(part, 0)).map_err(|_| broken())?;
        let message = part.get(..length).filter(|it| it.len() >= HEADER).ok_or_else(broken)?;
        match half_word(message, 4) {
            DONE => return Ok(true),
            ERROR => return Err(io::ErrorKind::Unsupported.into()),
            _ => {}
        }
        let mut attributes = message.get(BEFORE_ATTRIBUTES..).unwrap_or_default();
        while attributes.len() >= 4 {
            let length = usize::from(half_word(attributes, 0));
            let content = attributes.get(4..length).ok_or_else(broken)?;
            let end = content.iter().position(|byte| *byte == 0).unwrap_or(content.len());
            // An abstract name starts with a zero.
            if half_word(attributes, 2) == NAME && end > 0 {
                add(found, Path::new(OsStr::from_bytes(&content[..end])));
            }
            attributes = attributes.get(length.next_multiple_of(4)..).unwrap_or_default();
        }
        part = part.get(length.next_multiple_of(4)..).unwrap_or_default();
    }
    Ok(false)
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|it| it.try_into().ok()).map_or(0, u32::from_ne_bytes)
}

fn half_word(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..at + 2).and_then(|it| it.try_into().ok()).map_or(0, u16::from_ne_bytes)
}

/// Adds a path once, unless every command may use its socket.
fn add(found: &mut Vec<Listener>, path: &Path) {
    let is_open = OPEN_TO_ALL.iter().any(|open| is_within(path, Path::new(open)));
    if !is_open && !found.iter().any(|known| known.path.as_os_str() == path.as_os_str()) {
        found.push(Listener { path: path.to_path_buf() });
    }
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
0000000000000000: 00000002 00000000 00000000 0001 01 15567 /run/bound-only
broken
";
        let paths: Vec<_> = in_table(table).into_iter().map(|it| it.path.display().to_string()).collect();
        assert_eq!(
            paths,
            [
                "/run/a.sock",
                "/run/with space",
                "relative.sock",
                "/run/datagram",
                "/var/lib/sss/pipes/nss2",
                "/run/bound-only"
            ]
        );
        assert!(in_table("").is_empty());
    }

    /// A message of the kernel, with these attributes.
    fn message(kind: u16, attributes: &[(u16, &[u8])]) -> Vec<u8> {
        let mut body = vec![0; 16];
        for (number, content) in attributes {
            body.extend(u16::try_from(content.len() + 4).unwrap().to_ne_bytes());
            body.extend(number.to_ne_bytes());
            body.extend(*content);
            body.resize(body.len().next_multiple_of(4), 0);
        }
        let mut message = u32::try_from(body.len() + HEADER).unwrap().to_ne_bytes().to_vec();
        message.extend(kind.to_ne_bytes());
        message.extend([0; 10]);
        message.extend(body);
        message
    }

    #[test]
    fn the_answer_of_the_kernel_names_sockets_with_any_path() {
        let of = |parts: &[Vec<u8>]| {
            let mut found = Vec::new();
            let is_last = in_messages(&parts.concat(), &mut found);
            let paths = found.into_iter().map(|it| it.path.display().to_string()).collect::<Vec<_>>();
            (is_last.map_err(|error| error.kind()), paths)
        };
        let sockets = [
            message(20, &[(0, b"/run/a.sock\0")]),
            message(20, &[(1, b"12345678"), (0, b"/run/line\nbreak\0"), (7, b"x")]),
            message(20, &[(0, b"\0abstract")]),
            message(20, &[]),
            message(20, &[(0, b"relative")]),
            message(20, &[(0, b"/run/systemd/journal/dev-log\0")]),
            message(20, &[(0, b"/run/a.sock\0")]),
        ];
        let expected = ["/run/a.sock", "/run/line\nbreak", "relative"].map(str::to_owned).to_vec();
        assert_eq!(of(&sockets), (Ok(false), expected.clone()));
        assert_eq!(of(&[sockets.concat(), message(DONE, &[])]), (Ok(true), expected));
        assert_eq!(of(&[message(ERROR, &[])]), (Err(io::ErrorKind::Unsupported), vec![]));
        assert_eq!(of(&[vec![0; 16]]), (Err(io::ErrorKind::InvalidData), vec![]));
        assert_eq!(of(&[vec![255; 16]]), (Err(io::ErrorKind::InvalidData), vec![]));
        assert_eq!(of(&[]), (Ok(false), vec![]));
    }
}
