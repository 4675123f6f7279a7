//! Checks that the recorded scenarios on the agent programs belong to the sources of `host`.

use super::file_tree::File;
use super::finding::Finding;
use crate::clients::record::{FILE, Record, SOURCES, hash_sources};

const HINT: &str =
    "run `cargo xtask clients --record`, then `cargo xtask codegen`, and commit what they write";

/// Finds a record that is missing, malformed or older than the sources.
pub(crate) fn check(files: &[File]) -> Vec<Finding> {
    let what = match files.iter().find(|file| file.path == FILE).map(|file| Record::parse(&file.text)) {
        None => "no record of the scenarios on the agent programs".to_owned(),
        Some(Err(error)) => format!("cannot parse the record: {error:#}"),
        Some(Ok(record)) if record.host_sources != hash_sources(files) => {
            format!("`{SOURCES}` changed since the scenarios ran on the agent programs")
        }
        Some(Ok(_)) => return Vec::new(),
    };
    vec![Finding::new(FILE, 1, what, HINT)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::briefly;

    fn file(path: &str, text: &str) -> File {
        File { path: path.to_owned(), text: text.to_owned() }
    }

    /// Returns a record of the sources among some files.
    fn record_of(files: &[File]) -> File {
        let hash = hash_sources(files);
        let text = format!(
            r#"{{"steersman": "1", "commit": "a", "hostSources": "{hash}", "programs": {{}}, "scenarios": {{}}}}"#
        );
        file(FILE, &text)
    }

    #[test]
    fn a_change_of_the_sources_makes_the_record_stale() {
        let source = |text: &str| file("crates/host/src/claude_code.rs", text);
        let record = || record_of(&[source("old")]);
        assert_eq!(check(&[record(), source("old")]), []);
        // A file elsewhere changes nothing that the programs see.
        assert_eq!(check(&[record(), source("old"), file("crates/host/tests/a.rs", "x")]), []);
        let stale = "1: `crates/host/src/` changed since the scenarios ran on the agent programs";
        assert_eq!(briefly(&check(&[record(), source("new")])), [stale]);
        assert_eq!(briefly(&check(&[record(), source("old"), file("crates/host/src/new.rs", "")])), [stale]);
        assert_eq!(briefly(&check(&[record()])), [stale]);
    }

    #[test]
    fn a_missing_or_malformed_record_is_found() {
        let missing = "1: no record of the scenarios on the agent programs";
        assert_eq!(briefly(&check(&[file("crates/host/src/a.rs", "x")])), [missing]);
        let malformed = briefly(&check(&[file(FILE, "{")]));
        assert!(malformed[0].starts_with("1: cannot parse the record"), "{malformed:?}");
    }
}
