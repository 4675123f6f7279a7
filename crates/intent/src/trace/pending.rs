//! The pending calls: permitted calls that have not ended yet, with the previous contents of their
//! files.
//!
//! One file per session, with a frame for each call. WHY one: calls come and go quickly, and creating
//! and removing a file is the most expensive step on a busy disk.
//!
//! A call ends when its host reports it. A call without a reported end (the host was killed, the user
//! refused it, our own process was killed) is found again when its agent's turn ends.
//!
//! INVARIANT: only the holder of the file's lock settles a call, and removes it only afterwards.

pub(crate) mod call_record;
mod frames;

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::time::Duration;

use event::{AbsPath, Access};
use store::{lock_patiently, no_follow};

use super::Before;
use crate::journal::CallPending;
use crate::{FileSystemTime, IntentId, Watched};
use frames::{Frame, Key};

/// A pending call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingCall {
    /// The intent that permitted it; `None` if it needed none.
    pub intent_id: Option<IntentId>,
    /// Our id of the agent.
    pub agent: String,
    /// The tool, in the host's spelling.
    pub tool: String,
    /// Whether it may change more than the listed files.
    pub changes_more: bool,
    /// Whether it certainly leaves a job in the background.
    pub background: bool,
    /// Whether the records from before it are gone, so that every file counts as changed.
    pub lost_records: bool,
    /// The watched files before it, if it may change more than the listed files.
    pub watched: Option<Watched>,
    /// The files it will touch.
    pub files: Vec<PendingFile>,
}

/// A file that a call will touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingFile {
    /// The path as written, relative to the workspace.
    pub written: String,
    /// The resolved path, relative to the workspace.
    pub real: String,
    /// The kind of access.
    pub access: Access,
    /// Its previous content.
    pub before: Before,
}

/// The most files of a call that are stored; a call with more is searched for changes afterwards.
pub const MAX_PENDING_FILES: usize = call_record::MAX_FILES;

/// The pending calls of a session.
#[derive(Debug, Clone)]
pub struct PendingCalls {
    file: AbsPath,
}

/// A pending call with its key and start time.
#[derive(Debug)]
pub struct Found {
    /// The key of the call.
    pub key: String,
    /// The call.
    pub call: PendingCall,
    /// The start time.
    pub began: FileSystemTime,
    /// The record in the journal, unless another program changed the file.
    pub recorded: CallPending,
}

/// The lock for settling calls: no other process adds or settles one while it exists.
#[derive(Debug)]
pub struct HeldCalls {
    /// Holds the lock.
    file: File,
}

impl PendingCalls {
    /// Stores calls in this file, which is created for the first call.
    pub fn in_file(file: AbsPath) -> Self {
        Self { file }
    }

    /// Stores a call under a key of hex digits, waiting at most `timeout` for other processes. Returns what the
    /// journal records of it.
    pub fn keep(&self, key: &str, call: &PendingCall, timeout: Duration) -> io::Result<CallPending> {
        let write = || no_follow::options().read(true).write(true).create(true).open(self.file.as_path());
        let file = match write() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.file.as_path().parent().map_or(Ok(()), store::create_folder)?;
                write()?
            }
            other => other?,
        };
        if !lock_patiently(&file, timeout) {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        let (key, body) = (Key::of(key), call_record::encoded(call));
        let began = frames::add(&file, key, &body)?;
        Ok(CallPending::new(&key.to_string(), began, &body))
    }

    /// Finds a call. Returns `None` if it is incomplete.
    pub fn find(&self, key: &str) -> Option<Found> {
        let key = Key::of(key);
        self.read(|it| it == key).pop()
    }

    /// Returns every pending call, in the order of start times. A repeated announcement replaces the
    /// earlier one.
    pub fn all(&self) -> Vec<Found> {
        let mut all = self.read(|_| true);
        let mut seen = HashSet::new();
        all.reverse();
        all.retain(|found| seen.insert(found.key.clone()));
        all.reverse();
        all
    }

    /// Takes the lock for settling calls, waiting at most `timeout` for other processes. Returns
    /// `None` if there is nothing to settle.
    pub fn hold(&self, timeout: Duration) -> Option<HeldCalls> {
        let file = no_follow::options().read(true).write(true).open(self.file.as_path()).ok()?;
        lock_patiently(&file, timeout).then_some(HeldCalls { file })
    }

    fn read(&self, is_wanted: impl Fn(Key) -> bool) -> Vec<Found> {
        let Ok(file) = no_follow::options().read(true).open(self.file.as_path()) else { return Vec::new() };
        let found = |frame: Frame| {
            let key = frame.key.filter(|key| is_wanted(*key))?;
            let body = frame.body(&file).ok()?;
            let call = call_record::decoded(&body)?;
            let recorded = CallPending::new(&key.to_string(), frame.began, &body);
            Some(Found { key: key.to_string(), call, began: frame.began, recorded })
        };
        frames::all(&file).unwrap_or_default().into_iter().filter_map(found).collect()
    }
}

