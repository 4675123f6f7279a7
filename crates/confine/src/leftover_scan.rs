//! The scan after a command: the files that it left in its scope and that run programs later, outside confinement.
//!
//! Mounts hold what exists when the command starts. What it creates is in its scope and so permitted; but a new
//! repository, a hook or settings of an agent program make the person's next command run what they name.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::ConfinementPlan;
use crate::governing_names::{SKIPPED, START_UP, is, is_protected, protected_parts};

/// The places to check after a command, as plain data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeftoverScan {
    /// The folders of the scope.
    pub scope: Vec<PathBuf>,
    /// The git folders that the command could write.
    pub git: Vec<PathBuf>,
    /// The home folder.
    pub home: Option<PathBuf>,
    /// The plan: the command cannot have changed the paths that it held; another process may have.
    pub plan: ConfinementPlan,
}

/// Something that a command left behind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftBehind {
    /// Why it matters.
    pub kind: LeftKind,
    /// Its path.
    pub path: PathBuf,
}

/// Why something that a command left behind matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftKind {
    /// A new or changed repository: git in that folder runs what its configuration names.
    Repository,
    /// A new name in a git folder by which git runs programs.
    GitName,
    /// Settings that govern an agent program.
    Governing,
    /// A file of the home that shells or git read when they start.
    StartUp,
    /// A changed file with a hard link that may lie out of scope.
    HardLink,
    /// A new entry beside a file in scope.
    Beside,
    /// A folder from which on the scope was not checked, because it holds too many entries.
    Unchecked,
}

/// The maximum number of entries to check.
const MAX_ENTRIES: usize = 50_000;

/// The entries by which git recognizes a repository without a work tree.
const BARE_REPOSITORY: [&str; 3] = ["HEAD", "objects", "refs"];

/// The longest file that is read.
const MAX_READ: u64 = 1024 * 1024;

/// Keys of a git configuration that name programs.
const NAMES_PROGRAMS: [&str; 9] =
    ["fsmonitor", "hookspath", "sshcommand", "editor", "pager", "helper", "textconv", "[filter", "[alias"];

impl LeftoverScan {
    /// Returns the files and links that changed at or after `since`, in seconds and nanoseconds of the wall clock.
    pub fn look(&self, since: (i64, i64)) -> Vec<LeftBehind> {
        let mut look = Look { since, found: Vec::new(), links: BTreeMap::new(), entries_left: MAX_ENTRIES };
        // The other ones existed before, and were read-only.
        for home in self.home.iter().filter(|home| self.plan.permits(home)) {
            for name in START_UP {
                look.add_if_new(LeftKind::StartUp, &home.join(name));
            }
        }
        // Landlock does not hold the folders that steersman made in the place of settings.
        let placeholders = &self.plan.folders;
        look.folders(&self.scope, placeholders);
        look.hard_links();
        for git in &self.git {
            look.git_folder(git, 0);
        }
        for parent in &self.plan.opened_parents {
            let entries = fs::read_dir(parent).into_iter().flatten().flatten();
            for path in entries.map(|entry| entry.path()) {
                if !self.scope.contains(&path) && !placeholders.contains(&path) {
                    look.add_if_new(LeftKind::Beside, &path);
                }
            }
        }
        look.found.retain(|it| {
            it.kind == LeftKind::Unchecked || self.plan.permits(&it.path) || placeholders.contains(&it.path)
        });
        look.found.sort();
        look.found.dedup();
        look.found
    }
}

/// The file with a number on a disk: how many links it has, and those that were seen.
type Links = BTreeMap<(u64, u64), (u64, Vec<PathBuf>)>;

struct Look {
    since: (i64, i64),
    found: Vec<LeftBehind>,
    links: Links,
    entries_left: usize,
}

impl Look {
    fn is_new(&self, meta: &fs::Metadata) -> bool {
        (meta.ctime(), meta.ctime_nsec()) >= self.since
    }

    fn add_if_new(&mut self, kind: LeftKind, path: &Path) {
        if path.symlink_metadata().is_ok_and(|meta| self.is_new(&meta)) {
            self.found.push(LeftBehind { kind, path: path.to_path_buf() });
        }
    }

