//! What happened since the last look, as the engine is told of it.

use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use automation::What;

use super::Serving;
use super::causing::{changed_at, content_of};

/// For how long files that come to rest may have been written by git.
const GIT_WROTE: Duration = Duration::from_secs(10);

impl Serving<'_> {
    /// Reads off the watched files what has happened, and hands it to the engine.
    pub(super) fn offer_what_happened(&mut self, moment: Instant) {
        let news = self.sessions.look(&self.workspace);
        let occurrences = news.occurrences;
        self.engine.follow(news.read);
        if self.repositories.are_stale() {
            self.find_repositories();
        }
        let moves = self.repositories.look();
        if moves.wrote_files.is_some() || !moves.commits.is_empty() {
            self.engine.follow(self.repositories.read_so_far());
        }
        if let Some(until) = moves.wrote_files {
            self.git_wrote = Some((moment, until));
            // A status that came with a branch is nobody's change.
            self.specs.learn(self.workspace.root());
            self.tree.forget_rules();
            self.listen();
        }
        self.note_runs();
        for commit in moves.commits {
            let at = self.repositories.written_at(&commit.what);
            self.offer_what(commit.what, at, None);
        }
        if !self.repositories.are_busy(moment) {
            // Times of files tell nothing once a clock was set.
            self.git_wrote = self.git_wrote.filter(|(seen, _)| moment < *seen + GIT_WROTE);
            for path in self.saves.settled(moment) {
                self.saved(&path);
            }
        }
        self.rule_on_held();
        if !occurrences.is_empty() {
            self.engine.offer(occurrences);
        }
    }

    fn saved(&mut self, path: &Path) {
        let Some(relevant) = self.tree.relevant(path).filter(|_| path.is_file()) else { return };
        // Another branch is not a save, however many files it writes.
        if self.git_wrote.is_some_and(|(_, until)| !is_written_after(path, until)) {
            return;
        }
        let (at, content) = (changed_at(path), content_of(path));
        if let Some(status) = self.specs.look(self.workspace.root(), &relevant) {
            self.offer_what(status, at, content);
        }
        self.offer_what(What::FileSaved { path: relevant }, at, content);
    }
}

/// Returns whether a file was written after this moment.
fn is_written_after(path: &Path, moment: SystemTime) -> bool {
    let written = std::fs::metadata(path).and_then(|meta| meta.modified());
    written.is_ok_and(|at| at > moment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_git_s_unless_it_was_written_after_git_was_done() {
        let dir = tempfile::tempdir().unwrap();
        let moment = SystemTime::now();
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
