//! Reads JSON files that users write for steersman.
//!
//! Each is plain JSON with an object and a format version, and every error has the same form: the
//! file, line and column, the problem, a hint.

use std::io;
use std::path::{Path, PathBuf};

use config_file::{EMPTY_FILE, NO_BYTE_ORDER_MARK, PLAIN_JSON, Position, did_you_mean, value_at};
use event::AbsPath;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{Format, FormatError, plain_file};

/// Why one of our JSON files cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It exists but cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// It is not JSON, or has an invalid value.
    #[error("{}", self.sentence())]
    Content {
        /// The file.
        path: PathBuf,
        /// The position, if known.
        place: Option<Position>,
        /// The message.
        problem: String,
        /// The remedy.
        hint: Option<String>,
    },
    /// A newer build wrote it, or its version is invalid.
    #[error("`{}`: {source}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: FormatError,
    },
}

/// Reads and parses a file. Returns `None` if it does not exist.
pub fn read_json<T: DeserializeOwned>(path: &AbsPath, format: Format) -> Result<Option<T>, FileError> {
    let Some(text) = read_text(path)? else { return Ok(None) };
    parse_json(path.as_path(), &text, format).map(Some)
}

/// Reads the bytes of a file. Returns `None` if it does not exist.
pub fn read_text(path: &AbsPath) -> Result<Option<Vec<u8>>, FileError> {
    match plain_file::read(path.as_path()) {
        Ok(text) => Ok(Some(text)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(source) => Err(FileError::Read { path: path.as_path().to_path_buf(), source }),
    }
}

/// Parses the text of a file.
pub fn parse_json<T: DeserializeOwned>(path: &Path, text: &[u8], format: Format) -> Result<T, FileError> {
    // The version first: this build cannot judge the keys of a newer one.
    if let Ok(Header { version: Some(version) }) = serde_json::from_slice(text) {
        let check = format.check_version(&version);
        check.map_err(|source| FileError::Format { path: path.to_path_buf(), source })?;
    }
    // serde would read an array as the fields in their order.
    let is_list = text.trim_ascii_start().starts_with(b"[");
    match serde_json::from_slice(text) {
        Ok(_) if is_list => {
            let problem = "the file must be an object, not an array".to_owned();
            Err(FileError::Content { path: path.to_path_buf(), place: None, problem, hint: None })
        }
        Ok(value) => Ok(value),
        Err(error) => Err(FileError::from_serde(path, text, &error)),
    }
}

/// Parses the value at a JSON pointer in the text of a file.
pub fn parse_part<T: DeserializeOwned>(path: &Path, text: &[u8], pointer: &str) -> Result<T, FileError> {
    let whole = std::str::from_utf8(text).unwrap_or_default();
    let Some(range) = value_at(whole, pointer) else {
        return Err(FileError::about(path, text, pointer, format!("missing value `{pointer}`")));
    };
    let start = Position::of_byte(whole, range.start);
    let part = whole[range].as_bytes();
    serde_json::from_slice(part).map_err(|error| FileError::from_serde(path, part, &error).behind(start))
}

/// The part that every file has.
#[derive(Deserialize)]
struct Header {
    version: Option<Value>,
}

impl FileError {
    /// Creates an error about the value at a JSON pointer (`/rules/2/pattern`) in the text of the
    /// file.
    pub fn about(path: &Path, text: &[u8], pointer: &str, problem: impl Into<String>) -> Self {
        let text = std::str::from_utf8(text).unwrap_or_default();
        let place = value_at(text, pointer).map(|range| Position::of_byte(text, range.start));
        Self::Content { path: path.to_path_buf(), place, problem: problem.into(), hint: None }
    }

    /// Adds a hint.
    #[must_use]
    pub fn with_hint(mut self, right: impl Into<String>) -> Self {
        if let Self::Content { hint, .. } = &mut self {
            *hint = Some(right.into());
        }
        self
    }

    /// Returns the file.
    pub fn path(&self) -> &Path {
        match self {
            Self::Read { path, .. } | Self::Content { path, .. } | Self::Format { path, .. } => path,
        }
    }

    /// Creates an error from serde's error.
    pub fn from_serde(path: &Path, text: &[u8], error: &serde_json::Error) -> Self {
        let (line, column) = (error.line(), error.column());
        let whole = error.to_string();
        let problem = whole.trim_end_matches(&format!(" at line {line} column {column}")).to_owned();
        let place = (line > 0).then_some(Position { line, column: column.max(1) });
        let hint = hint_for(&problem, text, place);
        Self::Content { path: path.to_path_buf(), place, problem, hint }
    }

    /// Makes the position relative to the file instead of the parsed part.
    fn behind(mut self, start: Position) -> Self {
        if let Self::Content { place: Some(place), .. } = &mut self {
            if place.line == 1 {
                place.column += start.column - 1;
            }
            place.line += start.line - 1;
        }
        self
    }

    fn sentence(&self) -> String {
        let Self::Content { path, place, problem, hint } = self else { return String::new() };
        let place = place.map(|Position { line, column }| format!(", line {line}, column {column}"));
        let hint = hint.as_ref().map(|hint| format!("; hint: {hint}"));
        format!("`{}`{}: {problem}{}", path.display(), place.unwrap_or_default(), hint.unwrap_or_default())
    }
}

/// Returns a hint if the message does not imply the remedy.
fn hint_for(problem: &str, text: &[u8], place: Option<Position>) -> Option<String> {
    if text.starts_with("\u{feff}".as_bytes()) {
        return Some(NO_BYTE_ORDER_MARK.to_owned());
    }
    if text.trim_ascii().is_empty() {
        return Some(EMPTY_FILE.to_owned());
    }
    let at_a_comment = || {
        let place = place?;
        let line = text.split(|byte| *byte == b'\n').nth(place.line - 1)?;
        line.get(place.column - 1..)?.starts_with(b"/").then_some(())
    };
    if problem == "trailing comma" || at_a_comment().is_some() {
        return Some(PLAIN_JSON.to_owned());
    }
    // "unknown variant `denny`, expected `deny` or `abstain`"
    let named =
        problem.strip_prefix("unknown variant ").or_else(|| problem.strip_prefix("unknown field "))?;
    let mut words = named.split('`').skip(1).step_by(2);
    let written = words.next()?;
    did_you_mean(written, words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, Deserialize, PartialEq)]
    #[serde(default)]
    struct Sample {
        mode: Mode,
        limit: u32,
    }

    #[derive(Debug, Default, Deserialize, PartialEq)]
    #[serde(rename_all = "lowercase")]
    enum Mode {
        #[default]
        Deny,
        Abstain,
    }

    fn parse(text: &str) -> Result<Sample, String> {
        parse_json(Path::new("x.json"), text.as_bytes(), Format(1)).map_err(|error| error.to_string())
    }

    #[test]
    fn a_file_says_what_it_says() {
        let read = Sample { mode: Mode::Abstain, limit: 3 };
        assert_eq!(parse(r#"{"version": 1, "mode": "abstain", "limit": 3, "unknown": []}"#), Ok(read));
        assert_eq!(parse("{}"), Ok(Sample::default()));
    }

    #[test]
    fn every_mistake_is_told_with_its_place_and_what_would_be_right() {
        for (text, told) in [
            (
                "{\n  \"mode\": \"denny\"\n}",
                "`x.json`, line 2, column 17: unknown variant `denny`, expected `deny` or `abstain`; hint: did you mean `deny`?",
            ),
            (r#"{"limit": "3"}"#, r#"`x.json`, line 1, column 13: invalid type: string "3", expected u32"#),
            (
                "{\"limit\": 3,\n}",
                "`x.json`, line 2, column 1: trailing comma; hint: remove comments and trailing commas: this file is plain JSON",
            ),
            (
                "{\n  // three\n  \"limit\": 3}",
                "`x.json`, line 2, column 3: key must be a string; hint: remove comments and trailing commas: this file is plain JSON",
            ),
            (
                "",
                "`x.json`, line 1, column 1: EOF while parsing a value; hint: write `{}` into it, or delete it to use defaults",
            ),
            (
                "\u{feff}{}",
                "`x.json`, line 1, column 1: expected value; hint: save it as UTF-8 without a byte order mark",
            ),
            ("[]", "`x.json`: the file must be an object, not an array"),
            (
                r#"{"version": 2, "limit": "a new meaning"}"#,
                "`x.json`: format 2 is newer than this build's format 1; hint: update steersman",
            ),
            (r#"{"version": "1"}"#, "`x.json`: `version` must be a whole number"),
        ] {
            assert_eq!(parse(text), Err(told.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_value_that_turns_out_wrong_later_is_found_in_the_text() {
        let text = "{\"rules\": [\n  {\"pattern\": \"(\"}]}";
        let error = FileError::about(
            Path::new("x.json"),
            text.as_bytes(),
            "/rules/0/pattern",
            "a `(` is never closed",
        );
        assert_eq!(
            error.with_hint("write `\\\\(` for the character").to_string(),
            "`x.json`, line 2, column 15: a `(` is never closed; hint: write `\\\\(` for the character"
        );
    }

    #[test]
    fn a_part_is_read_for_itself_and_its_mistakes_are_counted_in_the_whole() {
        let read = |text: &str| {
            let part = parse_part::<Sample>(Path::new("x.json"), text.as_bytes(), "/a");
            part.map_err(|error| error.to_string())
        };
        assert_eq!(read(r#"{"a": {"limit": 3}}"#), Ok(Sample { limit: 3, ..Sample::default() }));
        for (text, told) in [
            ("{\n  \"a\": {\n    \"limit\": true\n  }}", "line 3, column 17: invalid type"),
            ("{\n  \"a\": {\"limit\": true }}", "line 2, column 21: invalid type"),
            ("{\n  \"a\": {\"mode\": \"abstian\" }}", "hint: did you mean `abstain`?"),
            ("{}", "missing value `/a`"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(told), "{error}");
        }
    }

    #[test]
    fn no_file_is_no_error_but_an_unreadable_one_is() {
        let dir = tempfile::tempdir().unwrap();
        let path = AbsPath::new(dir.path().join("x.json")).unwrap();
        assert_eq!(read_json::<Sample>(&path, Format(1)).unwrap(), None);
        std::fs::create_dir(path.as_path()).unwrap();
        let error = read_json::<Sample>(&path, Format(1)).unwrap_err();
        assert!(matches!(error, FileError::Read { .. }), "{error}");
    }
}
