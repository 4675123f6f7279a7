//! The repositories whose commits are waited for, and the one around the workspace.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use automation::{Configuration, Trigger, What};

use crate::commits::{Commits, From, Made, Moves};

/// Every repository that matters, each under the name its automations give it.
#[derive(Debug, Default)]
pub(crate) struct Repositories {
    found: Vec<Commits>,
    /// Folders in which there was no repository when we looked.
    missing: HashSet<PathBuf>,
    /// Folders of automations.
    awaited: BTreeSet<PathBuf>,
}

impl Repositories {
    /// Looks for the repositories of a configuration and for that of the workspace; those that
    /// are known keep their place.
    pub(crate) fn find(&mut self, root: &Path, configuration: &Configuration) {
        self.awaited = configuration
            .automations()
            .filter(|automation| automation.enabled)
            .filter_map(|automation| match &automation.trigger {
                Trigger::Commit { repo_root } => Some(repo_root.as_path().to_path_buf()),
                _ => None,
            })
            .collect();
        let mut wanted = self.awaited.clone();
        wanted.insert(root.to_path_buf());
        self.found.retain(|it| wanted.contains(it.repo_root()) && it.is_there());
        self.missing.retain(|it| wanted.contains(it));
        for folder in wanted {
            if self.found.iter().any(|it| it.repo_root() == folder) {
                continue;
            }
            let from = if self.missing.contains(&folder) { From::Beginning } else { From::Now };
            match Commits::of(&folder, from) {
                Some(commits) => {
                    self.missing.remove(&folder);
                    self.found.push(commits);
                }
                None => drop(self.missing.insert(folder)),
            }
        }
    }

    /// Returns whether a repository has come or gone since it was last looked for.
    pub(crate) fn are_stale(&self) -> bool {
        let has_come = |folder: &PathBuf| folder.join(".git").exists();
        self.missing.iter().any(has_come) || self.found.iter().any(|it| !it.is_there())
    }

    /// Returns the folders to watch for commits.
    pub(crate) fn folders(&self) -> Vec<PathBuf> {
        self.found.iter().map(Commits::folder).collect()
    }

    /// Returns whether git is at work on files of the workspace.
    pub(crate) fn are_busy(&mut self, moment: Instant) -> bool {
        self.found.iter_mut().any(|it| it.is_busy(moment))
    }

    /// Reads what happened in any of them since the last look.
    pub(crate) fn look(&mut self) -> Moves {
        let mut all = Moves::default();
        for repository in &mut self.found {
            let moves = repository.look();
            all.commits.extend(moves.commits);
            all.wrote_files = all.wrote_files.max(moves.wrote_files);
        }
        all
    }

    /// Returns when git last wrote its journal in the repository of this commit.
    ///
    /// WHY not the time in the journal: that is a whole second.
    pub(crate) fn written_at(&self, commit: &What) -> SystemTime {
        let What::Commit { repo_root, .. } = commit else { return SystemTime::now() };
        let repository = self.found.iter().find(|it| it.repo_root() == Path::new(repo_root));
        repository.and_then(Commits::written_at).unwrap_or_else(SystemTime::now)
    }

    /// Goes back to where the last server ended and returns the commits since then.
    pub(crate) fn catch_up(&mut self, known: &dyn Fn(&str) -> Option<u64>) -> Vec<Made> {
        let since = |it: &mut Commits| it.catch_up(known(&it.read_so_far().0));
        self.found.iter_mut().flat_map(since).collect()
    }

    /// Returns how far the journal of each was read.
    pub(crate) fn read_so_far(&self) -> Vec<(String, u64)> {
        self.found.iter().map(Commits::read_so_far).collect()
    }

    /// Says why commits that automations wait for cannot be seen, if that is so.
    pub(crate) fn trouble(&self) -> Option<String> {
        let unseen = self.awaited.iter().find_map(|folder| {
            match self.found.iter().find(|it| it.repo_root() == folder) {
                None => Some(format!("there is no repository in `{}`", folder.display())),
                Some(it) if it.is_untold() => Some(format!(
                    "git keeps no journal of HEAD in `{}`; `git config core.logAllRefUpdates true` makes it",
                    folder.display()
                )),
                Some(_) => None,
            }
        })?;
        Some(format!("automations that wait for commits are off: {unseen}"))
    }
}
