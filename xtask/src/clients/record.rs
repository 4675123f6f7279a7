//! The recorded result: outcomes, versions, commit, and a hash of the sources that they depend on.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use super::outcome::Outcome;
use crate::tidy::file_tree::File;

/// The checked-in file, relative to the root.
pub(crate) const FILE: &str = "crates/host/clients.json";

/// The sources whose change makes the record stale, relative to the root.
pub(crate) const SOURCES: &str = "crates/host/src/";

/// One result of the whole chore.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// The version of steersman.
    pub(crate) steersman: String,
    /// The commit of the checkout.
    pub(crate) commit: String,
    /// The hash of [`SOURCES`].
    pub(crate) host_sources: String,
    /// Ids and versions of the programs.
    pub(crate) programs: Vec<(String, String)>,
    /// The outcomes of each scenario, by id of the program.
    pub(crate) scenarios: Vec<(String, Vec<(String, Outcome)>)>,
}

impl Record {
    /// Writes the record to its file.
    pub(crate) fn write(&self, root: &Path) -> Result<()> {
        fs::write(root.join(FILE), format!("{:#}\n", self.to_json()))
            .with_context(|| format!("cannot write `{FILE}`"))
    }

    /// Returns the number of scenarios that failed on a program.
    pub(crate) fn n_failed(&self) -> usize {
        let outcomes = self.scenarios.iter().flat_map(|(_, outcomes)| outcomes);
        outcomes.filter(|(_, outcome)| matches!(outcome, Outcome::Failed(_))).count()
    }

    fn to_json(&self) -> Value {
        let programs: Map<String, Value> =
            self.programs.iter().map(|(id, version)| (id.clone(), version.as_str().into())).collect();
        let scenarios: Map<String, Value> = self
            .scenarios
            .iter()
            .map(|(id, outcomes)| {
                let outcomes: Map<String, Value> =
                    outcomes.iter().map(|(program, outcome)| (program.clone(), outcome.to_json())).collect();
                (id.clone(), outcomes.into())
            })
            .collect();
        json!({
            "steersman": self.steersman, "commit": self.commit, "hostSources": self.host_sources,
            "programs": programs, "scenarios": scenarios,
        })
    }

    /// Parses the text of the checked-in file.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let value: Value = serde_json::from_str(text)?;
        let string = |value: &Value, name: &str| {
            value.as_str().map(str::to_owned).with_context(|| format!("`{name}` is not a string"))
        };
        let object = |value: &Value, name: &str| {
            value.as_object().cloned().with_context(|| format!("`{name}` is not an object"))
        };
        let mut record = Self {
            steersman: string(&value["steersman"], "steersman")?,
            commit: string(&value["commit"], "commit")?,
            host_sources: string(&value["hostSources"], "hostSources")?,
            programs: Vec::new(),
            scenarios: Vec::new(),
        };
        for (id, version) in object(&value["programs"], "programs")? {
            record.programs.push((id, string(&version, "programs")?));
        }
        for (id, outcomes) in object(&value["scenarios"], "scenarios")? {
            let outcomes = object(&outcomes, &id)?.into_iter();
            let outcomes = outcomes.map(|(program, outcome)| Ok((program, Outcome::from_json(&outcome)?)));
            record.scenarios.push((id, outcomes.collect::<Result<_>>()?));
        }
        Ok(record)
    }
}

/// Returns the hash of paths and code of [`SOURCES`] among the files of the checkout.
///
/// WHY not a commit: a rebased or squashed branch has other commits with the same content. WHY without comments: no agent
/// program reads them.
pub(crate) fn hash_sources(files: &[File]) -> String {
    let mut hash = hmac_sha256::Hash::new();
    for file in files.iter().filter(|file| file.path.starts_with(SOURCES)) {
        // Lengths keep a string from passing for the next file's path.
        let is_code = |line: &&str| !line.trim_start().starts_with("//");
        let code: String = file.text.split_inclusive('\n').filter(is_code).collect();
        hash.update(format!("{} {}\n", file.path, code.len()));
        hash.update(&code);
    }
    let mut digits = String::new();
    for byte in hash.finalize() {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(files: &[(&str, &str)]) -> String {
        let file = |(path, text): &(&str, &str)| File { path: (*path).to_owned(), text: (*text).to_owned() };
        hash_sources(&files.iter().map(file).collect::<Vec<_>>())
    }

    #[test]
    fn every_change_of_a_path_or_a_text_changes_the_hash() {
        let (a, b) = ("crates/host/src/a.rs", "crates/host/src/b.rs");
        let hashes = [
            hash(&[]),
            hash(&[(a, "x")]),
            hash(&[(b, "x")]),
            hash(&[(a, "y")]),
            hash(&[(a, "x"), (b, "")]),
            hash(&[(a, ""), (b, "x")]),
            hash(&[(a, "xcrates/host/src/b.rs 0\n")]),
        ];
        for (index, one) in hashes.iter().enumerate() {
            assert_eq!(one.len(), 64);
            assert!(!hashes[index + 1..].contains(one), "{index}");
        }
        assert_eq!(hash(&[(a, "// why\n    /// what\nx")]), hashes[1], "a comment");
        // Other files do not count.
        assert_eq!(hash(&[("crates/host/tests/a.rs", "y"), (a, "x"), ("docs/hosts.md", "z")]), hashes[1]);
    }

    #[test]
    fn a_record_survives_its_file_and_keeps_the_order() {
        let record = Record {
            steersman: "0.1.0".to_owned(),
            commit: "abc".to_owned(),
            host_sources: "ff".to_owned(),
            programs: vec![("qwen".to_owned(), "1".to_owned()), ("claude".to_owned(), "2".to_owned())],
            scenarios: vec![
                ("module".to_owned(), vec![("qwen".to_owned(), Outcome::Passed { n_checks: 1 })]),
                ("basic".to_owned(), vec![("qwen".to_owned(), Outcome::failed("a", ""))]),
            ],
        };
        assert_eq!(record.n_failed(), 1);
        assert_eq!(Record::parse(&record.to_json().to_string()).unwrap(), record);
        assert!(Record::parse("{}").is_err());
    }
}
