//! Collects the problems of one file while it is read, so that one does not hide the next.

use crate::limits::MAX_PROBLEMS;
use crate::problem::{Code, Problem, Severity};
use crate::source::{Mark, Source};
use crate::spot::Spot;

/// The problems of one file.
pub(crate) struct Report<'a> {
    source: &'a Source,
    problems: Vec<Problem>,
    /// What is beyond the limit is written here and forgotten.
    spare: Problem,
}

impl<'a> Report<'a> {
    pub(crate) fn new(source: &'a Source) -> Self {
        let spare = Problem::error(source.file(), Code::InvalidSchema, "");
        Self { source, problems: Vec::new(), spare }
    }

    /// Adds an error; what it returns can be told what was expected and what to do.
    pub(crate) fn error(&mut self, at: Mark, message: impl Into<String>) -> &mut Problem {
        self.add(Severity::Error, Code::InvalidSchema, at, message.into())
    }

    /// Adds a warning.
    pub(crate) fn warning(&mut self, at: Mark, message: impl Into<String>) -> &mut Problem {
        self.add(Severity::Warning, Code::InvalidSchema, at, message.into())
    }

    /// Adds an error of the format itself.
    pub(crate) fn parse_error(&mut self, at: Mark, message: impl Into<String>) -> &mut Problem {
        self.add(Severity::Error, Code::ParseError, at, message.into())
    }

    fn add(&mut self, severity: Severity, code: Code, at: Mark, message: String) -> &mut Problem {
        // Counted apart: warnings must not push an error out.
        let n_alike = self.problems.iter().filter(|it| it.severity == severity).count();
        if n_alike >= MAX_PROBLEMS {
            return &mut self.spare;
        }
        let mut problem = Problem::error(self.source.file(), code, message).at(self.source.spot(at));
        problem.severity = severity;
        let index = self.problems.len();
        self.problems.push(problem);
        &mut self.problems[index]
    }

    /// Returns a place with its line, to be kept beyond the reading.
    pub(crate) fn spot(&self, at: Mark) -> Spot {
        self.source.spot(at)
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.problems.iter().any(Problem::is_error)
    }

    /// Returns the problems in the order of the file.
    pub(crate) fn into_problems(mut self) -> Vec<Problem> {
        self.problems.sort_by_key(|it| it.spot.as_ref().map(|spot| (spot.line, spot.column)));
        self.problems
    }
}
