//! The calls that were let through and have not ended yet, with what their files held before.
//!
//! One file for each session, in which every call has its frame. WHY one: a call comes and goes
//! within moments, and to make a file and to remove it again is what costs most on a busy disk.
//!
//! A call ends when its host says so. One whose end is never told (the host was killed, a person
//! said no, our own process was) is found again when its agent's turn ends.
//!
//! INVARIANT: a call is settled by whoever holds the file, and is gone only after that.

mod frames;
pub(crate) mod wire;

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::time::Duration;

use event::{AbsPath, Access};
use store::{lock_patiently, no_follow};

use super::Before;
use crate::{IntentId, Moment};
use frames::{Frame, Key};

/// A call that has not ended yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingCall {
    /// The intent it was let through for; none if it needed none.
    pub intent_id: Option<IntentId>,
    /// Our id of the agent.
    pub agent: String,
    /// The tool, in the host's spelling.
    pub tool: String,
    /// Whether it may change more than the files that are listed.
    pub changes_more: bool,
    /// The files it is going to touch.
    pub files: Vec<PendingFile>,
}

/// A file that a call is going to touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingFile {
    /// As the call names it, relative to the workspace.
    pub written: String,
    /// Where that really led, relative to the workspace.
    pub real: String,
    /// What is done there.
    pub access: Access,
    /// What it held.
    pub before: Before,
}

/// The pending calls of a session.
#[derive(Debug, Clone)]
pub struct PendingCalls {
    file: AbsPath,
}

/// A pending call that was found.
#[derive(Debug)]
pub struct Found {
    /// What it is known by.
    pub key: String,
    /// The call.
    pub call: PendingCall,
    /// When it began.
    pub began: Moment,
}

/// The right to settle calls: nobody else keeps or settles one while this lives.
#[derive(Debug)]
pub struct HeldCalls {
    /// Holds the lock.
    file: File,
}

impl PendingCalls {
    /// Keeps calls in this file, which is made when the first is kept.
    pub fn in_file(file: AbsPath) -> Self {
        Self { file }
    }

    /// Keeps a call under a key of hex digits, waiting for others at most `patience`.
    pub fn keep(&self, key: &str, call: &PendingCall, patience: Duration) -> io::Result<()> {
        let write = || no_follow::options().read(true).write(true).create(true).open(self.file.as_path());
        let file = match write() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.file.as_path().parent().map_or(Ok(()), fs::create_dir_all)?;
                write()?
            }
            other => other?,
        };
        if !lock_patiently(&file, patience) {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        frames::add(&file, Key::of(key), &wire::encoded(call))
    }

    /// Finds a call; one that is half written is not there.
    pub fn find(&self, key: &str) -> Option<Found> {
        let key = Key::of(key);
        self.read(|it| it == key).pop()
    }

    /// Returns every call that has not ended, in the order they began. A host that announces a call
    /// again means the same call, so the last counts.
    pub fn all(&self) -> Vec<Found> {
        let mut all = self.read(|_| true);
        let mut seen = HashSet::new();
        all.reverse();
        all.retain(|found| seen.insert(found.key.clone()));
        all.reverse();
        all
    }

    /// Takes the right to settle calls, waiting for others at most `patience`; none if there is
    /// nothing to settle.
    pub fn hold(&self, patience: Duration) -> Option<HeldCalls> {
        let file = no_follow::options().read(true).write(true).open(self.file.as_path()).ok()?;
        lock_patiently(&file, patience).then_some(HeldCalls { file })
    }

    fn read(&self, is_wanted: impl Fn(Key) -> bool) -> Vec<Found> {
        let Ok(file) = no_follow::options().read(true).open(self.file.as_path()) else { return Vec::new() };
        let found = |frame: Frame| {
            let key = frame.key.filter(|key| is_wanted(*key))?;
            let call = wire::decoded(&frame.body(&file).ok()?)?;
            Some(Found { key: key.to_string(), call, began: frame.began })
        };
        frames::all(&file).unwrap_or_default().into_iter().filter_map(found).collect()
    }
}

impl HeldCalls {
    /// Returns whether a call is still to be settled.
    pub fn has(&self, key: &str) -> bool {
        let key = Key::of(key);
        frames::all(&self.file).is_ok_and(|all| all.iter().any(|frame| frame.key == Some(key)))
    }

    /// Lets go of calls that are settled.
    pub fn settled(self, keys: &[String]) {
        let keys: Vec<Key> = keys.iter().map(|key| Key::of(key)).collect();
        let is_done = |frame: &Frame| frame.key.is_some_and(|key| keys.contains(&key));
        // One that cannot be ended is settled once more later: twice is better than never.
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
        let marker = |name: &str| Moment::mark(&AbsPath::new(dir.path().join(name)).unwrap()).unwrap();
        let before = marker("before");
        calls.keep("ab", &call(Vec::new()), NOW).unwrap();
        let began = calls.find("ab").unwrap().began;
        assert!(before <= began && began <= marker("after"));
    }
}
