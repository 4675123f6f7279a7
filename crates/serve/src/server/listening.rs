//! What is watched, and what is made of what the watcher saw.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use automation::{Trigger, Unwatched};

use super::Serving;
use crate::by_products::is_by_product;
use crate::changes::Seen;
use crate::note::Note;
use crate::polling::Polling;
use crate::watcher::{WatchTrouble, Watcher};

/// A file in a folder that has just appeared counts as saved if it was written this recently:
/// a folder that was moved or unpacked brings files along that nobody has saved.
const JUST_WRITTEN: Duration = Duration::from_secs(10);

impl Serving<'_> {
    pub(super) fn hear_of(&mut self, seen: Seen, moment: Instant) {
        if seen.overflowed {
            self.trouble("OVERFLOW", "the system dropped file events; looking at all files once".into());
            self.catch_up(moment);
        }
        let since = self.heard_until;
        self.heard_until = SystemTime::now();
        for path in seen.gone.iter().chain(&seen.folders).chain(&seen.written) {
            self.agents.note(path, moment);
        }
        self.forget_watches(seen.gone.iter().chain(&seen.folders));
        // Whatever the order in which the system tells it: what is there now is there.
        let back = seen.gone.iter().filter(|path| path.is_dir());
        for folder in back.chain(&seen.folders) {
            self.listen_in(folder, moment, since);
        }
        if seen.written.iter().chain(&seen.gone).any(|path| path.ends_with(".gitignore")) {
            self.tree.forget_rules();
            // Folders that were ignored may not be any more.
            self.listen();
        }
        for path in seen.written {
            self.written(path, moment);
        }
    }

    /// Finds by their times the files that were written since events were last heard.
    fn catch_up(&mut self, moment: Instant) {
        self.agents.note_all(moment);
        // Times of files are coarser than those of clocks.
        let since = self.heard_until.checked_sub(Duration::from_secs(1)).unwrap_or(self.heard_until);
        // Folders may have gone and come back without a word, and their watches with them.
        self.watched.clear();
        self.listen();
        if !self.waits_for_files() {
            return;
        }
        let is_later = |entry: &ignore::DirEntry| {
            let written = entry.metadata().ok().and_then(|meta| meta.modified().ok());
            entry.file_type().is_some_and(|kind| kind.is_file()) && written.is_some_and(|at| at >= since)
        };
        for entry in self.tree.walk().filter(is_later) {
            self.written(entry.into_path(), moment);
        }
    }

    fn written(&mut self, path: PathBuf, moment: Instant) {
        let is_ours = path.starts_with(self.workspace.tmp_dir().as_path());
        if !is_ours && !is_by_product(&path) && self.tree.relevant(&path).is_some() {
            self.saves.touch(path, moment);
        }
    }

    /// Forgets the watches of folders that are gone or were made anew: the system has taken
    /// them off with the folder they were on.
    fn forget_watches<'p>(&mut self, ended: impl Iterator<Item = &'p PathBuf>) {
        let ended: Vec<&PathBuf> = ended.filter(|path| self.watched.contains(*path)).collect();
        if !ended.is_empty() {
            self.watched.retain(|folder| !folder.ancestors().any(|it| ended.iter().any(|end| *end == it)));
        }
    }

    /// Finds the repositories whose commits are waited for, and says if one cannot be had.
    pub(super) fn find_repositories(&mut self) {
        self.repositories.find(self.workspace.root().as_path(), &self.configuration);
        for folder in self.repositories.folders() {
            self.watch(&folder);
        }
        let trouble = self.repositories.trouble();
        if trouble != self.no_commits {
            if let Some(message) = &trouble {
                self.tell(Note::error("NO_COMMITS", message.clone()));
            }
            self.no_commits = trouble;
        }
    }

    /// Watches what somebody waits for, each folder once.
    pub(super) fn listen(&mut self) {
        if self.watcher.is_none() {
            match Watcher::new(self.changes.clone(), self.wake.clone()) {
                Ok(watcher) => self.watcher = Some(watcher),
                Err(error) => {
                    let message = format!(
                        "the system watches no files ({error}), so they are looked at every few seconds instead; \
                         raise fs.inotify.max_user_instances if other programs watch too many"
                    );
                    self.unwatched("WATCHER", message);
                }
            }
        }
        self.watched.retain(|folder| folder.is_dir());
        self.find_repositories();
        let automation_dir = self.workspace.automation_dir();
        let mut folders =
            vec![self.workspace.tmp_dir().as_path().to_path_buf(), automation_dir.as_path().to_path_buf()];
        folders.extend(self.repositories.folders());
        let sessions = self.workspace.sessions().unwrap_or_default();
        folders
            .extend(sessions.into_iter().map(|id| self.workspace.session(id).root().as_path().to_path_buf()));
        folders.extend(self.agents.watched());
        for folder in folders {
            self.watch(&folder);
        }
        if self.waits_for_files() {
            let root = self.workspace.root().as_path().to_path_buf();
            self.watch_tree(&root, None);
        }
    }

    /// Watches a folder that has appeared, if anything in it is waited for.
    fn listen_in(&mut self, folder: &Path, moment: Instant, since: SystemTime) {
        if self.agents.concerns(folder) {
            for folder in self.agents.watched() {
                self.watch(&folder);
            }
        }
        let tmp = self.workspace.tmp_dir();
        if tmp.as_path().starts_with(folder) || folder.starts_with(tmp.as_path()) {
            // Sessions, or all of our own folder after `git clean`.
            self.listen();
        } else if self.waits_for_files() && self.tree.counts_folder(folder) {
            self.watch_tree(folder, Some((moment, since)));
        }
    }

    fn waits_for_files(&self) -> bool {
        self.configuration
            .waits_for(|trigger| matches!(trigger, Trigger::FileSaved { .. } | Trigger::SpecStatus { .. }))
    }

    /// Watches a folder and all in it that count. With a moment, files that were written before
    /// their folder was watched count as saved then, if they are new or written since the other.
    ///
    /// WHY each folder is watched before it is read: what appears in between is seen twice, not never.
    fn watch_tree(&mut self, folder: &Path, appeared: Option<(Instant, SystemTime)>) {
        let mut open = vec![folder.to_path_buf()];
        while let Some(folder) = open.pop() {
            if !self.watch(&folder) {
                return;
            }
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let Ok(kind) = entry.file_type() else { continue };
                let path = entry.path();
                if kind.is_dir() && self.tree.counts_folder(&path) {
                    open.push(path);
                } else if let Some((moment, since)) = appeared
                    && kind.is_file()
                    && is_new(&entry, since)
                {
                    self.written(path, moment);
                }
            }
        }
    }

    /// Watches one folder, once; returns whether more can be watched.
    fn watch(&mut self, folder: &Path) -> bool {
        if self.polling.is_some() && self.watcher.is_none() {
            return false;
        }
        let Some(watcher) = &mut self.watcher else {
            self.polling = Some(Polling::begin(&self.tree));
            return false;
        };
        if self.watched.contains(folder) || !folder.is_dir() {
            return true;
        }
        let is_full = self.setup.max_watches.is_some_and(|most| self.watched.len() >= most);
        match if is_full { Err(WatchTrouble::LimitReached) } else { watcher.watch(folder) } {
            Ok(()) => {
                self.watched.insert(folder.to_path_buf());
                true
            }
            Err(WatchTrouble::ThisFolder) => true,
            Err(WatchTrouble::LimitReached) => {
                if self.polling.is_none() {
                    self.polling = Some(Polling::begin(&self.tree));
                    let why = match self.setup.max_watches.filter(|_| is_full) {
                        Some(most) => {
                            format!("no more than {most} folders are to be watched (--max-watches)")
                        }
                        None => format!(
                            "the system watches no more folders than these {} (fs.inotify.max_user_watches, for all \
                             programs together)",
                            self.watched.len()
                        ),
                    };
                    let message = format!(
                        "{why}, so files are looked at every few seconds instead; a higher limit changes that"
                    );
                    self.unwatched("WATCH_LIMIT", message);
                }
                false
            }
        }
    }

    /// Says why files are not watched, here and to those who ask how it stands.
    fn unwatched(&mut self, code: &'static str, message: String) {
        // Without room for it the log is the only one to know.
        let _ = self.lock.tell_unwatched(Unwatched { code: code.to_owned(), message: message.clone() });
        self.trouble(code, message);
    }

    /// Brings the registry of agents up to date once changes have come to rest. Returns when to
    /// look again.
    pub(super) fn look_at_agents(&mut self, moment: Instant) -> Instant {
        self.agents.scan(moment);
        if self.agents.is_due(moment) {
            let world = (self.setup.agents)();
            for note in self.agents.look(&world, &self.workspace) {
                self.tell(note);
            }
            for folder in self.agents.watched() {
                self.watch(&folder);
            }
        }
        self.agents.next()
    }
}

fn is_new(entry: &fs::DirEntry, since: SystemTime) -> bool {
    let written = entry.metadata().and_then(|meta| meta.modified());
    // A time to come is a clock that jumped, and as new as can be. Who heard nothing for longer, such as while
    // the machine slept, has more to catch up with.
    written.is_ok_and(|at| at >= since || at.elapsed().map_or(true, |age| age < JUST_WRITTEN))
}
