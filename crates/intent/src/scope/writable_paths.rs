//! The paths on disk that the patterns of an intent stand for, for a kernel that knows paths but no patterns.
//!
//! INVARIANT: what the result opens and does not shut is in scope, as far as it exists. A pattern that would need too
//! many paths is left closed and listed.

use std::fs;
use std::path::{Path, PathBuf};

use event::AbsPath;

use super::Scope;
use crate::unicode::composed;
use crate::{Intent, Pattern};

/// The paths that a command under an intent may write.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct WritablePaths {
    /// Folders and files to open; a file may not exist yet.
    pub open: Vec<PathBuf>,
    /// Folders that do not exist yet.
    pub missing: Vec<PathBuf>,
    /// Paths inside of the open ones that are out of scope.
    pub shut: Vec<PathBuf>,
    /// Patterns that need more paths than a command can wait for, and those that lead through a link.
    pub closed: Vec<String>,
}

/// The files that one pattern may open or shut one by one.
const MAX_PATHS: usize = 64;

/// The entries to look at for one pattern.
const MAX_ENTRIES: usize = 4096;

impl Scope {
    /// Returns the paths that the scope of an intent stands for.
    pub fn writable_paths(&self, intent: &Intent) -> WritablePaths {
        let mut paths = WritablePaths::default();
        if self.failure.is_some() {
            paths.closed = intent.owned_scope.iter().map(|pattern| pattern.as_str().to_owned()).collect();
            return paths;
        }
        for pattern in &intent.owned_scope {
            self.open_pattern(pattern, intent, &mut paths);
        }
        for list in [&mut paths.open, &mut paths.missing, &mut paths.shut] {
            list.sort();
            list.dedup();
        }
        paths
    }

    fn open_pattern(&self, pattern: &Pattern, intent: &Intent, paths: &mut WritablePaths) {
        let text = pattern.as_str();
        let (base, rest) = split(text);
        let folder = self.real_root.as_path().join(&base);
        if rest.is_empty() {
            let file = folder;
            match fs::symlink_metadata(&file) {
                Ok(meta) if meta.is_file() && self.is_direct(&file) => paths.open.push(file),
                Ok(meta) if meta.is_dir() => {}
                Ok(_) => paths.closed.push(text.to_owned()),
                Err(_) => self.open_missing_file(file, text, paths),
            }
            return;
        }
        match fs::symlink_metadata(&folder) {
            Err(_) => {
                if folder.ancestors().find(|above| above.exists()).is_some_and(|above| self.is_direct(above))
                {
                    paths.missing.push(folder.clone());
                    paths.open.push(folder);
                } else {
                    paths.closed.push(text.to_owned());
                }
            }
            Ok(meta) if meta.is_dir() && self.is_direct(&folder) => {
                let mut found = Found::default();
                if !matches!(rest, "**" | "**/*") || !self.ignore.is_empty() {
                    self.look(&folder, &base, intent, &mut found);
                }
                if found.others.len() <= MAX_PATHS && found.entries <= MAX_ENTRIES {
                    paths.open.push(folder);
                    paths.shut.append(&mut found.others);
                } else if found.matching.len() <= MAX_PATHS && found.entries <= MAX_ENTRIES {
                    paths.open.append(&mut found.matching);
                } else {
                    paths.closed.push(text.to_owned());
                }
            }
            Ok(_) => paths.closed.push(text.to_owned()),
        }
    }

    fn open_missing_file(&self, file: PathBuf, text: &str, paths: &mut WritablePaths) {
        let Some(parent) = file.parent() else { return };
        if !parent.ancestors().find(|above| above.exists()).is_some_and(|above| self.is_direct(above)) {
            paths.closed.push(text.to_owned());
            return;
        }
        if !parent.exists() {
            paths.missing.push(parent.to_path_buf());
        }
        paths.open.push(file);
    }

    /// Sorts the entries below a folder into those in scope and the others.
    fn look(&self, folder: &Path, relative: &str, intent: &Intent, found: &mut Found) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            found.entries += 1;
            if found.entries > MAX_ENTRIES {
                return;
            }
            let (Ok(kind), name) = (entry.file_type(), entry.file_name()) else { continue };
            let path = folder.join(&name);
            let Some(name) = name.to_str() else {
                found.others.push(path);
                continue;
            };
            let relative = if relative.is_empty() { name.to_owned() } else { format!("{relative}/{name}") };
            let spelled = composed(&relative);
            let is_forbidden = AbsPath::new(&path)
                .ok()
                .and_then(|it| it.below(&self.real_root).ok())
                .is_none_or(|path| self.forbidden(&path, kind.is_dir()).is_some());
            let matches = |pattern: &Pattern| pattern.matches(&spelled);
            if is_forbidden {
                found.others.push(path);
            } else if kind.is_dir() {
                let is_whole = intent.owned_scope.iter().any(|pattern| pattern.covers_all_below(&spelled));
                let may_hold = intent.owned_scope.iter().any(|pattern| pattern.might_match_below(&spelled));
                if may_hold && (!is_whole || !self.ignore.is_empty()) {
                    self.look(&path, &relative, intent, found);
                } else if !may_hold {
                    found.others.push(path);
                }
            } else if intent.owned_scope.iter().any(matches) {
                found.matching.push(path);
            } else {
                found.others.push(path);
            }
        }
    }

    /// Returns whether no link is on the way to an existing path.
    fn is_direct(&self, path: &Path) -> bool {
        path.starts_with(self.real_root.as_path()) && fs::canonicalize(path).is_ok_and(|real| real == path)
    }
}