    /// Looks through folders and all below them, the shallow ones first: a command may create more entries than are
    /// checked. WHY a queue: a thousand folders in each other would need more stack than the helper process has.
    fn folders(&mut self, scope: &[PathBuf], placeholders: &[PathBuf]) {
        let mut queue: VecDeque<PathBuf> = scope.iter().cloned().collect();
        while let Some(folder) = queue.pop_front() {
            let mut n_parts = 0;
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                if self.entries_left == 0 {
                    self.found.push(LeftBehind { kind: LeftKind::Unchecked, path: folder });
                    return;
                }
                self.entries_left -= 1;
                n_parts += usize::from(BARE_REPOSITORY.iter().any(|part| entry.file_name() == *part));
                queue.extend(self.entry(&entry, placeholders));
            }
            if n_parts == BARE_REPOSITORY.len() && self.is_changed_repository(&folder) {
                self.found.push(LeftBehind { kind: LeftKind::Repository, path: folder });
            }
        }
    }

    /// Adds an entry that runs programs later. Returns it if it is a folder to look through.
    fn entry(&mut self, entry: &fs::DirEntry, placeholders: &[PathBuf]) -> Option<PathBuf> {
        let (name, path) = (entry.file_name(), entry.path());
        let meta = entry.metadata().ok()?;
        if is(&name, &[".git"]) {
            self.add_if_new(LeftKind::Repository, &path);
        } else if is_protected(&name) {
            let is_ours = placeholders.contains(&path) && is_empty(&path);
            if !is_ours {
                self.governing(&path, &meta);
            }
        } else if let Some(parts) = protected_parts(&name) {
            for part in parts {
                self.add_if_new(LeftKind::Governing, &path.join(part));
            }
        } else if meta.is_dir() && !is(&name, &SKIPPED) {
            return Some(path);
        } else if meta.is_file() && meta.nlink() > 1 {
            let seen = self.links.entry((meta.dev(), meta.ino())).or_insert((meta.nlink(), Vec::new()));
            seen.1.push(path);
        }
        None
    }

    /// Returns whether the settings or hooks of a repository without a work tree are new. Git takes such a folder for a
    /// repository as soon as a person enters it.
    fn is_changed_repository(&self, folder: &Path) -> bool {
        let is_new = |path: &Path| path.symlink_metadata().is_ok_and(|meta| self.is_new(&meta));
        is_new(&folder.join("config")) || is_new(&folder.join("commondir")) || is_new(&folder.join("hooks"))
    }

    /// Adds settings if they or a file in their folder are new.
    fn governing(&mut self, path: &Path, meta: &fs::Metadata) {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        let newest_inside = entries.filter_map(|entry| entry.metadata().ok()).any(|meta| self.is_new(&meta));
        if newest_inside || self.is_new(meta) {
            self.found.push(LeftBehind { kind: LeftKind::Governing, path: path.to_path_buf() });
        }
    }

    /// Adds changed files whose other links were not seen in the scope.
    fn hard_links(&mut self) {
        for (n_links, paths) in std::mem::take(&mut self.links).into_values() {
            if u64::try_from(paths.len()).is_ok_and(|seen| seen < n_links) {
                for path in &paths {
                    self.add_if_new(LeftKind::HardLink, path);
                }
            }
        }
    }

    /// Looks through a git folder and those of its submodules.
    fn git_folder(&mut self, git: &Path, depth: usize) {
        const MAX_DEPTH: usize = 6;
        if depth > 0 {
            for hook in fs::read_dir(git.join("hooks")).into_iter().flatten().flatten() {
                if hook.path().extension().is_none_or(|ending| ending != "sample") {
                    self.add_if_new(LeftKind::GitName, &hook.path());
                }
            }
            if names_programs(&git.join("config")) {
                self.add_if_new(LeftKind::GitName, &git.join("config"));
            }
        }
        self.add_if_new(LeftKind::GitName, &git.join("commondir"));
        let todo = git.join("rebase-merge/git-rebase-todo");
        let runs = text(&todo);
        if runs.lines().any(|line| line.starts_with("exec ") || line.starts_with("x ")) {
            self.add_if_new(LeftKind::GitName, &todo);
        }
        if depth < MAX_DEPTH {
            self.submodules(&git.join("modules"), depth + 1);
        }
    }

    /// Looks through a folder of submodules; their names may contain slashes.
    fn submodules(&mut self, folder: &Path, depth: usize) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let has = |name: &str| path.join(name).symlink_metadata().is_ok();
            if has("HEAD") || has("config") || has("hooks") {
                self.git_folder(&path, depth);
            } else if depth < 4 && path.is_dir() {
                self.submodules(&path, depth + 1);
            }
        }
    }
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none())
}

fn names_programs(config: &Path) -> bool {
    let text = text(config).to_ascii_lowercase();
    NAMES_PROGRAMS.iter().any(|key| text.contains(key))
}

