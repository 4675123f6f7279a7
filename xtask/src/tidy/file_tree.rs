//! Every text file of the checkout, and the names of its pictures.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// A file and its text.
pub(crate) struct File {
    /// Relative to the root, with `/` between the parts.
    pub(crate) path: String,
    /// The whole text. A picture has none: it is listed because pages link to it.
    pub(crate) text: String,
}

/// Folders without hand-written files.
const SKIPPED: &[&str] = &[".git", "target", "node_modules", "fuzz/corpus", "fuzz/artifacts", ".ai/tmp"];

/// Reads every text file below `root`.
///
/// WHY: this does not use git, so that the check also works on an unpacked archive.
pub(crate) fn read(root: &Path) -> Result<Vec<File>> {
    let mut files = Vec::new();
    read_folder(root, "", &mut files)?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// Returns whether a file is input for tests rather than something to read.
pub(crate) fn is_fixture(path: &str) -> bool {
    path.split('/').any(|part| part == "fixtures")
}

/// Returns whether the name of a file ends in a dot and `extension`.
pub(crate) fn has_extension(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|it| it == extension)
}

fn read_folder(root: &Path, below: &str, files: &mut Vec<File>) -> Result<()> {
    let folder = root.join(below);
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot list `{}`", folder.display()))?;
    for entry in entries {
        let entry = entry.with_context(|| format!("cannot list `{}`", folder.display()))?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        let kind = entry.file_type().with_context(|| format!("cannot look at `{path}`"))?;
        if kind.is_dir() {
            // Cargo marks its target folders, whatever they are called.
            let is_cache = entry.path().join("CACHEDIR.TAG").exists();
            let is_skipped =
                SKIPPED.iter().any(|skipped| path == *skipped || path.ends_with(&format!("/{skipped}")));
            if !is_cache && !is_skipped {
                read_folder(root, &path, files)?;
            }
        } else if kind.is_file() && path != "Cargo.lock" && path != ".git" {
            let bytes = fs::read(entry.path()).with_context(|| format!("cannot read `{path}`"))?;
            match String::from_utf8(bytes) {
                Ok(text) => files.push(File { path, text }),
                Err(_) if has_extension(&path, "png") => files.push(File { path, text: String::new() }),
                Err(_) => {}
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn what_nobody_wrote_is_not_read() {
        let scratch = Scratch::new("tidy-tree").unwrap();
        let written = ["src/lib.rs", "README.md", "crates/fuzz/src/lib.rs"];
        let made =
            ["target/x.rs", "built/deps/x.rs", "built/CACHEDIR.TAG", ".git/HEAD", "a/.ai/tmp/s/state.json"];
        for path in written.iter().chain(&made) {
            let path = scratch.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "text\n").unwrap();
        }
        fs::write(scratch.path().join("picture.png"), [0xff, 0xfe]).unwrap();
        let files = read(scratch.path()).unwrap();
        let files: Vec<(&str, &str)> =
            files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
        let text = "text\n";
        assert_eq!(
            files,
            [
                ("README.md", text),
                ("crates/fuzz/src/lib.rs", text),
                ("picture.png", ""),
                ("src/lib.rs", text)
            ]
        );
    }

    #[test]
    fn a_fixture_is_whatever_lies_below_a_folder_of_that_name() {
        assert!(is_fixture("crates/host/tests/fixtures/claude/Stop.json"));
        assert!(!is_fixture("crates/host/src/fixtures.rs"));
    }
}
