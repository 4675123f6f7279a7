//! The output of one call of the binary.

use std::time::Duration;

use serde_json::Value;

/// The output, exit code and duration of a process.
#[derive(Debug)]
pub struct Answer {
    /// The bytes on stdout, which the host reads.
    pub stdout: Vec<u8>,
    /// The bytes on stderr.
    pub stderr: Vec<u8>,
    /// The exit code; `None` if a signal ended the process.
    pub code: Option<i32>,
    /// The duration.
    pub took: Duration,
}

impl Answer {
    /// Returns the one object on stdout. Fails unless it is the only output.
    pub fn object(&self) -> Value {
        let stdout = String::from_utf8_lossy(&self.stdout);
        let complaints = String::from_utf8_lossy(&self.stderr);
        assert_eq!(self.code, Some(0), "exit code; stdout: {stdout}; stderr: {complaints}");
        assert!(complaints.is_empty(), "nothing belongs on stderr, but there was: {complaints}");
        let value: Value = serde_json::from_str(&stdout)
            .unwrap_or_else(|error| panic!("not one JSON value ({error}): {stdout:?}"));
        assert!(value.is_object(), "not an object: {stdout}");
        value
    }

    /// Returns the one object on stdout. Fails if the call took longer than `limit`.
    pub fn object_within(&self, limit: Duration) -> Value {
        let object = self.object();
        assert!(self.took < limit, "took {:?}: {object}", self.took);
        object
    }
}
