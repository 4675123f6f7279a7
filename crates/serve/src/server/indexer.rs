//! Updates the history index while runs end, so that a search need not read a day's runs first.

use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use automation::HistoryLimits;
use store::Workspace;

use super::deletion::{FileId, file_id};
use crate::history::History;

/// The shortest time between two updates.
const EVERY: Duration = Duration::from_secs(2);
/// How much of the sessions' journals is read in one transaction, and the time between two: long enough for a process
/// that waits to write, since the database tries again every 100 ms.
const SESSION_STEP: u64 = 1024 * 1024;
const SESSION_PAUSE: Duration = Duration::from_millis(150);

/// A thread that updates the index.
#[derive(Debug)]
pub(super) struct Indexer {
    wake: SyncSender<HistoryLimits>,
    /// The number of ended runs at the last update.
    n_ended: Option<u64>,
    not_before: Instant,
}

/// The index, open between updates.
///
/// WHY opened before the server reports that it started, and not for each update: opening it creates files, and
/// `rm -rf` and `git clean` fail if a file appears in a folder that they are emptying.
struct OpenIndex {
    open: Option<(History, FileId)>,
}

impl OpenIndex {
    fn of(workspace: &Workspace) -> Self {
        Self { open: with_file_id(History::open_as_it_is(workspace).ok(), workspace) }
    }

    /// Adds the runs that ended. After a failure, such as on a full disk, the next update or search catches up.
    fn update(&mut self, workspace: &Workspace) {
        let current = file_id(workspace.automation_history().as_path());
        match &mut self.open {
            // A user deleted the index, perhaps with the workspace: the next update creates it again.
            Some((_, id)) if current.as_ref() != Some(id) => self.open = None,
            Some((history, _)) => {
                if history.catch_up().is_err() {
                    self.open = None;
                }
            }
            None => self.open = with_file_id(History::open(workspace).ok(), workspace),
        }
    }

    /// Adds the next runs of sessions. Returns whether more are left. After a failure the next update tries again.
    fn add_sessions(&mut self) -> bool {
        let Some((history, id)) = &mut self.open else { return false };
        // Of a deleted index, only `update` may create another.
        if file_id(history.path().as_path()).as_ref() != Some(id) {
            return false;
        }
        let indexed = history.index_sessions(SESSION_STEP);
        if indexed.is_err() {
            self.open = None;
        }
        indexed.unwrap_or(false)
    }

    /// Removes rotated journals beyond the limits. After a failure the next update tries again.
    fn remove_expired(&mut self, limits: HistoryLimits) {
        if let Some((history, _)) = &mut self.open
            && history.remove_expired(limits, store::system_time()).is_err()
        {
            self.open = None;
        }
    }
}

fn with_file_id(history: Option<History>, workspace: &Workspace) -> Option<(History, FileId)> {
    history.zip(file_id(workspace.automation_history().as_path()))
}

impl Indexer {
    /// Opens the index and starts the thread that updates it.
    pub(super) fn start(workspace: Workspace) -> Self {
        let (wake, requests) = sync_channel(1);
        let mut index = OpenIndex::of(&workspace);
        thread::spawn(move || {
            let mut pause = EVERY;
            loop {
                match requests.recv_timeout(pause) {
                    Ok(limits) => {
                        index.update(&workspace);
                        index.remove_expired(limits);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return,
                }
                pause = if index.add_sessions() { SESSION_PAUSE } else { EVERY };
            }
        });
        Self { wake, n_ended: None, not_before: Instant::now() }
    }

    /// Starts an update if the number of ended runs has changed. Returns when to call it again if the
    /// last update was too recent.
    pub(super) fn runs_ended(
        &mut self,
        n_ended: u64,
        moment: Instant,
        limits: HistoryLimits,
    ) -> Option<Instant> {
        if self.n_ended == Some(n_ended) {
            return None;
        }
        if moment < self.not_before {
            return Some(self.not_before);
        }
        // A queued update that has not started will also read the latest runs.
        let _ = self.wake.try_send(limits);
        self.n_ended = Some(n_ended);
        self.not_before = moment + EVERY;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_follows_when_runs_end_but_not_at_once_after_the_last() {
        let (wake, requests) = sync_channel(1);
        let start = Instant::now();
        let limits = HistoryLimits::default();
        let mut indexer = Indexer { wake, n_ended: None, not_before: start };
        assert_eq!(
            (indexer.runs_ended(0, start, limits), requests.try_recv()),
            (None, Ok(limits)),
            "at the start"
        );
        assert_eq!(indexer.runs_ended(0, start + EVERY * 9, limits), None);
        assert!(requests.try_recv().is_err(), "nothing ended");
        assert_eq!(
            (indexer.runs_ended(1, start + EVERY * 9, limits), requests.try_recv()),
            (None, Ok(limits))
        );
        assert_eq!(indexer.runs_ended(2, start + EVERY * 9, limits), Some(start + EVERY * 10));
        assert!(requests.try_recv().is_err(), "too soon");
        assert_eq!(
            (indexer.runs_ended(2, start + EVERY * 10, limits), requests.try_recv()),
            (None, Ok(limits))
        );
    }
}
