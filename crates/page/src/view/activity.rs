//! The calls and the times of hooks over the last hours.

use serde::Serialize;

/// Hook runs by the time at which they ran, oldest first, without gaps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Activity {
    /// The length of a bucket in milliseconds.
    pub bucket_ms: u64,
    /// The buckets.
    pub buckets: Vec<Bucket>,
}

/// The hook runs of one span of time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Bucket {
    /// When it starts.
    pub ts: u64,
    /// Tool calls that passed.
    pub passed: u64,
    /// Those of the passed calls that steersman approved in place of the user: saved prompts.
    pub approved: u64,
    /// Tool calls that the user was asked about.
    pub asked: u64,
    /// Denied tool calls.
    pub denied: u64,
    /// The median time of a hook, in microseconds; zero without a hook.
    pub p50_us: u64,
    /// The time that one hook of twenty exceeded, in microseconds.
    pub p95_us: u64,
}

impl Bucket {
    /// Returns the number of tool calls.
    pub const fn calls(&self) -> u64 {
        self.passed + self.asked + self.denied
    }
}

impl Activity {
    /// Returns how many prompts were saved.
    pub fn approved(&self) -> u64 {
        self.buckets.iter().map(|it| it.approved).sum()
    }

    /// Returns the sums of passed, asked and denied calls.
    pub fn sums(&self) -> (u64, u64, u64) {
        self.buckets.iter().fold((0, 0, 0), |(passed, asked, denied), it| {
            (passed + it.passed, asked + it.asked, denied + it.denied)
        })
    }
}
