//! The retry policy for failed runs.

use std::time::Duration;

use crate::limits::{DEFAULT_BACKOFF, DEFAULT_BACKOFF_FACTOR, MAX_BACKOFF};

/// The retry policy of one automation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Retry {
    /// The number of retries.
    pub count: u32,
    /// The pause before the first retry.
    pub backoff: Duration,
    /// The factor between two successive pauses; at least 1.
    pub factor: f64,
}

impl Default for Retry {
    fn default() -> Self {
        Self { count: 0, backoff: DEFAULT_BACKOFF, factor: DEFAULT_BACKOFF_FACTOR }
    }
}

impl Retry {
    /// Returns the pause before the n-th retry, counted from 1. Returns `None` if no retry is left.
    ///
    /// `jitter` is a random number from 0 to 1. The pause is spread over its whole length
    /// (full jitter), so that runs that failed together do not retry together.
    pub fn pause(&self, nth: u32, jitter: f64) -> Option<Duration> {
        if nth == 0 || nth > self.count {
            return None;
        }
        let exponent = i32::try_from(nth - 1).unwrap_or(i32::MAX);
        let longest = self.backoff.as_secs_f64() * self.factor.powi(exponent);
        let longest = longest.min(MAX_BACKOFF.as_secs_f64());
        Some(Duration::from_secs_f64(longest * jitter.clamp(0.0, 1.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pause_is_longer_by_the_factor_and_none_is_endless() {
        let retry = Retry { count: 60, backoff: Duration::from_millis(100), factor: 3.0 };
        let pause = |nth| retry.pause(nth, 1.0);
        assert_eq!(pause(0), None);
        assert_eq!(pause(1), Some(Duration::from_millis(100)));
        assert_eq!(pause(2), Some(Duration::from_millis(300)));
        assert_eq!(pause(3), Some(Duration::from_millis(900)));
        assert_eq!(pause(60), Some(MAX_BACKOFF));
        assert_eq!(pause(61), None);
    }

    #[test]
    fn a_pause_is_spread_over_its_whole_length() {
        let retry = Retry { count: 1, ..Retry::default() };
        assert_eq!(retry.pause(1, 0.0), Some(Duration::ZERO));
        assert_eq!(retry.pause(1, 0.5), Some(Duration::from_millis(500)));
        assert_eq!(retry.pause(1, 7.0), Some(Duration::from_secs(1)));
    }

    #[test]
    fn without_a_policy_nothing_is_tried_again() {
        assert_eq!(Retry::default().pause(1, 1.0), None);
    }
}
