//! Collects the problems of one file while it is read, so that one does not hide the next.

use std::collections::HashSet;

use config_file::Place;
use jsonc_parser::common::Range;
use redact::Redacted;

use super::problem::{Problem, Severity};
use crate::limits::MAX_PROBLEMS;

/// The problems of one file.
pub(crate) struct Report<'t> {
    file: &'t str,
    text: &'t str,
    line_starts: Vec<usize>,
    problems: Vec<Problem>,
    /// The patterns of secrets that were looked at and are fine.
    ///
    /// WHY: a project has few and names them in many automations; reading them took a third of
    /// the time in which a thousand automations load.
    sound_patterns: HashSet<String>,
    /// What is beyond the limit is written here and forgotten.
    spare: Problem,
}

impl<'t> Report<'t> {
    pub(crate) fn new(file: &'t str, text: &'t str) -> Self {
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        let line_starts = std::iter::once(0).chain(breaks).collect();
        let (problems, sound_patterns) = (Vec::new(), HashSet::new());
        Self { file, text, line_starts, problems, sound_patterns, spare: Problem::whole(file, "") }
    }

    /// Adds an error; what it returns can be told what to do.
    pub(crate) fn error(&mut self, at: Range, message: impl Into<String>) -> &mut Problem {
        self.add(Severity::Error, at, message.into())
    }

    /// Adds a warning.
    pub(crate) fn warning(&mut self, at: Range, message: impl Into<String>) -> &mut Problem {
        self.add(Severity::Warning, at, message.into())
    }

    /// Returns the place of a byte.
    pub(crate) fn place(&self, byte: usize) -> Place {
        let line = self.line_starts.partition_point(|start| *start <= byte);
        let start = self.line_starts[line.saturating_sub(1)];
        let before = self.text.get(start..byte).unwrap_or_default();
        Place { line, column: before.chars().count() + 1 }
    }

    /// Returns the text of a range, as it was written.
    pub(crate) fn written(&self, range: Range) -> &'t str {
        self.text.get(range.start..range.end).unwrap_or_default()
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.problems.iter().any(Problem::is_error)
    }

    /// Returns whether a pattern of secrets was found to be fine before.
    pub(crate) fn is_sound_pattern(&self, pattern: &str) -> bool {
        self.sound_patterns.contains(pattern)
    }

    pub(crate) fn add_sound_pattern(&mut self, pattern: String) {
        self.sound_patterns.insert(pattern);
    }

    /// Returns the problems in the order of the file. They quote it, so their secrets are taken out.
    pub(crate) fn into_problems(mut self) -> Vec<Problem> {
        let plain = |text: &String| Redacted::from_text(text).into_string();
        for problem in &mut self.problems {
            problem.message = plain(&problem.message);
            problem.hint = problem.hint.as_ref().map(plain);
        }
        self.problems.sort_by_key(|it| it.place.map(|place| (place.line, place.column)));
        self.problems
    }

    fn add(&mut self, severity: Severity, at: Range, message: String) -> &mut Problem {
        // Counted apart: warnings must not push an error out.
        let n_alike = self.problems.iter().filter(|it| it.severity == severity).count();
        if n_alike >= MAX_PROBLEMS {
            return &mut self.spare;
        }
        let place = self.place(at.start);
        let marked = self.written(at).lines().next().unwrap_or_default();
        let line = self.text.lines().nth(place.line.saturating_sub(1)).unwrap_or_default();
        let problem = Problem {
            severity,
            place: Some(place),
            width: marked.chars().count().max(1),
            line: line.to_owned(),
            ..Problem::whole(self.file, message)
        };
        let index = self.problems.len();
        self.problems.push(problem);
        &mut self.problems[index]
    }
}
