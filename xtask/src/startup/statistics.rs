//! Percentiles of measured times.

use std::time::Duration;

/// The times of one contestant, shortest first.
#[derive(Debug, Default)]
pub(crate) struct Times {
    sorted: Vec<Duration>,
}

impl Times {
    /// Adds one measurement.
    pub(crate) fn add(&mut self, time: Duration) {
        let place = self.sorted.partition_point(|it| *it <= time);
        self.sorted.insert(place, time);
    }

    /// Returns how many there are.
    pub(crate) fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Returns the time that `percent` of the runs did not exceed.
    pub(crate) fn percentile(&self, percent: usize) -> Duration {
        let rank = (self.sorted.len() * percent).div_ceil(100).max(1);
        self.sorted.get(rank - 1).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(measured: &[u64], percent: usize, expected: u64) {
        let mut times = Times::default();
        for micros in measured {
            times.add(Duration::from_micros(*micros));
        }
        assert_eq!(times.percentile(percent), Duration::from_micros(expected));
    }

    #[test]
    fn a_percentile_is_a_time_that_was_measured() {
        let measured = [50, 10, 40, 20, 30, 100, 90, 80, 70, 60];
        for (percent, expected) in [(1, 10), (10, 10), (11, 20), (50, 50), (100, 100)] {
            check(&measured, percent, expected);
        }
    }

    #[test]
    fn one_measurement_is_every_percentile() {
        check(&[7], 10, 7);
        check(&[7], 50, 7);
    }
}
