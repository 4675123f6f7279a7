//! Collects the problems of one file while it is read, so that one does not hide the next.

use crate::node::{Span, Syntax};
use crate::problem::{Code, Problem, Severity};
use crate::source::Source;
use crate::spot::Spot;

/// The most errors, and the most warnings, that are reported of one file.
const MAX_PROBLEMS: usize = 50;

/// Why a text cannot be read at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where.
    pub span: Span,
    /// What.
    pub message: String,
    /// What to do about it.
    pub hint: Option<&'static str>,
    /// Whether a limit was reached, rather than a rule of the notation broken.
    pub is_limit: bool,
}

/// The problems of one file.
pub struct Report<'s> {
    source: &'s Source<'s>,
    syntax: Syntax,
    /// What messages begin with: the entry that is being read.
    subject: Option<String>,
    problems: Vec<Problem>,
    /// What is beyond the limit is written here and forgotten.
    spare: Problem,
}

impl Fault {
    /// Makes one without a hint.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), hint: None, is_limit: false }
    }
}

impl<'s> Report<'s> {
    /// Starts a report about a file.
    pub fn new(source: &'s Source<'s>, syntax: Syntax) -> Self {
        let spare = Problem::error(source.file(), Code::INVALID_SCHEMA, "");
        Self { source, syntax, subject: None, problems: Vec::new(), spare }
    }

    /// Returns the file.
    pub fn source(&self) -> &'s Source<'s> {
        self.source
    }

    /// Returns the notation of the file.
    pub fn syntax(&self) -> Syntax {
        self.syntax
    }

    /// Names the entry that is being read; messages begin with it.
    pub fn set_subject(&mut self, subject: Option<&str>) {
        self.subject = subject.map(str::to_owned);
    }

    /// Adds an error; the caller may add a hint to what it returns.
    pub fn error(&mut self, at: Span, message: impl Into<String>) -> &mut Problem {
        self.add(Severity::Error, Code::INVALID_SCHEMA, at, message.into())
    }

    /// Adds a warning.
    pub fn warning(&mut self, at: Span, message: impl Into<String>) -> &mut Problem {
        self.add(Severity::Warning, Code::INVALID_SCHEMA, at, message.into())
    }

    /// Adds an error of the notation itself.
    pub fn parse_error(&mut self, at: Span, message: impl Into<String>) -> &mut Problem {
        self.add(Severity::Error, Code::PARSE_ERROR, at, message.into())
    }

    /// Adds what made the parser stop.
    pub fn fault(&mut self, fault: Fault) {
        self.parse_error(fault.span, fault.message).hint = fault.hint.map(str::to_owned);
    }

    /// Returns a place with its line, to be kept beyond the reading.
    pub fn spot(&self, at: Span) -> Spot {
        self.source.spot(at)
    }

    /// Returns whether there are errors so far.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(Problem::is_error)
    }

    /// Returns the problems in the order of the file.
    pub fn into_problems(mut self) -> Vec<Problem> {
        self.problems.sort_by_key(|it| it.spot.as_ref().map(|spot| (spot.line, spot.column)));
        self.problems
    }

    fn add(&mut self, severity: Severity, code: Code, at: Span, message: String) -> &mut Problem {
        // Counted apart: warnings must not push an error out.
        let n_alike = self.problems.iter().filter(|it| it.severity == severity).count();
        if n_alike >= MAX_PROBLEMS {
            return &mut self.spare;
        }
        let message = match &self.subject {
            Some(subject) => format!("{subject}: {message}"),
            None => message,
        };
        let problem = Problem::error(self.source.file(), code, message).at(self.source.spot(at));
        let index = self.problems.len();
        self.problems.push(Problem { severity, ..problem });
        &mut self.problems[index]
    }
}
