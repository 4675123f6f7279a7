//! How much a test does: enough to notice in CI, enough to prove in the long run.

/// Set to anything but nothing, the tests that repeat themselves do so much more often.
const LONG: &str = "STEERSMAN_LONG";

/// Returns whether there is time for the long run.
pub fn is_long_run() -> bool {
    std::env::var_os(LONG).is_some_and(|value| !value.is_empty())
}

/// Returns how often to repeat something: `briefly` in CI, `otherwise` in the long run.
pub fn in_the_long_run(otherwise: usize, briefly: usize) -> usize {
    if is_long_run() { otherwise } else { briefly }
}
