//! One client of a hook that waits: its process, and the lines it has sent so far.

use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;

use session::person;

use crate::message::{ClientLine, HookLine, MAX_LINE, line};

/// A client.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) stream: UnixStream,
    /// The process that connected, and when it started.
    ///
    /// WHY both: the process may end and leave the socket to another one, and its number to a third.
    process: Option<(u32, u64)>,
    received: Vec<u8>,
}

/// What a client sent.
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
        Some(Self { stream, process, received: Vec::new() })
    }

    /// Returns the process that connected, if it is still the same.
    pub(crate) fn process(&self) -> Option<u32> {
        let (pid, started) = self.process?;
        (person::start_of(pid) == Some(started)).then_some(pid)
    }

    /// Sends a line. Returns whether the client took it: one that does not read must not keep the hook waiting.
    pub(crate) fn send(&mut self, value: &HookLine) -> bool {
        self.stream.write_all(&line(value)).is_ok()
    }

    /// Reads what the client has sent.
    pub(crate) fn receive(&mut self) -> Received {
        let mut buffer = [0; 4096];
        let mut has_ended = false;
        while !has_ended {
            match self.stream.read(&mut buffer) {
                // What it sent before counts.
                Ok(0) => has_ended = true,
                Ok(n_bytes) => self.received.extend_from_slice(&buffer[..n_bytes]),
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
}
