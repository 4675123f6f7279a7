//! The table of steps at the end of a run.

use std::fmt;
use std::time::Duration;

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All is well.
    Passed,
    /// Something is wrong.
    Failed,
    /// An earlier step failed.
    Skipped,
}

/// The steps so far.
#[derive(Default)]
pub(crate) struct Report {
    rows: Vec<(&'static str, Outcome, Option<Duration>)>,
}

impl Report {
    /// Adds a step and how long it took, if it ran.
    pub(crate) fn add(&mut self, name: &'static str, outcome: Outcome, took: Option<Duration>) {
        self.rows.push((name, outcome, took));
    }

    /// Returns whether any step failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.rows.iter().any(|(_, outcome, _)| *outcome == Outcome::Failed)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut total = Duration::ZERO;
        for (name, outcome, took) in &self.rows {
            let outcome = match outcome {
                Outcome::Passed => "passed",
                Outcome::Failed => "FAILED",
                Outcome::Skipped => "not run",
            };
            match took {
                Some(took) => writeln!(f, "  {name:10} {outcome:8} {:8.1} s", took.as_secs_f64())?,
                None => writeln!(f, "  {name:10} {outcome}")?,
            }
            total += took.unwrap_or_default();
        }
        writeln!(f, "  {:10} {:8} {:8.1} s", "together", "", total.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_has_a_row_whether_it_ran_or_not() {
        let mut report = Report::default();
        report.add("tidy", Outcome::Passed, Some(Duration::from_millis(120)));
        assert!(!report.has_failed());
        report.add("clippy", Outcome::Failed, Some(Duration::from_millis(61_900)));
        report.add("tests", Outcome::Skipped, None);
        assert!(report.has_failed());
        let expected = "  tidy       passed        0.1 s\n  clippy     FAILED       61.9 s\n  tests      not run\n  together                62.0 s\n";
        assert_eq!(report.to_string(), expected);
    }
}
