//! Determines whether git tracks a file or folder, and whether it differs from the last commit.
//!
//! WHY by hand: a hook waits for the answer, and running git takes longer than the rest of the hook.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use shell::GitStatus;
use store::git_dir;

use super::git_index::{self, Entry, each_entry};

/// A folder with more files than this is assumed to contain an untracked one.
const MAX_FILES: usize = 256;

/// Returns the git status of an absolute path; an empty one if it does not exist or is not in a
/// checkout. Returns `None` if the index cannot be read.
pub fn git_status(path: &Path) -> Option<GitStatus> {
    let Ok(meta) = fs::symlink_metadata(path) else { return Some(GitStatus::default()) };
    let Some((top, git)) = path.parent().and_then(checkout_of) else { return Some(GitStatus::default()) };
    let name = path.strip_prefix(top).ok().and_then(Path::to_str)?;
    if !git.join("index").exists() {
        return Some(GitStatus { untracked: true, ..GitStatus::default() });
    }
    let index = git_index::read(&git)?;
    let mut status = GitStatus::default();
    let mut known = Vec::new();
    let end = each_entry(&index, |entry| {
        let Ok(entry_name) = std::str::from_utf8(entry.name) else { return };
        let is_meant =
            entry_name.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        if is_meant {
            status.tracked = true;
            status.changed |= is_changed(entry, &top.join(entry_name));
            known.push(entry_name.to_owned());
        }
    })?;
    let folders = Committed::read(index.get(end..)?);
    status.changed |=
        known.iter().any(|name| !folders.has_all_of(name.rsplit_once('/').map_or("", |it| it.0)));
    let mut n_left = MAX_FILES;
    status.untracked = has_unknown(path, &meta, top, &known, &mut n_left);
    Some(status)
}

/// Returns the absolute paths of the tracked files of the checkout around `folder` that `is_meant` accepts and that
/// differ from the index. Returns `None` if there is no index that can be read.
pub fn changed_files(folder: &Path, is_meant: impl Fn(&str) -> bool) -> Option<Vec<String>> {
    let (top, git) = checkout_of(folder)?;
    let index = git_index::read(&git)?;
    let mut changed = Vec::new();
    each_entry(&index, |entry| {
        let Ok(name) = std::str::from_utf8(entry.name) else { return };
        // Every governing name starts with a dot; the others need no path.
        if !name.starts_with('.') && !name.contains("/.") {
            return;
        }
        let path = top.join(name);
        if let Some(text) = path.to_str().filter(|text| is_meant(text) && is_changed(entry, &path)) {
            changed.push(text.to_owned());
        }
    })?;
    Some(changed)
}

/// Returns the top of the checkout around `folder`, and git's own folder of it. Returns `None` outside of a checkout.
pub fn checkout_of(folder: &Path) -> Option<(&Path, PathBuf)> {
    folder.ancestors().find_map(|top| Some((top, git_dir(&top.join(".git"))?)))
}

/// Returns whether a file on disk differs from the index, judged by size and time.
fn is_changed(entry: &Entry<'_>, file: &Path) -> bool {
    let Ok(meta) = fs::symlink_metadata(file) else { return entry.belongs_on_disk };
    let seconds = meta.modified().ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
    // The index stores the last 32 bits of both.
    let differs = |now: u64, then: u32| now & u64::from(u32::MAX) != u64::from(then);
    differs(meta.len(), entry.size) || seconds.is_some_and(|at| differs(at.as_secs(), entry.changed))
}

/// Returns whether there is an untracked file at or below `path`.
fn has_unknown(path: &Path, meta: &Metadata, top: &Path, known: &[String], n_left: &mut usize) -> bool {
    if !meta.is_dir() {
        let name = path.strip_prefix(top).ok().and_then(Path::to_str);
        return name.is_none_or(|name| !known.iter().any(|known| known == name));
    }
    let Ok(entries) = fs::read_dir(path) else { return true };
    entries.flatten().any(|entry| {
        *n_left = n_left.saturating_sub(1);
        let below = entry.path();
        *n_left == 0
            || fs::symlink_metadata(&below)
                .map_or(true, |meta| has_unknown(&below, &meta, top, known, n_left))
    })
}

/// The folders without staged changes: git drops a folder from this list when something in it is
/// staged.
struct Committed {
    /// `None` if the index has no such list.
    folders: Option<Vec<String>>,
}

