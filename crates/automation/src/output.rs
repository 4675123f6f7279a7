//! The output of a run: stdout and stderr, and the log text made of both.

use serde::{Deserialize, Serialize};

/// An output stream of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum OutputStream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
}

/// The redacted output of an attempt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct CapturedOutput {
    /// Standard output.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub stdout: String,
    /// Standard error.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

/// Separates the two outputs.
const BORDER: &str = "[stderr]\n";

impl CapturedOutput {
    /// Appends text to one of the outputs.
    pub fn add(&mut self, output: OutputStream, text: &str) {
        match output {
            OutputStream::Stdout => self.stdout.push_str(text),
            OutputStream::Stderr => self.stderr.push_str(text),
        }
    }

    /// Returns whether both outputs are empty.
    pub const fn is_empty(&self) -> bool {
        self.stdout.is_empty() && self.stderr.is_empty()
    }

    /// Returns both outputs as the log text of a record.
    #[must_use]
    pub fn logs(&self) -> String {
        let Self { stdout, stderr } = self;
        match (stdout.is_empty(), stderr.is_empty()) {
            (_, true) => stdout.clone(),
            (true, false) => format!("{BORDER}{stderr}"),
            (false, false) => format!("{}\n{BORDER}{stderr}", stdout.trim_end_matches('\n')),
        }
    }

    /// Returns the lines of a record's log text that follow this output, for a caller that has already
    /// displayed this output. From the first difference on it returns all lines, so that none is lost.
    pub fn unseen_in<'a>(&self, logs: &'a str) -> UnseenOutput<'a> {
        let at_start = logs.starts_with(BORDER).then_some(0);
        let border = at_start.or_else(|| logs.find(&format!("\n{BORDER}")).map(|at| at + 1));
        let (stdout, stderr) = border.map_or((logs, ""), |at| logs.split_at(at));
        UnseenOutput {
            stdout: behind(stdout, &self.stdout),
            stderr: behind(stderr.strip_prefix(BORDER).unwrap_or(stderr), &self.stderr),
        }
    }
}

/// The lines of both outputs that a caller has not displayed yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnseenOutput<'a> {
    /// Lines of standard output.
    pub stdout: Vec<&'a str>,
    /// Lines of standard error.
    pub stderr: Vec<&'a str>,
}

impl<'a> UnseenOutput<'a> {
    /// Returns all lines as in the log text of a record, with the separator between the two outputs.
    pub fn lines(self) -> impl Iterator<Item = &'a str> {
        let border = (!self.stderr.is_empty()).then_some(BORDER.trim_end());
        self.stdout.into_iter().chain(border).chain(self.stderr)
    }
}

/// Returns the lines after the common prefix.
fn behind<'a>(all: &'a str, known: &str) -> Vec<&'a str> {
    let n_common = all.lines().zip(known.lines()).take_while(|(one, other)| one == other).count();
    all.lines().skip(n_common).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(stdout: &str, stderr: &str) -> CapturedOutput {
        CapturedOutput { stdout: stdout.to_owned(), stderr: stderr.to_owned() }
    }

    #[test]
    fn both_outputs_become_one_text() {
        for (stdout, stderr, logs) in [
            ("", "", ""),
            ("a\n", "", "a\n"),
            ("", "b\n", "[stderr]\nb\n"),
            ("a", "b\n", "a\n[stderr]\nb\n"),
            ("a\n", "b\n", "a\n[stderr]\nb\n"),
        ] {
            assert_eq!(printed(stdout, stderr).logs(), logs);
        }
    }

    #[test]
    fn what_was_shown_is_not_told_again_and_nothing_else_is_left_out() {
        let logs = "a\nb\nc\n[stderr]\nd\ne\n";
        for (stdout, stderr, missing) in [
            ("", "", &["a", "b", "c", "[stderr]", "d", "e"][..]),
            ("a\nb\n", "d\n", &["c", "[stderr]", "e"]),
            ("a\nb\nc\n", "d\ne\n", &[]),
            ("a\nb\nx\n", "d\ne\n", &["c"]),
            ("other\n", "", &["a", "b", "c", "[stderr]", "d", "e"]),
        ] {
            let lines: Vec<_> = printed(stdout, stderr).unseen_in(logs).lines().collect();
            assert_eq!(lines, missing, "{stdout:?} {stderr:?}");
        }
        let only_errors = UnseenOutput { stdout: vec![], stderr: vec!["e"] };
        assert_eq!(printed("", "d\n").unseen_in("[stderr]\nd\ne\n"), only_errors);
    }
}
