//! The filter: the built-in kinds and the user's patterns.

use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

use crate::fixpoint::redact_to_fixpoint;
use crate::partial_match::PartialMatch;
use crate::{REPLACEMENT, Redacted, scan};

/// Replaces the secrets in text.
///
/// The default knows the built-in kinds and costs nothing to create.
#[derive(Debug, Default, Clone)]
pub struct Filter {
    patterns: Vec<Regex>,
    /// Find partial matches of the patterns; built on the first live display.
    partial_matches: OnceLock<Vec<PartialMatch>>,
}

/// Why a user's secret pattern cannot be used.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PatternError {
    /// The pattern is not a regular expression that runs in linear time.
    #[error("secret pattern `{pattern}` is not valid: {reason}")]
    Invalid {
        /// The pattern as the user wrote it.
        pattern: String,
        /// The error, on one line.
        reason: String,
    },
    /// The pattern matches between any two characters.
    #[error("secret pattern `{pattern}` matches the empty string")]
    MatchesNothing {
        /// The pattern as the user wrote it.
        pattern: String,
    },
}

impl Filter {
    /// Creates a filter that also replaces every match of `patterns`.
    ///
    /// Patterns are regular expressions without look-around and back-references; `\w`, `\d`, `\s` and
    /// `(?i)` apply to ASCII only.
    pub fn with_patterns<P: AsRef<str>>(patterns: impl IntoIterator<Item = P>) -> Result<Self, PatternError> {
        let patterns =
            patterns.into_iter().map(|pattern| compile(pattern.as_ref())).collect::<Result<_, _>>()?;
        Ok(Self { patterns, partial_matches: OnceLock::new() })
    }

    /// Returns `text` with its secrets replaced.
    pub fn redact(&self, text: &str) -> Redacted {
        let secrets = self.secrets(text.as_bytes(), 0, text.len());
        if secrets.is_empty() {
            return Redacted::filtered(text.to_owned());
        }
        let mut redacted = Vec::new();
        redact_to_fixpoint(text.as_bytes(), 0, text.len(), &secrets, &mut redacted);
        Redacted::filtered(into_string(redacted))
    }

    /// Returns whether `text` contains a secret.
    pub(crate) fn has_secrets(&self, text: &str) -> bool {
        !self.secrets(text.as_bytes(), 0, text.len()).is_empty()
    }

    /// Returns the first position in `bytes`, not before `from`, where a match of a pattern may begin
    /// that the end cuts off.
    pub(crate) fn partial_match(&self, bytes: &[u8], from: usize) -> usize {
        let make = || self.patterns.iter().map(|pattern| PartialMatch::of(pattern.as_str())).collect();
        let all = self.partial_matches.get_or_init(make).iter();
        all.map(|it| it.place(bytes, from)).min().unwrap_or(bytes.len())
    }

    /// Returns the secrets that begin in `from..until`, in order and without overlap.
    pub(crate) fn secrets(&self, bytes: &[u8], from: usize, until: usize) -> Vec<Range<usize>> {
        let mut secrets = scan::secrets(bytes, from, until);
        if self.patterns.is_empty() {
            return secrets;
        }
        for pattern in &self.patterns {
            let mut at = from;
            while let Some(found) = pattern.find_at(bytes, at)
                && found.start() < until
            {
                at = found.end().max(found.start() + 1);
                outside_replacements(bytes, found.range(), &mut secrets);
                if at > bytes.len() {
                    break;
                }
            }
        }
        merged(secrets)
    }
}

/// Copies `bytes[from..until]` with the secrets replaced.
pub(crate) fn replace(bytes: &[u8], from: usize, until: usize, secrets: &[Range<usize>], out: &mut Vec<u8>) {
    let mut at = from;
    for secret in secrets {
        out.extend_from_slice(&bytes[at..secret.start]);
        out.extend_from_slice(REPLACEMENT.as_bytes());
        at = secret.end;
    }
    out.extend_from_slice(&bytes[at..until.max(at)]);
}

/// Secrets begin and end next to ASCII or at whole characters, so this never repairs anything.
pub(crate) fn into_string(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn compile(pattern: &str) -> Result<Regex, PatternError> {
    let regex = RegexBuilder::new(pattern).unicode(false).size_limit(1 << 20).build().map_err(|error| {
        let text = error.to_string();
        let reason = text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned();
        PatternError::Invalid { pattern: pattern.to_owned(), reason }
    })?;
    // WHY the second text: `\b` does not match in an empty text, but matches the empty string next to a word.
    let matches_nothing =
        [&b""[..], b"a 1_-\n"].iter().any(|probe| regex.find_iter(probe).any(|found| found.is_empty()));
    if matches_nothing {
        return Err(PatternError::MatchesNothing { pattern: pattern.to_owned() });
    }
    Ok(regex)
}

/// Adds the parts of `range` that do not overlap a secret already found, so that
/// a pattern such as `[A-Z]+` leaves the replacement itself alone.
fn outside_replacements(bytes: &[u8], range: Range<usize>, secrets: &mut Vec<Range<usize>>) {
    let range = whole_characters(bytes, range);
    let mark = REPLACEMENT.as_bytes();
    let search_from = range.start.saturating_sub(mark.len() - 1);
    let search_to = bytes.len().min(range.end + mark.len() - 1);
    let mut start = range.start;
    let mut at = search_from;
    while at + mark.len() <= search_to {
        if &bytes[at..at + mark.len()] == mark {
            if at > start {
                secrets.push(start..at.min(range.end));
            }
            start = start.max(at + mark.len());
            at += mark.len();
        } else {
            at += 1;
        }
    }
    if start < range.end {
        secrets.push(start..range.end);
    }
}

/// Widens a range that a pattern on bytes has cut inside a character.
fn whole_characters(bytes: &[u8], range: Range<usize>) -> Range<usize> {
    let is_inside = |at: &usize| bytes.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let n_before = (0..=range.start).rev().take_while(is_inside).count().min(3);
    let n_after = (range.end..bytes.len()).take_while(is_inside).count().min(3);
    range.start - n_before..range.end + n_after
}

fn merged(mut secrets: Vec<Range<usize>>) -> Vec<Range<usize>> {
    secrets.sort_by_key(|secret| secret.start);
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(secrets.len());
    for secret in secrets {
        match merged.last_mut() {
            Some(last) if secret.start < last.end => last.end = last.end.max(secret.end),
            _ => merged.push(secret),
        }
    }
    merged
}
