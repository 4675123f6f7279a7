//! Watches the folders that automations and agents need, and applies the watcher's events.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use automation::{Trigger, Unwatched};

use super::Server;
use crate::changes::FileChanges;
use crate::editor_files::is_editor_file;
use crate::note::Note;
use crate::poller::Poller;
use crate::watcher::{WatchError, Watcher};

/// A file in a new folder counts as saved if it was written this recently: a folder that was moved or
/// unpacked contains files that no user saved.
const JUST_WRITTEN: Duration = Duration::from_secs(10);

impl Server<'_> {
    pub(super) fn apply_file_changes(&mut self, changes: FileChanges, moment: Instant) {
        if changes.overflowed {
            self.log_problem("OVERFLOW", "the system dropped file events; scanning all files once".into());
            self.catch_up(moment);
        }
        let since = self.seen_until;
        self.seen_until = store::system_time();
        for path in changes.gone.iter().chain(&changes.folders).chain(&changes.written) {
            self.agents.note(path, moment);
            self.presence.touch(path, moment);
        }
        for (from, to) in &changes.moved {
            self.presence.note_move(from, to, moment);
        }
        self.forget_watches(changes.gone.iter().chain(&changes.folders));
        // The system may report events out of order, so the state on disk decides.
        let back = changes.gone.iter().filter(|path| path.is_dir());
        for folder in back.chain(&changes.folders) {
            self.watch_new_folder(folder, moment, since);
        }
        if changes.written.iter().chain(&changes.gone).any(|path| path.ends_with(".gitignore")) {
            self.tree.forget_rules();
            // Ignored folders may not be ignored any more.
            self.watch_all();
        }
        for path in changes.written {
            self.written(path, moment);
        }
    }

    /// Finds the files that were written since the last known event, by their modification times.
    fn catch_up(&mut self, moment: Instant) {
        self.agents.note_all(moment);
        // File times are coarser than the clock.
        let since = self.seen_until.checked_sub(Duration::from_secs(1)).unwrap_or(self.seen_until);
        // Folders may have been deleted and recreated without an event, which removes their watches.
        self.watched.clear();
        self.watch_all();
        if !self.needs_file_events() {
            return;
        }
        let is_later = |entry: &ignore::DirEntry| {
            let written = entry.metadata().ok().and_then(|meta| meta.modified().ok());
            entry.file_type().is_some_and(|kind| kind.is_file()) && written.is_some_and(|at| at >= since)
        };
        for entry in self.tree.walk().filter(is_later) {
            self.written(entry.into_path(), moment);
        }
        if self.presence.is_started() {
            let now = self.existing_files();
            for path in self.presence.files().iter().chain(&now) {
                self.presence.touch(path, moment);
            }
        }
    }

    /// Returns all files that count.
    fn existing_files(&self) -> BTreeSet<PathBuf> {
        let files = self.tree.walk().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
        files.map(ignore::DirEntry::into_path).filter(|path| !is_editor_file(path)).collect()
    }

    /// Scans all files if an automation is about new, deleted or renamed ones, and no other did before.
    fn start_presence(&mut self) {
        let is_needed = self.configuration.has_trigger(Trigger::is_about_presence);
        if is_needed != self.presence.is_started() {
            let files = is_needed.then(|| self.existing_files());
            self.presence.set(files);
        }
    }

    fn written(&mut self, path: PathBuf, moment: Instant) {
        if self.is_save(&path) {
            self.saves.touch(path, moment);
        }
    }

    /// Returns whether a write of this file counts as a save of the project.
    pub(super) fn is_save(&mut self, path: &Path) -> bool {
        let is_ours = path.starts_with(self.workspace.tmp_dir().as_path());
        !is_ours && !is_editor_file(path) && self.tree.relevant(path).is_some()
    }

    /// Drops the watches of folders that were deleted or recreated: the system has removed them
    /// together with the folder.
    fn forget_watches<'p>(&mut self, ended: impl Iterator<Item = &'p PathBuf>) {
        let ended: Vec<&PathBuf> = ended.filter(|path| self.watched.contains(*path)).collect();
        if !ended.is_empty() {
            self.watched.retain(|folder| !folder.ancestors().any(|it| ended.iter().any(|end| *end == it)));
        }
    }

    /// Finds the repositories of commit triggers, and logs if commits of one cannot be detected.
    pub(super) fn find_repositories(&mut self) {
        self.repositories.find(self.workspace.root().as_path(), &self.configuration);
        for folder in self.repositories.folders() {
            self.watch(&folder);
        }
        let problem = self.repositories.problem();
        if problem != self.no_commits {
            if let Some(message) = &problem {
                self.log(Note::error("NO_COMMITS", message.clone()));
            }
            self.no_commits = problem;
        }
    }

    /// Watches every folder that automations and agents need, each once.
    pub(super) fn watch_all(&mut self) {
        if self.watcher.is_none() {
            match Watcher::new(self.changes.clone(), self.wake.clone()) {
                Ok(watcher) => self.watcher = Some(watcher),
                Err(error) => {
                    let message = format!(
                        "cannot watch files ({error}), polling them every few seconds instead; \
                         raise fs.inotify.max_user_instances if other programs use all instances"
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
        if self.needs_file_events() {
            let root = self.workspace.root().as_path().to_path_buf();
            self.watch_tree(&root, None);
        }
        // After the watches: a file that appears in between is seen by them.
        self.start_presence();
    }

    /// Watches a new folder if automations or agents need it.
    fn watch_new_folder(&mut self, folder: &Path, moment: Instant, since: SystemTime) {
        if self.agents.concerns(folder) {
            for folder in self.agents.watched() {
                self.watch(&folder);
            }
        }
        let tmp = self.workspace.tmp_dir();
        if tmp.as_path().starts_with(folder) || folder.starts_with(tmp.as_path()) {
            // A new session, or the whole state folder after `git clean`.
            self.watch_all();
        } else if self.needs_file_events() && self.tree.includes_folder(folder) {
            self.watch_tree(folder, Some((moment, since)));
        }
    }

    fn needs_file_events(&self) -> bool {
        let is_about_files = |trigger: &Trigger| {
            matches!(trigger, Trigger::FileSaved { .. } | Trigger::SpecStatus { .. })
                || trigger.is_about_presence()
        };
        self.configuration.has_trigger(is_about_files)
    }

    /// Watches a folder and its relevant subfolders. With `appeared`, files in them count as saved at
    /// the given moment if they were written recently or since the given time.
    ///
    /// WHY each folder is watched before it is read: a file that appears in between is then seen twice
    /// instead of never.
    fn watch_tree(&mut self, folder: &Path, appeared: Option<(Instant, SystemTime)>) {
        let mut open = vec![folder.to_path_buf()];
        while let Some(folder) = open.pop() {
            if !self.watch(&folder) {
                return;
            }
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let Ok(kind) = entry.file_type() else { continue };
                let path = entry.path();
                if kind.is_dir() && self.tree.includes_folder(&path) {
                    open.push(path);
                } else if let Some((moment, since)) = appeared
                    && kind.is_file()
                {
                    self.presence.touch(&path, moment);
                    if is_new(&entry, since) {
                        self.written(path, moment);
                    }
                }
            }
        }
    }

    /// Watches one folder, once. Returns whether more folders can be watched.
    fn watch(&mut self, folder: &Path) -> bool {
        if self.poller.is_some() && self.watcher.is_none() {
            return false;
        }
        let Some(watcher) = &mut self.watcher else {
            self.poller = Some(Poller::start(&self.tree));
            return false;
        };
        if self.watched.contains(folder) || !folder.is_dir() {
            return true;
        }
        let is_full = self.setup.max_watches.is_some_and(|most| self.watched.len() >= most);
        match if is_full { Err(WatchError::LimitReached) } else { watcher.watch(folder) } {
            Ok(()) => {
                self.watched.insert(folder.to_path_buf());
                true
            }
            Err(WatchError::ThisFolder) => true,
            Err(WatchError::LimitReached) => {
                if self.poller.is_none() {
                    self.poller = Some(Poller::start(&self.tree));
                    let why = match self.setup.max_watches.filter(|_| is_full) {
                        Some(most) => {
                            format!("cannot watch more than {most} folders (--max-watches)")
                        }
                        None => format!(
                            "cannot watch more than {} folders (fs.inotify.max_user_watches, for all programs together)",
                            self.watched.len()
                        ),
                    };
                    let message = format!(
                        "{why}, polling files every few seconds instead; raise the limit to watch them"
                    );
                    self.unwatched("WATCH_LIMIT", message);
                }
                false
            }
        }
    }

    /// Logs why files are not watched and stores it in the server's record for other commands.
    fn unwatched(&mut self, code: &'static str, message: String) {
        // On a full disk only the log has it.
        let _ = self.lock.set_unwatched(Unwatched { code: code.to_owned(), message: message.clone() });
        self.log_problem(code, message);
    }

    /// Updates the registry of agents once changes have settled. Returns when the next check is due.
    pub(super) fn refresh_agents(&mut self, moment: Instant) -> Instant {
        self.agents.scan(moment);
        if self.agents.is_due(moment) {
            let world = (self.setup.agents)();
            for note in self.agents.refresh(&world, &self.workspace) {
                self.log(note);
            }
            for folder in self.agents.watched() {
                self.watch(&folder);
            }
            self.update_rows();
        }
        self.agents.next()
    }
}

fn is_new(entry: &fs::DirEntry, since: SystemTime) -> bool {
    let written = entry.metadata().and_then(|meta| meta.modified());
    // A time in the future means that the clock jumped, so the file counts as new. After a long gap
    // without events, such as a sleep of the machine, `since` covers the whole gap.
    written.is_ok_and(|at| at >= since || at.elapsed().map_or(true, |age| age < JUST_WRITTEN))
}
