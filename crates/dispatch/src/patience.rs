//! Reading from a host that may fall silent: waiting has an end.
#![cfg_attr(unix, expect(unsafe_code, reason = "there is no safe way to wait for a file for some time only"))]

use std::io::{self, Read};
use std::time::{Duration, Instant};

/// How long a host may take to send its payload.
pub(crate) const PATIENCE: Duration = Duration::from_secs(2);

/// A reader that gives up with [`io::ErrorKind::TimedOut`] once a host has taken too long.
#[derive(Debug)]
pub struct Patient<R> {
    inner: R,
    until: Instant,
}

impl<R> Patient<R> {
    /// Gives the host its time from now on. `inner` must not hold back what it has read.
    pub fn new(inner: R) -> Self {
        Self { inner, until: Instant::now() + PATIENCE }
    }
}

#[cfg(unix)]
impl<R: Read + std::os::fd::AsRawFd> Read for Patient<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.until.saturating_duration_since(Instant::now());
        let mut waited_for = libc::pollfd { fd: self.inner.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        let left_ms = i32::try_from(left.as_millis()).unwrap_or(i32::MAX);
        // SAFETY: one entry, which outlives the call.
        match unsafe { libc::poll(&raw mut waited_for, 1, left_ms) } {
            0 => Err(io::ErrorKind::TimedOut.into()),
            // Where waiting is not possible, reading says why.
            _ => self.inner.read(buffer),
        }
    }
}

/// There is no waiting with an end here; the watchdog ends it.
#[cfg(not(unix))]
impl<R: Read> Read for Patient<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_host_that_falls_silent_is_not_waited_for_forever() {
        let (reader, mut writer) = io::pipe().unwrap();
        writer.write_all(b"{\"half\":").unwrap();
        let mut patient = Patient { inner: reader, until: Instant::now() + Duration::from_millis(20) };
        let mut buffer = [0; 64];
        assert_eq!(patient.read(&mut buffer).unwrap(), 8);
        assert_eq!(patient.read(&mut buffer).unwrap_err().kind(), io::ErrorKind::TimedOut);
        drop(writer);
        assert_eq!(patient.read(&mut buffer).unwrap(), 0);
    }
}
