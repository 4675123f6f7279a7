//! Property tests whose cases share a fixture or are slow, and how often tests repeat.
//!
//! WHY not the macro of `proptest`: it builds a fixture for each case, and it runs every test with the
//! number of cases in `PROPTEST_CASES`. A few tests that start programs or wait for a disk would then
//! take longer than all the others together.

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

/// How many fast cases one slow case counts for.
const WORTH: u32 = 50;

/// Runs `PROPTEST_CASES` cases, or the given number if the variable is not set.
pub fn prove<S: Strategy>(cases: u32, strategy: &S, case: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    run(asked_for().unwrap_or(cases), strategy, case);
}

/// Runs at least this many slow cases.
pub fn prove_slowly<S: Strategy>(
    cases: u32,
    strategy: &S,
    case: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    run(cases.max(asked_for().unwrap_or(0) / WORTH), strategy, case);
}

fn asked_for() -> Option<u32> {
    std::env::var("PROPTEST_CASES").ok()?.parse().ok()
}

fn run<S: Strategy>(cases: u32, strategy: &S, case: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    if let Err(failure) = runner.run(strategy, case) {
        panic!("{failure}");
    }
}

/// Set to a non-empty value, this variable makes repeating tests repeat many more times.
const LONG: &str = "STEERSMAN_LONG";

/// Returns whether this is a long run.
pub fn is_long_run() -> bool {
    std::env::var_os(LONG).is_some_and(|value| !value.is_empty())
}

/// Returns the number of repetitions: `briefly` in CI, `otherwise` in a long run.
pub fn in_the_long_run(otherwise: usize, briefly: usize) -> usize {
    if is_long_run() { otherwise } else { briefly }
}
