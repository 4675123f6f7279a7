//! The house rules that no compiler checks, each in its own file.
//!
//! A rule takes a path and a string and returns findings, so that every one of
//! them is seen to fail on a made-up text in its own tests.

mod changelog;
mod client_record;
mod code_map;
mod crate_root;
mod file_name;
pub(crate) mod file_tree;
mod finding;
mod links;
mod machine_path;
pub(crate) mod markdown;
mod mentioned_file;
mod rust_source;
mod state_path;
mod whitespace;
mod wire_field;
mod words;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::repo;
use finding::Finding;

/// Checks the whole tree and prints every finding as `file:line: what` with a hint.
pub(crate) fn run(mut args: lexopt::Parser) -> Result<()> {
    if let Some(arg) = args.next()? {
        return Err(arg.unexpected().into());
    }
    check()
}

/// The check as a step of `cargo xtask test`.
pub(crate) fn check() -> Result<()> {
    let root = repo::root();
    let files = file_tree::read(&root)?;
    let mut findings = Vec::new();
    for file in &files {
        findings.extend(check_file(file));
    }
    findings.extend(links::check(&files));
    findings.extend(mentioned_file::check(&files));
    findings.extend(client_record::check(&files));
    findings.extend(check_pages(&root, &files)?);
    if findings.is_empty() {
        println!("{} files, nothing to tidy", files.len());
        return Ok(());
    }
    for finding in &findings {
        println!("{finding}");
    }
    bail!("{} things to tidy", findings.len())
}

fn check_file(file: &file_tree::File) -> Vec<Finding> {
    let (path, text) = (file.path.as_str(), file.text.as_str());
    let mut findings = file_name::check(path);
    findings.extend(machine_path::check(path, text));
    // Fixtures are recorded or deliberately wrong; only machine paths in them matter.
    if file_tree::is_fixture(path) {
        return findings;
    }
    let extension = Path::new(path).extension().and_then(|it| it.to_str()).unwrap_or_default();
    if extension == "rs" {
        findings.extend(rust_source::check(path, text));
        findings.extend(crate_root::check(path, text));
        findings.extend(state_path::check(path, text));
        findings.extend(wire_field::check(path, text));
        findings.extend(words::check_comments(path, text));
    }
    if ["rs", "md"].contains(&extension) {
        findings.extend(whitespace::check(path, text));
    }
    if ["rs", "js", "mjs", "ts", "toml", "sh", ""].contains(&extension) {
        findings.extend(words::check(path, text));
    }
    if ["rs", "md", "js", "mjs", "ts", "toml", "sh"].contains(&extension) {
        findings.extend(words::check_phrases(path, text));
    }
    findings
}

/// Checks the rules about single pages; a page that does not exist yet passes.
fn check_pages(root: &Path, files: &[file_tree::File]) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    if let Some(page) = files.iter().find(|file| file.path == "ARCHITECTURE.md") {
        let mut crates = vec!["xtask".to_owned()];
        let folder = root.join("crates");
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot list `{}`", folder.display()))? {
            let entry = entry?;
            if entry.path().join("Cargo.toml").is_file() {
                crates.push(entry.file_name().to_string_lossy().into_owned());
            }
        }
        crates.sort();
        findings.extend(code_map::check(&page.path, &page.text, &crates));
    }
    if let Some(page) = files.iter().find(|file| file.path == "CHANGELOG.md") {
        findings.extend(changelog::check(&page.path, &page.text));
    }
    Ok(findings)
}
