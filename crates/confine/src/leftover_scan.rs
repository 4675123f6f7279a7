//! The look after a command: what it left in its scope that runs programs later, outside confinement.
//!
//! Mounts hold what exists when the command starts. What it creates is in its scope and so permitted; but a new
//! repository, a hook or settings of an agent program make the person's next command run what they name.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::ConfinementPlan;
use crate::governing_names::{SKIPPED, is, is_protected, protected_parts};

/// The places to check after a command, as plain data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeftoverScan {
    /// The folders of the scope.
    pub scope: Vec<PathBuf>,
    /// The git folders that the command could write.
    pub git: Vec<PathBuf>,
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
    /// A changed file with a hard link that may lie out of scope.
    HardLink,
    /// A new entry beside a file in scope.
    Beside,
}

/// The maximum number of entries to check.
const MAX_ENTRIES: usize = 50_000;

/// Keys of a git configuration that name programs.
const NAMES_PROGRAMS: [&str; 9] =
    ["fsmonitor", "hookspath", "sshcommand", "editor", "pager", "helper", "textconv", "[filter", "[alias"];

impl LeftoverScan {
    /// Returns what changed at or after `since`, in seconds and nanoseconds of the wall clock.
    pub fn look(&self, since: (i64, i64)) -> Vec<LeftBehind> {
        let mut look = Look { since, found: Vec::new(), links: BTreeMap::new(), entries_left: MAX_ENTRIES };
        // Landlock does not hold the folders that steersman made in the place of settings.
        let placeholders = &self.plan.folders;
        for folder in &self.scope {
            look.folder(folder, placeholders);
        }
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
        look.found.retain(|it| self.plan.permits(&it.path) || placeholders.contains(&it.path));
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

    fn folder(&mut self, folder: &Path, placeholders: &[PathBuf]) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if self.entries_left == 0 {
                return;
            }
            self.entries_left -= 1;
            let (name, path) = (entry.file_name(), entry.path());
            let Ok(meta) = entry.metadata() else { continue };
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
                self.folder(&path, placeholders);
            } else if meta.is_file() && meta.nlink() > 1 {
                let seen = self.links.entry((meta.dev(), meta.ino())).or_insert((meta.nlink(), Vec::new()));
                seen.1.push(path);
            }
        }
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
        let runs = fs::read_to_string(&todo).unwrap_or_default();
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
    let text = fs::read_to_string(config).unwrap_or_default().to_ascii_lowercase();
    NAMES_PROGRAMS.iter().any(|key| text.contains(key))
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
            (LeftKind::Repository, "src/new/.git"),
            (LeftKind::GitName, ".git/commondir"),
            (LeftKind::GitName, ".git/modules/a/b/hooks/post-checkout"),
            (LeftKind::GitName, ".git/modules/c/config"),
            (LeftKind::GitName, ".git/rebase-merge/git-rebase-todo"),
            (LeftKind::Governing, "src/.github/hooks"),
            (LeftKind::Governing, "src/deep/er/.claude"),
            (LeftKind::HardLink, "src/twin"),
            (LeftKind::Beside, "p/two"),
        ];
        let found: Vec<_> = found.iter().map(|(kind, path)| (*kind, path.as_str())).collect();
        assert_eq!(found, expected);
    }
}
