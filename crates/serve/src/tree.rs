//! The relevant files and folders of a workspace: not git's, not steersman's, not ignored by git.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

/// steersman's own folders, whose files do not count as saves.
const OURS: [&str; 2] = [".ai", ".orchestration"];
/// Git's own folder, which every repository within the workspace has.
const GIT: &str = ".git";
/// The name of git's ignore files.
const RULES: &str = ".gitignore";

/// A workspace's tree and its ignore rules.
#[derive(Debug)]
pub(crate) struct Tree {
    root: PathBuf,
    /// The cached rules of each folder; empty for a folder without an ignore file.
    rules: HashMap<PathBuf, Gitignore>,
}

impl Tree {
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root, rules: HashMap::new() }
    }

    /// Clears the cached rules after an ignore file has changed.
    pub(crate) fn forget_rules(&mut self) {
        self.rules.clear();
    }

    /// Returns the path within the workspace, with U+FFFD for bytes that are not UTF-8. Returns `None` for an
    /// irrelevant file.
    pub(crate) fn relevant(&mut self, path: &Path) -> Option<String> {
        let below = path.strip_prefix(&self.root).ok()?.to_string_lossy().replace('\\', "/");
        (!below.is_empty() && !is_ours(&below) && !self.is_ignored(path, false)).then_some(below)
    }

    /// Returns whether files in this folder can be relevant.
    pub(crate) fn includes_folder(&mut self, folder: &Path) -> bool {
        let Ok(below) = folder.strip_prefix(&self.root) else { return false };
        let below = below.to_string_lossy().replace('\\', "/");
        below.is_empty() || (!is_ours(&below) && !self.is_ignored(folder, true))
    }

    /// Walks over all relevant files and folders.
    pub(crate) fn walk(&self) -> impl Iterator<Item = ignore::DirEntry> + use<> {
        let root = self.root.clone();
        WalkBuilder::new(&self.root)
            .standard_filters(false)
            .git_ignore(has_readable_rules(&self.root))
            .git_exclude(true)
            .require_git(false)
            .filter_entry(move |entry| {
                let below = entry.path().strip_prefix(&root).unwrap_or(entry.path());
                entry.file_name() != GIT
                    && !OURS.iter().any(|ours| below == Path::new(ours))
                    && (entry.file_type().is_none_or(|kind| !kind.is_dir())
                        || has_readable_rules(entry.path()))
            })
            .build()
            .flatten()
    }

    fn is_ignored(&mut self, path: &Path, is_folder: bool) -> bool {
        let ancestors: Vec<PathBuf> = path
            .ancestors()
            .skip(1)
            .take_while(|it| it.starts_with(&self.root))
            .map(Path::to_path_buf)
            .collect();
        // The nearest rule wins, as in git.
        for folder in ancestors {
            let is_root = folder == self.root;
            let rules = self.rules.entry(folder.clone()).or_insert_with(|| read_rules(&folder, is_root));
            let matched = rules.matched_path_or_any_parents(path, is_folder);
            if !matched.is_none() {
                return matched.is_ignore();
            }
        }
        false
    }
}

fn is_ours(below: &str) -> bool {
    below.split('/').any(|part| part == GIT)
        || OURS
            .iter()
            .any(|ours| below.strip_prefix(ours).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

/// Returns whether the ignore file of a folder can be read, or does not exist: reading a pipe would never end.
fn has_readable_rules(folder: &Path) -> bool {
    std::fs::metadata(folder.join(RULES)).map_or(true, |meta| meta.is_file())
}

fn read_rules(folder: &Path, is_root: bool) -> Gitignore {
    let mut builder = GitignoreBuilder::new(folder);
    if has_readable_rules(folder) {
        // Skips invalid rules and keeps the others.
        let _ = builder.add(folder.join(RULES));
    }
    if is_root {
        let _ = builder.add(folder.join(".git/info/exclude"));
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn files_of_git_of_ours_and_ignored_ones_do_not_count() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for folder in ["src/deep", "target/debug", ".ai/tmp", ".git/info", ".github"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        fs::write(root.join(".gitignore"), "target/\n*.log\n").unwrap();
        fs::write(root.join("src/.gitignore"), "!keep.log\ngenerated.rs\n").unwrap();
        fs::write(root.join(".git/info/exclude"), "secret.txt\n").unwrap();
        let mut tree = Tree::new(root.to_path_buf());
        for (path, counts) in [
            ("src/a.rs", true),
            ("src/deep/b.rs", true),
            (".github/workflows.yml", true),
            ("target/debug/x", false),
            ("a.log", false),
            ("src/deep/a.log", false),
            ("src/keep.log", true),
            ("src/generated.rs", false),
            ("generated.rs", true),
            ("secret.txt", false),
            (".ai/tmp/x", false),
            (".git/HEAD", false),
            ("lib/.git/index", false),
        ] {
            assert_eq!(tree.relevant(&root.join(path)).is_some(), counts, "{path}");
        }
        for (folder, counts) in [
            ("", true),
            ("src/deep", true),
            (".github", true),
            ("target", false),
            (".ai", false),
            ("lib/.git", false),
        ] {
            assert_eq!(tree.includes_folder(&root.join(folder)), counts, "{folder}");
        }
        let mut files: Vec<String> = tree
            .walk()
            .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
            .map(|entry| entry.path().strip_prefix(root).unwrap().display().to_string())
            .collect();
        files.sort();
        assert_eq!(files, [".gitignore", "src/.gitignore"]);
    }
}
