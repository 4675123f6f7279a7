//! Generates the files, and compares them with the checked-in ones.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::sources::{FOLDERS, SECTIONS};
use super::{difference, section};
use crate::repo;
use crate::scratch::Scratch;
use crate::tidy::file_tree;

#[test]
fn generated_files_are_current() {
    let is_writing = std::env::var_os("UPDATE_EXPECT").is_some();
    let stale = settle(&repo::root(), is_writing).unwrap();
    assert!(stale.is_empty(), "run `cargo xtask codegen`\n{}", stale.join("\n"));
}

/// The change that one file needs.
struct Change {
    old: Option<String>,
    new: Option<String>,
}

impl Change {
    fn describe(&self, path: &str) -> String {
        match (&self.old, &self.new) {
            (Some(old), Some(new)) => {
                format!("--- {path} as it is\n+++ {path} as the code has it\n{}", difference::show(old, new))
            }
            (None, _) => format!("{path} is missing"),
            (_, None) => format!("{path} is left over: no code makes it any more"),
        }
    }

    fn write(&self, root: &Path, path: &str) -> Result<()> {
        let file = root.join(path);
        let context = || format!("cannot write `{path}`");
        let Some(text) = &self.new else {
            println!("removed {path}");
            return fs::remove_file(&file).with_context(context);
        };
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).with_context(context)?;
        }
        println!("wrote {path}");
        fs::write(&file, text).with_context(context)
    }
}

/// Writes the stale files if asked to, else returns a description of them.
fn settle(root: &Path, is_writing: bool) -> Result<Vec<String>> {
    let mut stale = Vec::new();
    for (path, change) in changes(root)? {
        if is_writing {
            change.write(root, &path)?;
        } else {
            stale.push(change.describe(&path));
        }
    }
    Ok(stale)
}

/// Returns every file that differs from the generated content.
fn changes(root: &Path) -> Result<BTreeMap<String, Change>> {
    let mut changes = BTreeMap::new();
    for folder in FOLDERS {
        let made = (folder.files)(root)?;
        for left_over in left_over(&root.join(folder.path), folder.suffix, |name| made.contains_key(name))? {
            let path = format!("{}/{left_over}", folder.path);
            changes.insert(path, Change { old: Some(String::new()), new: None });
        }
        for (name, new) in made {
            let path = format!("{}/{name}", folder.path);
            let old = fs::read_to_string(root.join(&path)).ok();
            if old.as_ref() != Some(&new) {
                changes.insert(path, Change { old, new: Some(new) });
            }
        }
    }
    for file in file_tree::read(root)?.iter().filter(|file| file_tree::has_extension(&file.path, "md")) {
        for (line, name) in section::named(&file.text) {
            if !SECTIONS.iter().any(|it| it.page == file.path && it.name == name) {
                bail!(
                    "{}:{line}: nothing generates the section `{name}`\nhint: list it in `xtask/src/codegen/sources.rs`",
                    file.path
                );
            }
        }
    }
    // One page may have several sections: each is put into the page the one before made.
    for page in SECTIONS.iter().map(|section| section.page) {
        let old = match fs::read_to_string(root.join(page)) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error).with_context(|| format!("cannot read `{page}`")),
        };
        let mut new = old.clone();
        for section in SECTIONS.iter().filter(|section| section.page == page) {
            new = section::replace(&new, section.name, &(section.text)())
                .with_context(|| format!("cannot fill in `{page}`"))?;
        }
        if old != new {
            changes.insert(page.to_owned(), Change { old: Some(old), new: Some(new) });
        }
    }
    Ok(changes)
}

fn left_over(folder: &Path, suffix: &str, is_made: impl Fn(&str) -> bool) -> Result<Vec<String>> {
    let mut names = Vec::new();
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(names),
        Err(error) => return Err(error).with_context(|| format!("cannot list `{}`", folder.display())),
    };
    for entry in entries {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(suffix) && !is_made(&name) {
            names.push(name);
        }
    }
    Ok(names)
}

#[test]
fn a_file_that_no_code_makes_any_more_is_left_over() {
    let scratch = Scratch::new("codegen").unwrap();
    for name in ["a.schema.json", "b.schema.json", "README.md"] {
        fs::write(scratch.path().join(name), "x").unwrap();
    }
    let found = left_over(scratch.path(), ".schema.json", |name| name == "a.schema.json").unwrap();
    assert_eq!(found, ["b.schema.json"]);
    let gone = left_over(&scratch.path().join("gone"), ".schema.json", |_| false).unwrap();
    assert_eq!(gone, Vec::<String>::new());
}

#[test]
fn a_stale_file_is_described_by_its_lines() {
    let change = Change { old: Some("a\nb\nc\n".to_owned()), new: Some("a\nB\nc\n".to_owned()) };
    let expected = "--- x.md as it is\n+++ x.md as the code has it\n@@ line 2\n a\n-b\n+B\n c\n";
    assert_eq!(change.describe("x.md"), expected);
    assert_eq!(Change { old: None, new: Some(String::new()) }.describe("x.md"), "x.md is missing");
}