/// Reads a file. One of another kind is empty: a pipe would never end.
fn text(path: &Path) -> String {
    let is_file = |meta: &fs::Metadata| meta.is_file() && meta.len() <= MAX_READ;
    let bytes = path.symlink_metadata().ok().filter(is_file).and_then(|_| fs::read(path).ok());
    String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mount, MountKind};

    fn put(path: &Path, text: &str) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn only_new_things_that_run_programs_later_are_found() {
        let dir = tempfile::tempdir().unwrap();
        let w = dir.path();
        for old in ["src/lib/.git/config", "src/a", "out/twin", ".git/config", ".git/hooks/x", "p/one"] {
            put(&w.join(old), "old");
        }
        fs::hard_link(w.join("out/twin"), w.join("src/twin")).unwrap();
        fs::hard_link(w.join("src/a"), w.join("src/b")).unwrap();
        let clock = fs::metadata(w.join("src/b")).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(30));
        let since = (clock.ctime(), clock.ctime_nsec() + 1);
        let look = LeftoverScan {
            scope: vec![w.join("src")],
            git: vec![w.join(".git")],
            home: Some(w.join("src")),
            plan: ConfinementPlan {
                mounts: [
                    (".git", MountKind::Writable),
                    ("p", MountKind::Writable),
                    ("src", MountKind::Writable),
                    ("src/.ai", MountKind::Protected),
                    ("src/.codex", MountKind::Protected),
                ]
                .map(|(path, kind)| Mount { path: w.join(path), kind })
                .to_vec(),
                opened_parents: vec![w.join("p")],
                folders: vec![w.join("src/.codex")],
                ..ConfinementPlan::default()
            },
        };
        assert_eq!(look.look(since), []);
        for new in [
            "src/new/.git/config",
            "src/deep/er/.claude/settings.json",
            "src/.github/hooks/a.json",
            "src/node_modules/x/.git/config",
            "src/plain",
            "src/.zshenv",
            "src/deep/.zshenv",
            "src/bare/HEAD",
            "src/bare/objects/x",
            "src/bare/refs/x",
            "src/bare/config",
            "src/not-bare/HEAD",
            "src/not-bare/config",
            "src/.ai/by-another-process",
            ".git/commondir",
            ".git/modules/a/b/hooks/post-checkout",
            ".git/modules/a/b/hooks/x.sample",
            ".git/index",
            "p/two",
        ] {
            put(&w.join(new), "x");
        }
        put(&w.join(".git/modules/c/config"), "[core]\n\tfsMonitor = x\n");
        put(&w.join(".git/modules/d/config"), "[core]\n\tbare = false\n");
        put(&w.join(".git/rebase-merge/git-rebase-todo"), "pick 1\nexec x\n");
        fs::create_dir(w.join("src/.codex")).unwrap();
        fs::write(w.join("src/twin"), "x").unwrap();
        fs::write(w.join("src/b"), "x").unwrap();
        let found: Vec<_> = look
            .look(since)
            .into_iter()
            .map(|it| (it.kind, it.path.strip_prefix(w).unwrap().display().to_string()))
            .collect();
        let expected = [
            (LeftKind::Repository, "src/bare"),
            (LeftKind::Repository, "src/new/.git"),
            (LeftKind::GitName, ".git/commondir"),
            (LeftKind::GitName, ".git/modules/a/b/hooks/post-checkout"),
            (LeftKind::GitName, ".git/modules/c/config"),
            (LeftKind::GitName, ".git/rebase-merge/git-rebase-todo"),
            (LeftKind::Governing, "src/.github/hooks"),
            (LeftKind::Governing, "src/deep/er/.claude"),
            (LeftKind::StartUp, "src/.zshenv"),
            (LeftKind::HardLink, "src/twin"),
            (LeftKind::Beside, "p/two"),
        ];
        let found: Vec<_> = found.iter().map(|(kind, path)| (*kind, path.as_str())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_deep_scope_is_checked_to_its_end_and_a_large_one_says_where_the_check_ended() {
        let dir = tempfile::tempdir().unwrap();
        let deep = dir.path().join("a/".repeat(700));
        put(&deep.join(".git/config"), "x");
        let scan = LeftoverScan {
            scope: vec![dir.path().to_path_buf()],
            plan: ConfinementPlan {
                mounts: vec![Mount { path: dir.path().to_path_buf(), kind: MountKind::Writable }],
                ..ConfinementPlan::default()
            },
            ..LeftoverScan::default()
        };
        // The stack of the process that looks after a command.
        let look =
            std::thread::Builder::new().stack_size(512 * 1024).spawn(move || scan.look((0, 0))).unwrap();
        assert_eq!(
            look.join().unwrap(),
            [LeftBehind { kind: LeftKind::Repository, path: deep.join(".git") }]
        );
        let mut look = Look { since: (0, 0), found: Vec::new(), links: BTreeMap::new(), entries_left: 3 };
        look.folders(&[dir.path().to_path_buf()], &[]);
        let stopped = LeftBehind { kind: LeftKind::Unchecked, path: dir.path().join("a/a/a") };
        assert_eq!(look.found, [stopped]);
    }
}
