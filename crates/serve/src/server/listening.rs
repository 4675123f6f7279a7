//! What is watched, and what is made of what the watcher saw.

use std::time::Instant;

use automation::Trigger;

use super::{Serving, TICK};
use crate::by_products::is_by_product;
use crate::changes::Seen;
use crate::commits::Commits;
use crate::polling::Polling;
use crate::watcher::{WatchTrouble, Watcher};

impl Serving<'_> {
    pub(super) fn hear_of(&mut self, seen: Seen, moment: Instant) {
        if seen.overflowed {
            self.trouble("OVERFLOW", "the system dropped file events; looking at all files once".into());
            self.polling.get_or_insert_with(|| Polling::begin(&self.tree));
        }
        if !seen.folders.is_empty() {
            self.listen();
            // Files that were written before the folder was watched.
            for folder in &seen.folders {
                let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
                for path in entries.map(|entry| entry.path()).filter(|path| path.is_file()) {
                    self.saves.touch(path, moment);
                }
            }
        }
        for path in seen.written {
            if path.file_name().is_some_and(|name| name == ".gitignore") {
                self.tree.forget_rules();
            }
            let is_ours = path.starts_with(self.workspace.tmp_dir().as_path());
            if !is_ours && !is_by_product(&path) && self.tree.relevant(&path).is_some() {
                self.saves.touch(path, moment);
            }
        }
    }

    /// Watches what somebody waits for, each folder once.
    pub(super) fn listen(&mut self) {
        let waits_for_files = self
            .configuration
            .waits_for(|trigger| matches!(trigger, Trigger::FileSaved { .. } | Trigger::SpecStatus { .. }));
        if self.watcher.is_none() {
            match Watcher::new(self.changes.clone(), self.wake.clone()) {
                Ok(watcher) => self.watcher = Some(watcher),
                Err(error) => {
                    self.trouble(
                        "WATCHER",
                        format!("files are looked at every {} s instead: {error}", TICK.as_secs()),
                    );
                }
            }
        }
        let automation_dir = self.workspace.automation_dir();
        let mut folders =
            vec![self.workspace.tmp_dir().as_path().to_path_buf(), automation_dir.as_path().to_path_buf()];
        folders.extend(self.commits.as_ref().map(Commits::folder));
        let sessions = self.workspace.sessions().unwrap_or_default();
        folders
            .extend(sessions.into_iter().map(|id| self.workspace.session(id).root().as_path().to_path_buf()));
        let files = if waits_for_files { self.tree.folders() } else { Vec::new() };
        self.watched.retain(|folder| folder.is_dir());
        let Some(watcher) = &mut self.watcher else {
            if waits_for_files {
                self.polling.get_or_insert_with(|| Polling::begin(&self.tree));
            }
            return;
        };
        let mut limit_reached = false;
        for folder in folders.into_iter().chain(files) {
            if !folder.is_dir() || self.watched.contains(&folder) {
                continue;
            }
            match watcher.watch(&folder) {
                Ok(()) => drop(self.watched.insert(folder)),
                Err(WatchTrouble::ThisFolder) => {}
                Err(WatchTrouble::LimitReached) => {
                    limit_reached = true;
                    break;
                }
            }
        }
        if limit_reached && self.polling.is_none() {
            self.polling = Some(Polling::begin(&self.tree));
            let message = "the system watches no more folders, so files are looked at every few seconds instead; \
                           raise fs.inotify.max_user_watches to change that";
            self.trouble("WATCH_LIMIT", message.into());
        }
    }
}
