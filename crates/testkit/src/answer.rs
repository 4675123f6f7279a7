//! What a host gets back from one call of the binary.

use std::time::Duration;

use serde_json::Value;

/// Everything the process left behind when it was gone.
#[derive(Debug)]
pub struct Answer {
    /// What it wrote for the host.
    pub stdout: Vec<u8>,
    /// What it wrote for nobody.
    pub stderr: Vec<u8>,
    /// Its exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// How long it lived.
    pub took: Duration,
}

impl Answer {
    /// Returns the one object on stdout, having checked that it is the only thing anywhere.
    pub fn object(&self) -> Value {
        let said = String::from_utf8_lossy(&self.stdout);
        let complaints = String::from_utf8_lossy(&self.stderr);
        assert_eq!(self.code, Some(0), "exit code; stdout: {said}; stderr: {complaints}");
        assert!(complaints.is_empty(), "nothing belongs on stderr, but there was: {complaints}");
        let value: Value = serde_json::from_str(&said)
            .unwrap_or_else(|error| panic!("not one JSON value ({error}): {said:?}"));
        assert!(value.is_object(), "not an object: {said}");
        value
    }

    /// Returns the one object, having checked that it came in reasonable time.
    pub fn object_within(&self, limit: Duration) -> Value {
        let object = self.object();
        assert!(self.took < limit, "took {:?}: {object}", self.took);
        object
    }
}
