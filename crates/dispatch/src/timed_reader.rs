//! Reads from a host with a timeout, since the host may stop sending.
#![cfg_attr(unix, expect(unsafe_code, reason = "there is no safe way to wait for a file for some time only"))]

use std::io::{self, Read};
use std::time::{Duration, Instant};

/// How long a host may take to send its payload.
const SEND_TIMEOUT: Duration = Duration::from_secs(2);

/// A reader that returns [`io::ErrorKind::TimedOut`] once its time is up.
#[derive(Debug)]
pub struct TimedReader<R> {
    inner: R,
    until: Instant,
}

impl<R> TimedReader<R> {
    /// Starts the timeout. `inner` must not buffer, since `poll` does not see buffered bytes.
    pub fn new(inner: R) -> Self {
        Self { inner, until: Instant::now() + SEND_TIMEOUT }
    }
}

#[cfg(unix)]
impl<R: Read + std::os::fd::AsRawFd> Read for TimedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.until.saturating_duration_since(Instant::now());
        let mut polled = libc::pollfd { fd: self.inner.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        let left_ms = i32::try_from(left.as_millis()).unwrap_or(i32::MAX);
        // SAFETY: one entry, which outlives the call.
        match unsafe { libc::poll(&raw mut polled, 1, left_ms) } {
            0 => Err(io::ErrorKind::TimedOut.into()),
            // If `poll` fails, `read` reports why.
            _ => self.inner.read(buffer),
        }
    }
}

/// Without `poll` only the watchdog ends the wait.
#[cfg(not(unix))]
impl<R: Read> Read for TimedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.inner.read(buffer)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_host_that_falls_silent_is_not_polled_forever() {
        let (reader, mut writer) = io::pipe().unwrap();
        writer.write_all(b"{\"half\":").unwrap();
        let mut timed = TimedReader { inner: reader, until: Instant::now() + Duration::from_millis(20) };
        let mut buffer = [0; 64];
        assert_eq!(timed.read(&mut buffer).unwrap(), 8);
        assert_eq!(timed.read(&mut buffer).unwrap_err().kind(), io::ErrorKind::TimedOut);
        drop(writer);
        assert_eq!(timed.read(&mut buffer).unwrap(), 0);
    }
}
