//! One client of a hook that waits: its process, and the lines it has sent so far.
//!
//! INVARIANT: an answer counts for the process that connected only if that process sent it. A process can hand its socket to
//! another, end, and leave its number to a third. So the kernel names the sender of each line, and an answer repeats a
//! token: the sender got it after the hook had read when that process started, and that is still the same when the
//! answer is there.

use std::fs::File;
use std::io::{self, ErrorKind, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::unix::net::UnixStream;

use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, recvmsg};
use session::person;

use crate::message::{ClientLine, HookLine, MAX_LINE, line};

/// A client.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) stream: UnixStream,
    /// The process that connected, and when it started.
    process: Option<(u32, u64)>,
    token: String,
    received: Vec<u8>,
    /// Whether another process has sent a part of the received bytes.
    has_other_sender: bool,
}

/// A message of a client.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Received {
    /// Not a whole line yet.
    Nothing,
    /// A line.
    Line(ClientLine),
    /// It has closed its end, or sent something else.
    End,
}

impl Connection {
    /// Takes a new client of this user. Returns `None` for another user's.
    pub(crate) fn accept(stream: UnixStream) -> Option<Self> {
        let peer = rustix::net::sockopt::socket_peercred(&stream).ok()?;
        if peer.uid != rustix::process::geteuid() {
            return None;
        }
        stream.set_nonblocking(true).ok()?;
        // Zero, and no process, if it is in another namespace of processes.
        let pid = u32::try_from(peer.pid.as_raw_nonzero().get()).ok();
        let process = pid.and_then(|pid| Some((pid, person::start_of(pid)?)));
        Some(Self { stream, process, token: token()?, received: Vec::new(), has_other_sender: false })
    }

    /// Returns the token that an answer on this connection must repeat.
    pub(crate) fn token(&self) -> &str {
        &self.token
    }

    /// Returns the process that connected, if it is still the same and has sent everything itself.
    pub(crate) fn process(&self) -> Option<u32> {
        let (pid, started) = self.process.filter(|_| !self.has_other_sender)?;
        (person::start_of(pid) == Some(started)).then_some(pid)
    }

    /// Sends a line. Returns whether the client took it: one that does not read must not keep the hook waiting.
    pub(crate) fn send(&mut self, value: &HookLine) -> bool {
        self.stream.write_all(&line(value)).is_ok()
    }

    /// Reads the bytes that the client has sent.
    pub(crate) fn receive(&mut self) -> Received {
        let mut has_ended = false;
        while !has_ended {
            match self.read() {
                // What it sent before counts.
                Ok(0) => has_ended = true,
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return Received::End,
            }
            if self.received.len() > MAX_LINE {
                return Received::End;
            }
        }
        let Some(end) = self.received.iter().position(|byte| *byte == b'\n') else {
            return if has_ended { Received::End } else { Received::Nothing };
        };
        let whole: Vec<u8> = self.received.drain(..=end).collect();
        serde_json::from_slice(&whole).map_or(Received::End, Received::Line)
    }

    /// Ends sending, so that the client reads the last line and then the end.
    pub(crate) fn close(&self) -> io::Result<()> {
        self.stream.shutdown(std::net::Shutdown::Write)
    }

    /// Reads the bytes of one sender. Returns their number.
    fn read(&mut self) -> io::Result<usize> {
        let mut bytes = [0; 4096];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmCredentials(1))];
        let mut ancillary = RecvAncillaryBuffer::new(&mut space);
        let mut parts = [IoSliceMut::new(&mut bytes)];
        let n_bytes = recvmsg(&self.stream, &mut parts, &mut ancillary, RecvFlags::CMSG_CLOEXEC)?.bytes;
        let sender = ancillary.drain().find_map(|message| match message {
            RecvAncillaryMessage::ScmCredentials(sender) => {
                u32::try_from(sender.pid.as_raw_nonzero().get()).ok()
            }
            _ => None,
        });
        if n_bytes > 0 && sender != self.process.map(|(pid, _)| pid) {
            self.has_other_sender = true;
        }
        self.received.extend_from_slice(&bytes[..n_bytes]);
        Ok(n_bytes)
    }
}

/// Returns a text that no process can guess.
fn token() -> Option<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes)).ok()?;
    Some(encoding::hex::encode(&bytes))
}

#[cfg(test)]
mod tests {
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixListener;
    use std::process::{Command, Stdio};

    use super::*;
    use crate::{Answer, Scope};

    /// Connects this process to itself. Returns both ends.
    fn connected() -> (UnixStream, Connection) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("socket");
        let listener = UnixListener::bind(&path).unwrap();
        rustix::net::sockopt::set_socket_passcred(&listener, true).unwrap();
        let client = UnixStream::connect(&path).unwrap();
        (client, Connection::accept(listener.accept().unwrap().0).unwrap())
    }

    #[test]
    fn an_answer_counts_for_the_process_that_sent_it() {
        let answer = Answer::Allow { scope: Scope::Once };
        let (mut client, mut hook) = connected();
        let sent = ClientLine::Answer { token: hook.token().to_owned(), answer };
        client.write_all(&line(&sent)).unwrap();
        assert_eq!(hook.receive(), Received::Line(sent.clone()));
        assert_eq!(hook.process(), Some(std::process::id()));
        // Another process has the same socket.
        let (client, mut hook) = connected();
        let text = String::from_utf8(line(&sent)).unwrap();
        let mut other = Command::new("sh");
        other
            .args(["-c", "printf %s \"$LINE\" >&0"])
            .env("LINE", text)
            .stdin(Stdio::from(OwnedFd::from(client)));
        assert!(other.status().unwrap().success());
        assert_eq!(hook.receive(), Received::Line(sent));
        assert_eq!(hook.process(), None);
        assert_ne!(hook.token(), connected().1.token());
    }

    #[test]
    fn a_process_that_answers_before_the_hook_has_seen_it_does_not_know_the_token() {
        let (mut client, mut hook) = connected();
        client.write_all(b"{\"type\":\"answer\",\"decision\":\"allow\",\"scope\":\"once\"}\n").unwrap();
        assert_eq!(hook.receive(), Received::End);
    }
}
