//! A user's regular expression, checked when its file is loaded and compiled at first use.
//!
//! WHY: checking the syntax takes microseconds, compiling a hundred times that. Most patterns of most
//! agents are never used.

use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::ast;

use crate::limits::MAX_PATTERN_LENGTH;

/// A regular expression that runs in linear time.
#[derive(Debug, Clone)]
pub struct Pattern {
    text: String,
    compiled: OnceLock<Option<Regex>>,
}

/// Why a pattern is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct PatternError {
    /// The character at fault, from 0.
    pub column: usize,
    /// The message.
    pub reason: String,
    /// The remedy.
    pub hint: Option<&'static str>,
}

/// The maximum size of a compiled pattern.
const MOST_BYTES: usize = 1 << 20;

impl Pattern {
    /// Checks the text of a pattern; `\w`, `\d`, `\s` and `(?i)` match only ASCII.
    pub fn new(text: impl Into<String>) -> Result<Self, PatternError> {
        let text = text.into();
        if text.len() > MAX_PATTERN_LENGTH {
            let reason = format!("longer than the {MAX_PATTERN_LENGTH} bytes of MAX_PATTERN_LENGTH");
            return Err(PatternError { column: 0, reason, hint: None });
        }
        let parsed = ast::parse::ParserBuilder::new().nest_limit(64).build().parse(&text);
        let tree =
            parsed.map_err(|error| syntax(&text, error.span(), &error.kind().to_string(), error.kind()))?;
        let translated = regex_syntax::hir::translate::TranslatorBuilder::new()
            .unicode(false)
            .utf8(false)
            .build()
            .translate(&text, &tree);
        translated.map_err(|error| PatternError {
            column: column(&text, error.span()),
            reason: error.kind().to_string(),
            hint: Some("patterns match ASCII: write other characters as `(é|è)`"),
        })?;
        let pattern = Self { text, compiled: OnceLock::new() };
        // Only counted repetition can make a short pattern large.
        if pattern.text.contains('{') && pattern.regex().is_none() {
            let reason = "repeats too often".to_owned();
            return Err(PatternError { column: 0, reason, hint: Some("use smaller counts in `{…}`") });
        }
        Ok(pattern)
    }

    /// Returns the pattern as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns whether the pattern matches in `text`. Returns `None` if it cannot be compiled.
    pub fn is_match(&self, text: &str) -> Option<bool> {
        self.regex().map(|regex| regex.is_match(text.as_bytes()))
    }

    fn regex(&self) -> Option<&Regex> {
        let compile = || RegexBuilder::new(&self.text).unicode(false).size_limit(MOST_BYTES).build().ok();
        self.compiled.get_or_init(compile).as_ref()
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Pattern {}

fn syntax(text: &str, span: &ast::Span, reason: &str, kind: &ast::ErrorKind) -> PatternError {
    let hint = match kind {
        ast::ErrorKind::UnsupportedLookAround | ast::ErrorKind::UnsupportedBackreference => {
            Some("remove look-around and back-references: patterns run in linear time")
        }
        ast::ErrorKind::GroupUnclosed | ast::ErrorKind::ClassUnclosed | ast::ErrorKind::GroupUnopened => {
            Some("write a backslash before a literal bracket")
        }
        _ => None,
    };
    PatternError { column: column(text, span), reason: reason.to_owned(), hint }
}

fn column(text: &str, span: &ast::Span) -> usize {
    text.get(..span.start.offset).map_or(0, |before| before.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_run_in_linear_time_or_is_broken_is_told_with_its_column() {
        let check = |text: &str, column, reason: &str| {
            let error = Pattern::new(text).expect_err(text);
            assert_eq!((error.column, error.reason.as_str()), (column, reason), "{text}");
        };
        check("rm (", 3, "unclosed group");
        check("a(?=b)", 1, "look-around, including look-ahead and look-behind, is not supported");
        check(r"(a)\1", 3, "backreferences are not supported");
        check("[z-a]", 1, "invalid character class range, the start must be <= the end");
        check("(((a{1000}){1000}){1000})", 0, "repeats too often");
        let deep = format!("{}a{}", "(".repeat(70), ")".repeat(70));
        check(&deep, 64, "exceed the maximum number of nested parentheses/brackets (64)");
    }

    #[test]
    fn ordinary_patterns_match_as_one_would_think() {
        let check = |pattern: &str, text: &str, found| {
            assert_eq!(
                Pattern::new(pattern).expect(pattern).is_match(text),
                Some(found),
                "{pattern} in {text}"
            );
        };
        check("rm ", "rm -rf x", true);
        check("rm ", "rmdir x", false);
        check(r"\bsudo\b", "a; sudo b", true);
        check(r"(?i)drop\s+table", "DROP  TABLE x", true);
        check(r"^git push", "git push -f", true);
        check("naïve", "a naïve text", true);
        check(r"\d{3}", "ab123", true);
        check("> ", "echo a > b", true);
    }
}