/// The entries below a folder.
#[derive(Debug, Default)]
struct Found {
    matching: Vec<PathBuf>,
    others: Vec<PathBuf>,
    entries: usize,
}

/// Splits a pattern into the folders without wildcards and the rest.
fn split(pattern: &str) -> (String, &str) {
    let special = |part: &str| part.contains(['*', '?', '[', '{', '\\']);
    let mut at = 0;
    for part in pattern.split('/') {
        if special(part) {
            return (pattern[..at].trim_end_matches('/').to_owned(), &pattern[at..]);
        }
        at += part.len() + 1;
    }
    (pattern.to_owned(), "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{IntentsFile, Protected};

    fn paths(patterns: &str, files: &str, ignore: &str) -> String {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        for file in files.split_whitespace() {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            if let Some((link, target)) = file.split_once("->") {
                std::os::unix::fs::symlink(target, root.join(link)).unwrap();
            } else if file.ends_with('/') {
                fs::create_dir_all(path).unwrap();
            } else {
                fs::write(path, "").unwrap();
            }
        }
        if !ignore.is_empty() {
            fs::write(root.join(".intentignore"), ignore).unwrap();
        }
        let yaml = format!(
            "intents:\n  - id: INT-001\n    name: x\n    status: PENDING\n    owned_scope: [{patterns}]\n"
        );
        let intent = IntentsFile::parse(yaml.as_bytes()).unwrap().intents.remove(0);
        let scope = Scope::open(&AbsPath::new(&root).unwrap(), Protected::with([".claude/settings.json"]));
        let found = scope.writable_paths(&intent);
        let show = |name: &str, list: &[PathBuf]| {
            let list: Vec<_> =
                list.iter().map(|path| path.strip_prefix(&root).unwrap().display().to_string()).collect();
            if list.is_empty() { String::new() } else { format!("{name} {}; ", list.join(" ")) }
        };
        let closed = if found.closed.is_empty() {
            String::new()
        } else {
            format!("closed {}", found.closed.join(" "))
        };
        let lists =
            [show("open", &found.open), show("missing", &found.missing), show("shut", &found.shut), closed];
        lists.concat().trim_end_matches("; ").to_owned()
    }

    #[test]
    fn patterns_become_folders_and_files() {
        for (name, patterns, files, ignore, expected) in [
            ("a whole folder", "'src/**'", "src/a src/b/c", "", "open src"),
            ("everything below, spelled otherwise", "'src/**/*'", "src/a", "", "open src"),
            ("one file", "Cargo.toml", "Cargo.toml src/a", "", "open Cargo.toml"),
            ("a file that does not exist yet", "src/new.rs", "src/a", "", "open src/new.rs"),
            ("a file in a missing folder", "gen/new.rs", "src/a", "", "open gen/new.rs; missing gen"),
            ("a missing folder", "'gen/**'", "src/a", "", "open gen; missing gen"),
            (
                "some files of a folder",
                "'src/*.rs'",
                "src/a.rs src/b.txt src/deep/c.rs",
                "",
                "open src; shut src/b.txt src/deep/c.rs",
            ),
            (
                "files of a kind at every depth",
                "'src/**/*.rs'",
                "src/a.rs src/d/b.rs src/d/x.txt",
                "",
                "open src; shut src/d/x.txt",
            ),
            (
                "two patterns",
                "'src/*.rs', 'src/deep/**'",
                "src/a.rs src/deep/c src/x",
                "",
                "open src src/deep; shut src/x",
            ),
            ("ignored files stay shut", "'src/**'", "src/a src/gen/b", "src/gen\n", "open src; shut src/gen"),
            ("a link out of the scope", "'src/**'", "lib/a src->lib", "", "closed src/**"),
            ("a folder named without what is below", "src", "src/a", "", ""),
        ] {
            assert_eq!(paths(patterns, files, ignore), expected, "{name}");
        }
        let many = (0..200).map(|n| format!("src/{n}.rs src/{n}.txt ")).collect::<Vec<_>>().concat();
        assert_eq!(paths("'src/*.rs'", &many, ""), "closed src/*.rs");
    }
}
