//! The repositories of commit triggers, and the workspace's own.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use automation::{Configuration, OccurrenceKind, Trigger};
use engine::CommitObstacle;

use crate::commits::{Commit, HeadMoves, ReflogReader, StartAt};

/// The repositories, each under the path in its automations.
#[derive(Debug, Default)]
pub(crate) struct Repositories {
    found: Vec<ReflogReader>,
    /// Folders without a repository at the last check.
    missing: HashSet<PathBuf>,
    /// The folders of commit triggers.
    awaited: BTreeSet<PathBuf>,
}

impl Repositories {
    /// Finds the repositories of a configuration and that of the workspace; known ones keep their read
    /// offset.
    pub(crate) fn find(&mut self, root: &Path, configuration: &Configuration) {
        self.awaited = configuration
            .automations()
            .filter(|automation| automation.enabled)
            .filter_map(|automation| {
                let Trigger::Commit { repo_root } = &automation.trigger else { return None };
                Some(repo_root.as_path().to_path_buf())
            })
            .collect();
        let mut wanted = self.awaited.clone();
        wanted.insert(root.to_path_buf());
        self.found.retain(|it| wanted.contains(it.repo_root()) && it.exists());
        self.missing.retain(|it| wanted.contains(it));
        for folder in wanted {
            if self.found.iter().any(|it| it.repo_root() == folder) {
                continue;
            }
            let from = if self.missing.contains(&folder) { StartAt::Beginning } else { StartAt::Now };
            match ReflogReader::of(&folder, from) {
                Some(commits) => {
                    self.missing.remove(&folder);
                    self.found.push(commits);
                }
                None => drop(self.missing.insert(folder)),
            }
        }
    }

    /// Returns whether a repository was created or deleted since the last [`Self::find`].
    pub(crate) fn are_stale(&self) -> bool {
        let has_come = |folder: &PathBuf| folder.join(".git").exists();
        self.missing.iter().any(has_come) || self.found.iter().any(|it| !it.exists())
    }

    /// Returns the folders to watch for commits.
    pub(crate) fn folders(&self) -> Vec<PathBuf> {
        self.found.iter().map(ReflogReader::folder).collect()
    }

    /// Returns whether git is writing files of the workspace.
    pub(crate) fn are_busy(&mut self, moment: Instant) -> bool {
        self.found.iter_mut().any(|it| it.is_busy(moment))
    }

    /// Reads the new reflog lines of all repositories.
    pub(crate) fn read_new(&mut self) -> HeadMoves {
        let mut all = HeadMoves::default();
        for repository in &mut self.found {
            let moves = repository.read_new();
            all.commits.extend(moves.commits);
            all.wrote_files = all.wrote_files.max(moves.wrote_files);
        }
        all
    }

    /// Returns when git last wrote the reflog in the repository of this commit.
    ///
    /// WHY not the time in the reflog: that has a resolution of one second.
    pub(crate) fn written_at(&self, commit: &OccurrenceKind) -> SystemTime {
        let OccurrenceKind::Commit { repo_root, .. } = commit else { return store::system_time() };
        let repository = self.found.iter().find(|it| it.repo_root() == Path::new(repo_root));
        repository.and_then(ReflogReader::written_at).unwrap_or_else(store::system_time)
    }

    /// Returns the commits since the last server stopped; `known` returns its read offsets.
    pub(crate) fn catch_up(&mut self, known: &dyn Fn(&str) -> Option<u64>) -> Vec<Commit> {
        let since = |it: &mut ReflogReader| it.catch_up(known(&it.read_so_far().0));
        self.found.iter_mut().flat_map(since).collect()
    }

    /// Returns the read offset of each reflog.
    pub(crate) fn read_so_far(&self) -> Vec<(String, u64)> {
        self.found.iter().map(ReflogReader::read_so_far).collect()
    }

    /// Returns why commits of a commit trigger cannot be detected. Returns `None` if all can.
    pub(crate) fn problem(&self) -> Option<String> {
        self.awaited.iter().find_map(|folder| {
            let obstacle = match self.found.iter().find(|it| it.repo_root() == folder) {
                None => CommitObstacle::NoRepository,
                Some(_) if !folder.join(".git").exists() => CommitObstacle::InsideRepository,
                Some(it) if it.lacks_reflog() => CommitObstacle::NoReflog,
                Some(_) => return None,
            };
            Some(format!("{}; {}", obstacle.message(folder), obstacle.hint()))
        })
    }
}