impl HeldCalls {
    /// Returns whether a call is pending.
    pub fn has(&self, key: &str) -> bool {
        let key = Key::of(key);
        frames::all(&self.file).is_ok_and(|all| all.iter().any(|frame| frame.key == Some(key)))
    }

    /// Removes settled calls.
    pub fn settled(self, keys: &[String]) {
        let keys: Vec<Key> = keys.iter().map(|key| Key::of(key)).collect();
        let is_done = |frame: &Frame| frame.key.is_some_and(|key| keys.contains(&key));
        // A call that cannot be removed is settled again later: a duplicate is better than a loss.
        let _ = frames::all(&self.file).and_then(|all| frames::end_those(&self.file, all, is_done));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(files: Vec<PendingFile>) -> PendingCall {
        PendingCall {
            intent_id: IntentId::parse("INT-001").ok(),
            agent: "u00".into(),
            tool: "Write\nx".into(),
            changes_more: false,
            background: false,
            lost_records: false,
            watched: None,
            files,
        }
    }

    fn file(name: &str, before: Before) -> PendingFile {
        PendingFile { written: name.into(), real: name.into(), access: Access::Write, before }
    }

    fn calls() -> (tempfile::TempDir, PendingCalls) {
        let dir = tempfile::tempdir().unwrap();
        let calls = PendingCalls::in_file(AbsPath::new(dir.path().join("deep/calls")).unwrap());
        (dir, calls)
    }

    const NOW: Duration = Duration::ZERO;

    #[test]
    fn a_call_is_found_as_it_was_kept_until_it_is_settled() {
        let (_dir, calls) = calls();
        assert!(calls.find("ab").is_none() && calls.all().is_empty() && calls.hold(NOW).is_none());
        let kept = call(vec![
            file("a", Before::Absent),
            file("b\n", Before::Content(b"one\ntwo".to_vec())),
            file("c", Before::Unknown),
            file("d", Before::Content(Vec::new())),
        ]);
        calls.keep("ab", &kept, NOW).unwrap();
        calls.keep("cd", &call(Vec::new()), NOW).unwrap();
        assert_eq!(calls.find("ab").unwrap().call, kept);
        assert_eq!(calls.all().into_iter().map(|found| found.key).collect::<Vec<_>>(), ["ab", "cd"]);
        let held = calls.hold(NOW).unwrap();
        assert!(calls.hold(NOW).is_none(), "one settles");
        assert!(calls.keep("ef", &kept, NOW).is_err(), "and nobody keeps meanwhile");
        assert!(held.has("ab") && !held.has("ef"));
        held.settled(&["ab".to_owned()]);
        assert!(calls.find("ab").is_none() && calls.find("cd").is_some());
        assert!(!calls.hold(NOW).unwrap().has("ab"));
    }

    #[test]
    fn a_call_announced_again_is_there_once_as_it_was_told_last() {
        let (_dir, calls) = calls();
        let again = call(vec![file("again", Before::Absent)]);
        calls.keep("a1", &call(Vec::new()), NOW).unwrap();
        calls.keep("b2", &call(Vec::new()), NOW).unwrap();
        calls.keep("a1", &again, NOW).unwrap();
        assert_eq!(calls.all().into_iter().map(|found| found.key).collect::<Vec<_>>(), ["b2", "a1"]);
        assert_eq!(calls.find("a1").unwrap().call, again);
        calls.hold(NOW).unwrap().settled(&["a1".to_owned()]);
        assert!(calls.find("a1").is_none() && calls.all().len() == 1);
    }

    #[test]
    fn what_is_too_much_to_keep_is_not_known() {
        let (_dir, calls) = calls();
        let large = || Before::Content(vec![b'x'; 1024 * 1024]);
        calls.keep("ab", &call((0..9).map(|n| file(&n.to_string(), large())).collect()), NOW).unwrap();
        let found = calls.find("ab").unwrap().call;
        assert_eq!(found.files.iter().filter(|it| it.before == Before::Unknown).count(), 1);
    }

    #[test]
    fn a_key_is_only_its_digits() {
        let (_dir, calls) = calls();
        calls.keep("../../ab\n", &call(Vec::new()), NOW).unwrap();
        assert_eq!(calls.find("ab").unwrap().key, "ab");
    }

    #[test]
    fn the_clock_of_the_file_system_tells_when_a_call_began() {
        let (dir, calls) = calls();
        let marker =
            |name: &str| FileSystemTime::mark(&AbsPath::new(dir.path().join(name)).unwrap()).unwrap();
        let before = marker("before");
        calls.keep("ab", &call(Vec::new()), NOW).unwrap();
        let began = calls.find("ab").unwrap().began;
        assert!(before <= began && began <= marker("after"));
    }
}
