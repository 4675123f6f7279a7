//! Finds the property tests of the workspace, so that only they run with more cases.
//!
//! INVARIANT: the calls name the whole workspace, as the plain test run does.
//! Naming single crates would choose other features for what they share, and
//! cargo would build half of it again.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// The macro names that a file with property tests contains.
const MARKS: &[&str] = &["proptest!", "testkit::prove"];

/// Returns the arguments of the cargo calls that run every property test.
pub(crate) fn calls(root: &Path) -> Result<Vec<Vec<String>>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(root.join("crates")).context("cannot list `crates`")? {
        let folder = entry?.path();
        if folder.is_dir() {
            find(&folder, "", &mut files)?;
        }
    }
    Ok(calls_for(&files))
}

/// Takes paths relative to their crate.
fn calls_for(files: &[String]) -> Vec<Vec<String>> {
    let mut modules = BTreeSet::new();
    let mut targets = BTreeSet::new();
    let mut divided = BTreeSet::new();
    let mut parts = BTreeSet::new();
    for file in files.iter().filter_map(|it| it.strip_suffix(".rs")) {
        if let Some(module) = file.strip_prefix("src/") {
            modules.insert(path_of(module));
        } else if let Some(target) = file.strip_prefix("tests/") {
            // `tests/name.rs` is a target; `tests/name/part.rs` is a part of it.
            match target.split_once('/') {
                None | Some((_, "main")) => {
                    targets.insert(target.trim_end_matches("/main").to_owned());
                }
                Some((target, part)) => {
                    divided.insert(target.to_owned());
                    parts.insert(path_of(part));
                }
            }
        }
    }
    let mut calls = Vec::new();
    if !modules.is_empty() {
        // The root of a crate has no module path to filter by: all of its tests run.
        let is_root = |it: &String| it == "lib::" || it == "main::";
        if modules.iter().any(is_root) {
            modules.clear();
        }
        calls.push(call(["--lib", "--bins"].map(str::to_owned), modules));
    }
    if !targets.is_empty() {
        calls.push(call(targets.into_iter().flat_map(named), BTreeSet::new()));
    }
    if !divided.is_empty() {
        calls.push(call(divided.into_iter().flat_map(named), parts));
    }
    calls
}

/// `parse/line` → `parse::line::`
fn path_of(file: &str) -> String {
    file.trim_end_matches("/mod").replace('/', "::") + "::"
}

fn named(target: String) -> [String; 2] {
    ["--test".to_owned(), target]
}

fn call(targets: impl IntoIterator<Item = String>, filters: BTreeSet<String>) -> Vec<String> {
    let mut call = ["test", "--workspace", "--no-fail-fast"].map(str::to_owned).to_vec();
    call.extend(targets);
    if !filters.is_empty() {
        call.push("--".to_owned());
        call.extend(filters);
    }
    call
}

fn find(root: &Path, below: &str, files: &mut Vec<String>) -> Result<()> {
    let folder = root.join(below);
    for entry in fs::read_dir(&folder).with_context(|| format!("cannot list `{}`", folder.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        if entry.file_type()?.is_dir() {
            find(root, &path, files)?;
        } else if entry.path().extension().is_some_and(|it| it == "rs") {
            let text = fs::read_to_string(entry.path()).with_context(|| format!("cannot read `{path}`"))?;
            if MARKS.iter().any(|mark| text.contains(mark)) {
                files.push(path);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(files: &[&str], expected: &[&str]) {
        let files: Vec<String> = files.iter().map(|it| (*it).to_owned()).collect();
        let calls: Vec<String> = calls_for(&files).iter().map(|it| it.join(" ")).collect();
        assert_eq!(calls, expected);
    }

    #[test]
    fn tests_beside_the_code_are_chosen_by_module() {
        check(
            &["src/verdict.rs", "src/parse/line.rs", "src/host/mod.rs"],
            &["test --workspace --no-fail-fast --lib --bins -- host:: parse::line:: verdict::"],
        );
    }

    #[test]
    fn tests_at_the_root_of_a_crate_cannot_be_chosen() {
        check(&["src/lib.rs", "src/a.rs"], &["test --workspace --no-fail-fast --lib --bins"]);
    }

    #[test]
    fn tests_in_files_of_their_own_are_chosen_by_target() {
        check(
            &["tests/any_input.rs", "tests/faults/main.rs"],
            &["test --workspace --no-fail-fast --test any_input --test faults"],
        );
    }

    #[test]
    fn tests_in_a_part_of_a_target_are_chosen_by_module_too() {
        check(
            &["tests/any_input.rs", "tests/faults/disk.rs", "tests/cli/serve/mod.rs"],
            &[
                "test --workspace --no-fail-fast --test any_input",
                "test --workspace --no-fail-fast --test cli --test faults -- disk:: serve::",
            ],
        );
    }

    #[test]
    fn without_property_tests_nothing_runs() {
        check(&[], &[]);
        check(&["examples/x.rs", "build.rs"], &[]);
    }
}