impl Committed {
    /// Parses the extensions of an index.
    fn read(mut extensions: &[u8]) -> Self {
        while let Some((kind, rest)) = extensions.split_at_checked(4) {
            let Some((length, rest)) = rest.split_at_checked(4) else { break };
            let length = u32::from_be_bytes(length.try_into().unwrap_or_default()) as usize;
            let Some((data, rest)) = rest.split_at_checked(length) else { break };
            if kind == b"TREE" {
                let mut folders = Vec::new();
                return Self { folders: walk(&mut &*data, "", &mut folders, 0).map(|()| folders) };
            }
            extensions = rest;
        }
        Self { folders: None }
    }

    fn has_all_of(&self, folder: &str) -> bool {
        self.folders.as_ref().is_none_or(|folders| folders.iter().any(|known| known == folder))
    }
}

/// Parses one folder of the list and those below it: its name, its number of files (negative if
/// something in it is staged), its number of folders, and its hash.
fn walk(data: &mut &[u8], above: &str, folders: &mut Vec<String>, level: usize) -> Option<()> {
    /// The maximum depth of folders.
    const MAX_LEVELS: usize = 128;
    const HASH: usize = 20;
    let mut until = |end: u8| {
        let at = data.iter().position(|byte| *byte == end)?;
        let (head, rest) = data.split_at(at);
        *data = &rest[1..];
        std::str::from_utf8(head).ok()
    };
    let name = until(0)?;
    let n_files: i64 = until(b' ')?.parse().ok()?;
    let n_folders: usize = until(b'\n')?.parse().ok()?;
    let path = if above.is_empty() { name.to_owned() } else { format!("{above}/{name}") };
    if n_files >= 0 {
        *data = data.get(HASH..)?;
        folders.push(path.clone());
    }
    for _ in 0..n_folders {
        if level == MAX_LEVELS {
            return None;
        }
        walk(data, &path, folders, level + 1)?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    struct Repository(tempfile::TempDir);

    impl Repository {
        fn new() -> Self {
            let repository = Self(tempfile::tempdir().unwrap());
            repository.git(&["init", "-q", "-b", "main"]);
            repository.write("src/a", "a");
            repository.git(&["add", "src"]);
            repository.git(&["commit", "-q", "-m", "a"]);
            repository
        }

        fn git(&self, args: &[&str]) {
            let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
            let mut git = Command::new("git");
            git.args(identity).args(args).current_dir(self.0.path());
            assert!(git.env_remove("GIT_DIR").status().unwrap().success(), "{args:?}");
        }

        fn write(&self, name: &str, text: &str) {
            let path = self.0.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        fn status(&self, name: &str) -> String {
            let status = git_status(&self.0.path().join(name)).unwrap();
            let flags =
                [("tracked", status.tracked), ("changed", status.changed), ("untracked", status.untracked)];
            flags.into_iter().filter(|it| it.1).map(|it| it.0).collect::<Vec<_>>().join(" ")
        }
    }

    #[test]
    fn a_file_is_followed_from_unknown_to_committed() {
        let repository = Repository::new();
        let file = ".claude/settings.json";
        assert_eq!(repository.status(file), "");
        repository.write(file, "{}");
        assert_eq!(repository.status(file), "untracked");
        repository.git(&["add", file]);
        assert_eq!(repository.status(file), "tracked changed", "staged, but in no commit");
        repository.git(&["commit", "-q", "-m", "b"]);
        assert_eq!(repository.status(file), "tracked");
        repository.write("src/b", "b");
        repository.git(&["add", "src/b"]);
        assert_eq!(repository.status(file), "tracked", "what is staged elsewhere does not matter");
        repository.write(file, "{\"a\": 1}");
        assert_eq!(repository.status(file), "tracked changed");
    }

    #[test]
    fn a_folder_is_what_its_files_are() {
        let repository = Repository::new();
        repository.write(".github/hooks/a.json", "{}");
        repository.git(&["add", ".github"]);
        repository.git(&["commit", "-q", "-m", "b"]);
        assert_eq!(repository.status(".github/hooks"), "tracked");
        repository.write(".github/hooks/deep/b.json", "{}");
        assert_eq!(repository.status(".github/hooks"), "tracked untracked");
        assert_eq!(git_status(Path::new("/")), Some(GitStatus::default()));
    }
}
