//! Detects the occurrences since the last step and offers them to the engine.

use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use automation::{Occurrence, OccurrenceKind, Trigger};
use event::EventName;

use super::Server;
use super::attribution::{changed_at, content_of};
use crate::editor_files::is_editor_file;
use crate::note::Note;
use crate::presence::PresenceChange;
use crate::schedules;

/// For how long after a git command settled files may have been written by git.
const GIT_WROTE: Duration = Duration::from_secs(10);

impl Server<'_> {
    fn anchor_trace(&mut self) {
        match (self.setup.anchor_trace)() {
            Ok(true) => self.log(Note::info("ANCHORED", "anchored the trace and the journals")),
            Ok(false) => {}
            Err(why) => self.log(Note::warning("ANCHOR", format!("cannot anchor the trace: {why}"))),
        }
    }

    /// Reads new events from sessions, repositories and saved files, and offers them to the engine.
    pub(super) fn offer_new_occurrences(&mut self, moment: Instant) {
        let new = self.sessions.read_new(&self.workspace);
        let (mut occurrences, marks) = (new.occurrences, new.marks);
        for occurrence in &mut occurrences {
            self.specs.describe(self.workspace.root(), occurrence);
        }
        self.engine.set_read_offsets(new.read);
        if occurrences.iter().any(|occurrence| ends_turn(&occurrence.kind)) {
            self.anchor_trace();
        }
        if self.repositories.are_stale() {
            self.find_repositories();
        }
        let moves = self.repositories.read_new();
        if moves.wrote_files.is_some() || !moves.commits.is_empty() {
            self.engine.set_read_offsets(self.repositories.read_so_far());
        }
        if let Some(until) = moves.wrote_files {
            self.git_wrote = Some((moment, until));
            // A status that differs between branches is not a change of the status.
            self.specs.read_all(self.workspace.root());
            self.tree.forget_rules();
            self.watch_all();
        }
        self.note_runs();
        for mark in &marks {
            self.authorship.note_hook(mark);
        }
        for commit in moves.commits {
            let at = self.repositories.written_at(&commit.kind);
            self.offer_attributed(commit.kind, at, None);
        }
        if !self.repositories.are_busy(moment) {
            // After a clock change, file times cannot be compared.
            self.git_wrote = self.git_wrote.filter(|(seen, _)| moment < *seen + GIT_WROTE);
            self.offer_presence(moment);
            for path in self.saves.settled(moment) {
                self.saved(&path);
            }
        }
        self.rule_on_held(moment);
        if !occurrences.is_empty() {
            self.engine.offer(occurrences);
        }
    }

    /// Offers the files that appeared, disappeared or were renamed.
    fn offer_presence(&mut self, moment: Instant) {
        let (tree, tmp) = (&mut self.tree, self.workspace.tmp_dir());
        let mut counts = |path: &Path| {
            !path.starts_with(tmp.as_path())
                && !is_editor_file(path)
                && tree.relevant(path).is_some()
                && path.is_file()
        };
        for change in self.presence.settled(moment, &mut counts) {
            let (changed, reported) = match &change {
                PresenceChange::Created(path) | PresenceChange::Renamed { to: path, .. } => {
                    (path.as_path(), None)
                }
                PresenceChange::Deleted(path, reported) => (folder_left(path), Some(*reported)),
            };
            // Switching a branch creates and deletes files, too.
            if self.git_wrote.is_some_and(|(_, until)| !is_written_after(changed, until)) {
                continue;
            }
            // A deletion changes the folder; a later change in the same folder hides when.
            let at = reported.map_or_else(
                || changed_at(changed),
                |reported| {
                    let ago = moment.saturating_duration_since(reported);
                    let reported = store::system_time().checked_sub(ago).unwrap_or(SystemTime::UNIX_EPOCH);
                    changed_at(changed).min(reported)
                },
            );
            let Some(kind) = self.kind_of(change) else { continue };
            self.offer_attributed(kind, at, None);
        }
    }

    fn kind_of(&mut self, change: PresenceChange) -> Option<OccurrenceKind> {
        let mut below = |path: &Path| self.tree.relevant(path);
        Some(match change {
            PresenceChange::Created(path) => OccurrenceKind::FileCreated { path: below(&path)? },
            PresenceChange::Deleted(path, _) => OccurrenceKind::FileDeleted { path: below(&path)? },
            PresenceChange::Renamed { from, to } => {
                OccurrenceKind::FileRenamed { path: below(&to)?, old_path: below(&from)? }
            }
        })
    }

    /// Takes the scheduled automations of the configuration.
    pub(super) fn set_schedules(&mut self) {
        let scheduled =
            self.configuration.automations().filter(|it| it.enabled).filter_map(|it| match &it.trigger {
                Trigger::Schedule { schedule } => Some((&it.id, schedule)),
                _ => None,
            });
        let engine = &self.engine;
        let clocks = (store::now(), Instant::now());
        let stored = self.schedules.set(scheduled, &|source| engine.read_offset(source), clocks);
        self.engine.set_read_offsets(stored);
        self.engine.flush_read_offsets();
    }

    /// Offers the automations whose time has come. Returns when the next time comes.
    pub(super) fn offer_scheduled(&mut self, moment: Instant) -> Option<Instant> {
        // Times without trust pass.
        for due in self.schedules.due(store::now(), moment) {
            self.engine.set_read_offsets([(schedules::source(&due.hook), store::now().as_millis())]);
            if self.is_permitted {
                let occurrence =
                    Occurrence::new(store::now(), OccurrenceKind::Scheduled { due: due.at.as_millis() });
                self.engine.offer_to(&due.hook, &occurrence);
            }
        }
        self.schedules.next(store::now(), moment)
    }

    fn saved(&mut self, path: &Path) {
        let Some(relevant) = self.tree.relevant(path).filter(|_| path.is_file()) else { return };
        // Switching a branch is not a save, although git writes files.
        if self.git_wrote.is_some_and(|(_, until)| !is_written_after(path, until)) {
            return;
        }
        let (at, content) = (changed_at(path), content_of(path));
        if let Some(status) = self.specs.check(self.workspace.root(), &relevant) {
            self.offer_attributed(status, at, content);
        }
        self.offer_attributed(OccurrenceKind::FileSaved { path: relevant }, at, content);
    }
}

/// Returns whether a file was written after this time.
fn is_written_after(path: &Path, moment: SystemTime) -> bool {
    let written = std::fs::metadata(path).and_then(|meta| meta.modified());
    written.is_ok_and(|at| at > moment)
}

/// Returns whether an agent program ended its turn.
fn ends_turn(kind: &OccurrenceKind) -> bool {
    matches!(kind, OccurrenceKind::Host { event: EventName::Stop, .. })
}

/// Returns the nearest folder above a deleted file that still exists.
fn folder_left(path: &Path) -> &Path {
    path.ancestors().skip(1).find(|it| it.is_dir()).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_git_s_unless_it_was_written_after_git_was_done() {
        let dir = tempfile::tempdir().unwrap();
        let moment = store::system_time();
        for (name, written, is_after) in
            [("git", moment, false), ("mine", moment + Duration::from_millis(1), true)]
        {
            let path = dir.path().join(name);
            std::fs::File::create(&path).unwrap().set_modified(written).unwrap();
            assert_eq!(is_written_after(&path, moment), is_after, "{name}");
        }
        assert!(!is_written_after(&dir.path().join("gone"), moment));
    }
}
