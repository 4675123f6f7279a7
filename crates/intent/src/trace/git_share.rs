//! What git has of a file or folder: whether it knows it, and whether it differs from the last commit.
//!
//! WHY by hand: a hook waits for the answer, and asking git costs more than all the rest of it.

use std::fs::{self, Metadata};
use std::path::Path;

use shell::GitShare;

use super::git_head::git_folder;
use super::git_index::{self, Entry, each_entry};

/// A folder with more files than this is believed to hold one that git does not know.
const MAX_FILES: usize = 256;

/// Returns what git has of what lies at an absolute path; nothing of what is not there or in no checkout.
/// Returns `None` if the index cannot be read.
pub fn git_share(path: &Path) -> Option<GitShare> {
    let Ok(meta) = fs::symlink_metadata(path) else { return Some(GitShare::default()) };
    let checkout = path.ancestors().skip(1).find_map(|top| Some((top, git_folder(&top.join(".git"))?)));
    let Some((top, git)) = checkout else { return Some(GitShare::default()) };
    let name = path.strip_prefix(top).ok().and_then(Path::to_str)?;
    if !git.join("index").exists() {
        return Some(GitShare { untracked: true, ..GitShare::default() });
    }
    let index = git_index::read(&git)?;
    let mut share = GitShare::default();
    let mut known = Vec::new();
    let end = each_entry(&index, |entry| {
        let Ok(entry_name) = std::str::from_utf8(entry.name) else { return };
        let is_meant =
            entry_name.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        if is_meant {
            share.tracked = true;
            share.changed |= is_changed(entry, &top.join(entry_name));
            known.push(entry_name.to_owned());
        }
    })?;
    let folders = Committed::read(index.get(end..)?);
    share.changed |=
        known.iter().any(|name| !folders.has_all_of(name.rsplit_once('/').map_or("", |it| it.0)));
    let mut n_left = MAX_FILES;
    share.untracked = has_unknown(path, &meta, top, &known, &mut n_left);
    Some(share)
}

/// Returns whether a file on disk differs from what the index says, as far as its size and its time tell.
fn is_changed(entry: &Entry<'_>, file: &Path) -> bool {
    let Ok(meta) = fs::symlink_metadata(file) else { return entry.belongs_on_disk };
    let seconds = meta.modified().ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
    // The index keeps the last 32 bits of both.
    let differs = |now: u64, then: u32| now & u64::from(u32::MAX) != u64::from(then);
    differs(meta.len(), entry.size) || seconds.is_some_and(|at| differs(at.as_secs(), entry.changed))
}

/// Returns whether there is a file at or below `path` that git does not know.
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

/// The folders of which the index has nothing that is not committed: git drops a folder from this list when
/// something in it is staged.
struct Committed {
    /// `None` if the index does not say.
    folders: Option<Vec<String>>,
}

impl Committed {
    /// Reads what follows the entries of an index.
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

/// Reads one folder of the list and those below it: its name, how many files it has (none counted if something
/// in it is staged), how many folders, and its hash.
fn walk(data: &mut &[u8], above: &str, folders: &mut Vec<String>, level: usize) -> Option<()> {
    /// Deeper folders are no folders of people's.
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

        fn share(&self, name: &str) -> String {
            let share = git_share(&self.0.path().join(name)).unwrap();
            let said =
                [("tracked", share.tracked), ("changed", share.changed), ("untracked", share.untracked)];
            said.into_iter().filter(|it| it.1).map(|it| it.0).collect::<Vec<_>>().join(" ")
        }
    }

    #[test]
    fn a_file_is_followed_from_unknown_to_committed() {
        let repository = Repository::new();
        let file = ".claude/settings.json";
        assert_eq!(repository.share(file), "");
        repository.write(file, "{}");
        assert_eq!(repository.share(file), "untracked");
        repository.git(&["add", file]);
        assert_eq!(repository.share(file), "tracked changed", "staged, but in no commit");
        repository.git(&["commit", "-q", "-m", "b"]);
        assert_eq!(repository.share(file), "tracked");
        repository.write("src/b", "b");
        repository.git(&["add", "src/b"]);
        assert_eq!(repository.share(file), "tracked", "what is staged elsewhere does not matter");
        repository.write(file, "{\"a\": 1}");
        assert_eq!(repository.share(file), "tracked changed");
    }

    #[test]
    fn a_folder_is_what_its_files_are() {
        let repository = Repository::new();
        repository.write(".github/hooks/a.json", "{}");
        repository.git(&["add", ".github"]);
        repository.git(&["commit", "-q", "-m", "b"]);
        assert_eq!(repository.share(".github/hooks"), "tracked");
        repository.write(".github/hooks/deep/b.json", "{}");
        assert_eq!(repository.share(".github/hooks"), "tracked untracked");
        assert_eq!(git_share(Path::new("/")), Some(GitShare::default()));
    }
}
