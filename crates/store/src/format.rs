//! The format version in each of our files.
//!
//! INVARIANT: a build reads formats up to its own and writes only its own. A file of a newer build
//! may contain fields that this build would drop, so this build never writes it.

use config_file::NewerFormat;
use serde_json::Value;

/// The format number of a kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format(pub u64);

/// Why this build cannot use a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// A newer build wrote it.
    #[error("{0}; hint: {hint}", hint = NewerFormat::HINT)]
    Newer(NewerFormat),
    /// `version` is not a whole number.
    #[error("`version` must be a whole number")]
    NotANumber,
}

impl Format {
    /// Checks the `version` of a parsed file; without one the file has the first format.
    pub fn check(self, file: &Value) -> Result<(), FormatError> {
        file.get("version").map_or(Ok(()), |version| self.check_version(version))
    }

    /// Checks a version.
    pub fn check_version(self, version: &Value) -> Result<(), FormatError> {
        match version.as_u64() {
            None => Err(FormatError::NotANumber),
            Some(found) if found > self.0 => Err(FormatError::Newer(NewerFormat { found, ours: self.0 })),
            Some(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_a_newer_format_is_refused() {
        let ours = Format(2);
        assert_eq!(ours.check(&json!({})), Ok(()));
        assert_eq!(ours.check(&json!({"version": 1})), Ok(()));
        assert_eq!(ours.check(&json!({"version": 2})), Ok(()));
        let newer = FormatError::Newer(NewerFormat { found: 3, ours: 2 });
        assert_eq!(ours.check(&json!({"version": 3})), Err(newer));
        assert_eq!(ours.check(&json!({"version": "1"})), Err(FormatError::NotANumber));
    }
}
