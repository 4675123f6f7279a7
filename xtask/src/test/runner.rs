//! Runs `cargo test`, shows its output, and prints its closing lines again at the end.
//!
//! WHY: `cargo test` closes every test binary with its own line, so the end
//! of a log shows the last binary only, which often has no tests at all.
//!
//! WHY not cargo-nextest: a process per test, emulated with `--exact` on two busy cores, took 12 to 14 % more processor
//! time (532 tests of 12 binaries, 19.2 s against 21.8 s) and no less time, and a machine without it must compile it.

use std::io::{BufRead, BufReader, pipe};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::repo;

/// The results of the test binaries of one or more calls.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    /// Each test binary and its closing line, as printed.
    closing: Vec<(String, String)>,
    /// Names of the tests that failed.
    failed: Vec<String>,
    /// Calls that ended in failure.
    n_failed_calls: u32,
}

/// The numbers in a closing line, in its order.
const COUNTS: [&str; 5] = ["passed", "failed", "ignored", "measured", "filtered out"];

/// Runs one call of `cargo test`; that tests fail is a result, not an error.
pub(crate) fn run(command: &mut Command) -> Result<Totals> {
    println!("$ {}", repo::line(command));
    // One pipe for both streams keeps the lines in the order in which they were written.
    let (reader, writer) = pipe().context("cannot make a pipe")?;
    let context = || "cannot run the tests";
    command.stdout(writer.try_clone().with_context(context)?).stderr(writer);
    let mut child = command.spawn().with_context(context)?;
    // The command holds the writing ends; while it does, the reader would wait for more.
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let mut totals = Totals::default();
    let mut running = String::new();
    for line in BufReader::new(reader).split(b'\n') {
        let line = line.with_context(context)?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        totals.read(&line, &mut running);
    }
    if !child.wait().with_context(context)?.success() {
        totals.n_failed_calls += 1;
    }
    Ok(totals)
}

impl Totals {
    /// Adds the result of another call.
    pub(crate) fn add(&mut self, other: Self) {
        self.closing.extend(other.closing);
        self.failed.extend(other.failed);
        self.n_failed_calls += other.n_failed_calls;
    }

    /// Returns an error if anything failed, be it a test or the build of one.
    pub(crate) fn to_result(&self) -> Result<()> {
        if self.n_failed_calls == 0 {
            return Ok(());
        }
        match self.failed.len() {
            0 => bail!("`cargo test` failed"),
            1 => bail!("a test failed"),
            n_failed => bail!("{n_failed} tests failed"),
        }
    }

    /// Prints the closing line of everything that had tests, and their sum as the last line.
    pub(crate) fn print(&self, heading: &str) {
        if self.closing.is_empty() {
            return;
        }
        println!("== {heading}, as the runner closed them");
        let with_tests = self.closing.iter().filter(|(_, line)| counts(line)[..4] != [0; 4]);
        for (what, line) in with_tests {
            println!("{line} ({what})");
        }
        for name in &self.failed {
            println!("test {name} ... FAILED");
        }
        println!("{}", self.sum());
    }

    /// Reads one line; `running` remembers which binary the next closing line is about.
    fn read(&mut self, line: &str, running: &mut String) {
        let text = line.trim();
        if let Some(what) = text.strip_prefix("Running ").filter(|it| it.ends_with(')')) {
            // `unittests src/lib.rs (target/debug/deps/event-0123456789abcdef)`
            let (kind, file) = what.split_once(" (").unwrap_or((what, ""));
            let file = file.trim_end_matches(')').rsplit(['/', '\\']).next().unwrap_or_default();
            let name = file.rsplit_once('-').map_or(file, |(name, _)| name);
            *running = format!("{name}: {kind}");
        } else if let Some(name) = text.strip_prefix("Doc-tests ") {
            *running = format!("{name}: examples in the docs");
        } else if text.starts_with("test result: ") {
            self.closing.push((running.clone(), text.to_owned()));
        } else if let Some(name) = text.strip_prefix("test ").and_then(|it| it.strip_suffix(" ... FAILED")) {
            self.failed.push(name.to_owned());
        }
    }

    fn sum(&self) -> String {
        let mut sums = [0; 5];
        for (_, line) in &self.closing {
            for (sum, count) in sums.iter_mut().zip(counts(line)) {
                *sum += count;
            }
        }
        let parts: Vec<String> = COUNTS.iter().zip(sums).map(|(what, sum)| format!("{sum} {what}")).collect();
        let word = if self.n_failed_calls == 0 { "ok" } else { "FAILED" };
        format!("test result: {word}. {}", parts.join("; "))
    }
}

fn counts(line: &str) -> [u64; 5] {
    let parts: Vec<&str> = line.split([';', '.']).map(str::trim).collect();
    COUNTS.map(|what| {
        let part = parts.iter().find_map(|part| part.strip_suffix(what));
        part.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "   Compiling event v0.1.0
     Running unittests src/lib.rs (target/debug/deps/event-0123456789abcdef)

running 2 tests
test ids::tests::a ... ok
test ids::tests::b ... FAILED

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.00s

     Running tests/any_input.rs (target/debug/deps/any_input-fedcba9876543210)
test result: ok. 7 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.20s
   Doc-tests event
test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
";

    fn read(log: &str) -> Totals {
        let mut totals = Totals::default();
        let mut running = String::new();
        for line in log.lines() {
            totals.read(line, &mut running);
        }
        totals
    }

    #[test]
    fn every_closing_line_is_kept_with_what_it_is_about() {
        let totals = read(LOG);
        let about: Vec<&str> = totals.closing.iter().map(|(what, _)| what.as_str()).collect();
        assert_eq!(
            about,
            ["event: unittests src/lib.rs", "any_input: tests/any_input.rs", "event: examples in the docs"]
        );
        assert_eq!(totals.failed, ["ids::tests::b"]);
        assert_eq!(counts(&totals.closing[0].1), [1, 1, 0, 0, 3]);
    }

    #[test]
    fn the_sum_reads_like_a_closing_line() {
        let mut totals = read(LOG);
        assert_eq!(
            totals.sum(),
            "test result: ok. 8 passed; 1 failed; 0 ignored; 0 measured; 3 filtered out"
        );
        totals.n_failed_calls = 1;
        assert!(totals.sum().starts_with("test result: FAILED. 8 passed; 1 failed;"));
        assert_eq!(totals.to_result().unwrap_err().to_string(), "a test failed");
    }

    #[test]
    fn a_build_that_fails_is_a_failure_without_tests() {
        let totals = Totals { n_failed_calls: 1, ..Totals::default() };
        assert_eq!(totals.to_result().unwrap_err().to_string(), "`cargo test` failed");
    }
}
