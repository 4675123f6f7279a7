//! What a run printed: two outputs, and one text made of them.

use serde::{Deserialize, Serialize};

/// Which of its outputs a program wrote to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Output {
    /// What the program answers.
    Stdout,
    /// What it tells people.
    Stderr,
}

/// What a try printed, without secrets.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Printed {
    /// What it answered.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub stdout: String,
    /// What it told people.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

/// Stands between the two outputs.
const BORDER: &str = "[stderr]\n";

impl Printed {
    /// Adds to one of the outputs.
    pub fn add(&mut self, output: Output, text: &str) {
        match output {
            Output::Stdout => self.stdout.push_str(text),
            Output::Stderr => self.stderr.push_str(text),
        }
    }

    /// Returns whether nothing was printed.
    pub const fn is_empty(&self) -> bool {
        self.stdout.is_empty() && self.stderr.is_empty()
    }

    /// Returns both outputs as the one text that a record keeps.
    #[must_use]
    pub fn logs(&self) -> String {
        let Self { stdout, stderr } = self;
        match (stdout.is_empty(), stderr.is_empty()) {
            (_, true) => stdout.clone(),
            (true, false) => format!("{BORDER}{stderr}"),
            (false, false) => format!("{}\n{BORDER}{stderr}", stdout.trim_end_matches('\n')),
        }
    }

    /// Returns the lines of a record's text that are not among what was printed here, for whoever has
    /// shown this already. What differs is told again: nothing is left out.
    pub fn missing_of<'a>(&self, logs: &'a str) -> Missing<'a> {
        let at_start = logs.starts_with(BORDER).then_some(0);
        let border = at_start.or_else(|| logs.find(&format!("\n{BORDER}")).map(|at| at + 1));
        let (stdout, stderr) = border.map_or((logs, ""), |at| logs.split_at(at));
        Missing {
            stdout: behind(stdout, &self.stdout),
            stderr: behind(stderr.strip_prefix(BORDER).unwrap_or(stderr), &self.stderr),
        }
    }
}

/// What of both outputs was not shown yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing<'a> {
    /// Lines of what was answered.
    pub stdout: Vec<&'a str>,
    /// Lines of what people were told.
    pub stderr: Vec<&'a str>,
}

impl<'a> Missing<'a> {
    /// Returns all lines as the text of a record has them, the two outputs told apart.
    pub fn lines(self) -> impl Iterator<Item = &'a str> {
        let border = (!self.stderr.is_empty()).then_some(BORDER.trim_end());
        self.stdout.into_iter().chain(border).chain(self.stderr)
    }
}

/// Returns the lines behind those that both begin with.
fn behind<'a>(all: &'a str, known: &str) -> Vec<&'a str> {
    let n_common = all.lines().zip(known.lines()).take_while(|(one, other)| one == other).count();
    all.lines().skip(n_common).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(stdout: &str, stderr: &str) -> Printed {
        Printed { stdout: stdout.to_owned(), stderr: stderr.to_owned() }
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
            let lines: Vec<_> = printed(stdout, stderr).missing_of(logs).lines().collect();
            assert_eq!(lines, missing, "{stdout:?} {stderr:?}");
        }
        let only_errors = Missing { stdout: vec![], stderr: vec!["e"] };
        assert_eq!(printed("", "d\n").missing_of("[stderr]\nd\ne\n"), only_errors);
    }
}
