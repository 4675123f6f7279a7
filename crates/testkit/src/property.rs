//! Property tests whose cases share a place, or take long.
//!
//! WHY not the macro of `proptest`: it makes a place for each case, and it gives every test the number
//! of cases that `PROPTEST_CASES` asks for. A few tests that start programs or wait for a disk would
//! then take longer than all the others together.

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

/// A case that takes long stands for so many that do not.
const WORTH: u32 = 50;

/// Tries as many cases as `PROPTEST_CASES` asks for, or so many.
pub fn prove<S: Strategy>(cases: u32, strategy: &S, case: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    run(asked_for().unwrap_or(cases), strategy, case);
}

/// Tries at least so many cases, each of which takes long.
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
