//! What is wrong with a file of intents, and where.

use std::fmt;

use super::node::At;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where, counted from one.
    pub line: usize,
    /// Where in the line, in characters counted from one.
    pub column: usize,
    /// In which intent, as far as that can be told.
    pub intent: Option<String>,
    /// What.
    pub what: String,
    /// What to do about it; may be empty.
    pub hint: String,
    /// Whether the file can be used all the same.
    pub warning: bool,
}

/// Everything that is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// The file, as people know it.
    pub file: String,
    /// At least one, in the order of the file.
    pub problems: Vec<Problem>,
}

impl Problem {
    pub(crate) fn error(at: At, what: impl Into<String>) -> Self {
        Self {
            line: at.line,
            column: at.column,
            intent: None,
            what: what.into(),
            hint: String::new(),
            warning: false,
        }
    }

    pub(crate) fn warning(at: At, what: impl Into<String>) -> Self {
        Self { warning: true, ..Self::error(at, what) }
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    pub(crate) fn of(mut self, intent: Option<&str>) -> Self {
        self.intent = intent.map(str::to_owned);
        self
    }

    /// Returns it in one line with its file, and the hint on a second.
    pub fn in_file(&self, file: &str) -> String {
        let Self { line, column, what, hint, .. } = self;
        let intent = self.intent.as_ref().map(|id| format!("{id}: ")).unwrap_or_default();
        let hint = if hint.is_empty() { String::new() } else { format!("\n  hint: {hint}") };
        format!("{file}:{line}:{column}: {intent}{what}{hint}")
    }
}

/// The document's words, then every problem on its own line.
impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Invalid active_intents.yaml: ")?;
        for (index, problem) in self.problems.iter().enumerate() {
            let separator = if index == 0 { "" } else { "\n" };
            write!(f, "{separator}{}", problem.in_file(&self.file))?;
        }
        Ok(())
    }
}

impl std::error::Error for Invalid {}
