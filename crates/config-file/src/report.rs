//! Collects all problems of one file, so that one does not hide the next.

use crate::excerpt::Excerpt;
use crate::node::{Span, Syntax};
use crate::problem::{Code, Problem, Severity};
use crate::source::Source;

/// The most errors, and the most warnings, that are reported for one file.
const MAX_PROBLEMS: usize = 50;

/// Why a string cannot be parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// The wrong bytes.
    pub span: Span,
    /// The message.
    pub message: String,
    /// The remedy.
    pub hint: Option<&'static str>,
    /// Whether the text exceeds a limit, rather than violates its syntax.
    pub is_limit: bool,
}

/// The problems of one file.
pub struct Report<'s> {
    source: &'s Source<'s>,
    syntax: Syntax,
    /// The entry whose fields are being read; messages begin with it.
    subject: Option<String>,
    problems: Vec<Problem>,
    /// Takes the hint of a problem beyond the limit, which is dropped.
    spare: Problem,
}

impl SyntaxError {
    /// Creates an error without a hint.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), hint: None, is_limit: false }
    }
}

impl<'s> Report<'s> {
    /// Creates an empty report about a file.
    pub fn new(source: &'s Source<'s>, syntax: Syntax) -> Self {
        let spare = Problem::error(source.file(), Code::INVALID_SCHEMA, "");
        Self { source, syntax, subject: None, problems: Vec::new(), spare }
    }

    /// Returns the file.
    pub fn source(&self) -> &'s Source<'s> {
        self.source
    }

    /// Returns the syntax of the file.
    pub fn syntax(&self) -> Syntax {
        self.syntax
    }

    /// Sets the entry whose fields are being read; messages begin with it.
    pub fn set_subject(&mut self, subject: Option<&str>) {
        self.subject = subject.map(str::to_owned);
    }

    /// Adds an error and returns it, so that the caller can add a hint.
    pub fn error(&mut self, at: Span, message: impl Into<String>) -> &mut Problem {
        self.add(Severity::Error, Code::INVALID_SCHEMA, at, message.into())
    }

    /// Adds a warning and returns it, so that the caller can add a hint.
    pub fn warning(&mut self, at: Span, message: impl Into<String>) -> &mut Problem {
        self.add(Severity::Warning, Code::INVALID_SCHEMA, at, message.into())
    }

    /// Adds a syntax error.
    pub fn parse_error(&mut self, at: Span, message: impl Into<String>) -> &mut Problem {
        self.add(Severity::Error, Code::PARSE_ERROR, at, message.into())
    }

    /// Adds a parser's error.
    pub fn syntax_error(&mut self, error: SyntaxError) {
        self.parse_error(error.span, error.message).hint = error.hint.map(str::to_owned);
    }

    /// Returns a position with its line, independent of the source's lifetime.
    pub fn excerpt(&self, at: Span) -> Excerpt {
        self.source.excerpt(at)
    }

    /// Returns whether the report contains errors.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(Problem::is_error)
    }

    /// Returns the problems in the order of the file.
    pub fn into_problems(mut self) -> Vec<Problem> {
        self.problems.sort_by_key(|it| it.excerpt.as_ref().map(|excerpt| (excerpt.line, excerpt.column)));
        self.problems
    }

    fn add(&mut self, severity: Severity, code: Code, at: Span, message: String) -> &mut Problem {
        // Limited separately: warnings must not displace an error.
        let n_alike = self.problems.iter().filter(|it| it.severity == severity).count();
        if n_alike >= MAX_PROBLEMS {
            return &mut self.spare;
        }
        let message = match &self.subject {
            Some(subject) => format!("{subject}: {message}"),
            None => message,
        };
        let problem = Problem::error(self.source.file(), code, message).at(self.source.excerpt(at));
        let index = self.problems.len();
        self.problems.push(Problem { severity, ..problem });
        &mut self.problems[index]
    }
}
