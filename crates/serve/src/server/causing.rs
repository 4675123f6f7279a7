//! What the engine is told of things that runs may have done.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use automation::{Occurrence, What};
use store::{Fingerprint, fingerprint, now};

use super::Serving;
use crate::authorship::Ruling;
use crate::note::Note;

/// Larger files are not compared by what is in them.
const MAX_COMPARED: u64 = 4 << 20;

impl Serving<'_> {
    /// Notes which runs are at work.
    pub(super) fn note_runs(&mut self) {
        self.authorship.update(self.engine.active_runs(), (Instant::now(), SystemTime::now()));
    }

    /// Tells the engine of something that happened at this time. What happened while runs were at work
    /// carries their chain, and automations that may have led to it wait until those have ended.
    pub(super) fn offer_what(&mut self, what: What, at: SystemTime, content: Option<Fingerprint>) {
        let causes = self.authorship.of(at);
        let mut occurrence = Occurrence::new(now(), what);
        occurrence.chain = causes.chain.clone();
        let offered = self.engine.offer_caused(&occurrence, &causes.may_have_led);
        if causes.runs.is_empty() {
            self.authorship.by_person(&offered.set_off, &occurrence.what);
        }
        self.authorship.answered(&offered.set_off, &occurrence.what, content.as_ref());
        self.authorship.hold(offered.cycles, &occurrence.what, content.as_ref(), &causes);
    }

    /// Decides about what was held until runs ended.
    pub(super) fn rule_on_held(&mut self) {
        let root = self.workspace.root().as_path().to_path_buf();
        let content = |what: &What| match what {
            What::FileSaved { path } | What::SpecStatus { path, .. } => content_of(&root.join(path)),
            _ => None,
        };
        for ruling in self.authorship.rule(&content) {
            match ruling {
                Ruling::Refuse { hook, what, chain } => {
                    let mut occurrence = Occurrence::new(now(), what);
                    occurrence.chain = chain;
                    self.engine.refuse(&hook, &occurrence);
                }
                Ruling::RunOnce { hook, what, round } => {
                    let mut occurrence = Occurrence::new(now(), what);
                    occurrence.round = round;
                    self.engine.offer_to(&hook, &occurrence);
                }
                Ruling::Pause { hook, why } => {
                    self.tell(Note::warning(
                        "PAUSED",
                        format!("`{hook}` is paused: {why}; `steersman automation enable {hook}` resumes it"),
                    ));
                    self.engine.pause(&hook, why);
                }
            }
        }
    }
}

/// Returns when a file was last written or moved into place.
///
/// WHY not when it was modified: a file that was moved keeps that time, and editors save by moving.
pub(super) fn changed_at(path: &Path) -> SystemTime {
    #[cfg(unix)]
    if let Ok(meta) = fs::metadata(path) {
        use std::os::unix::fs::MetadataExt;
        let seconds = Duration::from_secs(u64::try_from(meta.ctime()).unwrap_or(0));
        let nanos = Duration::from_nanos(u64::try_from(meta.ctime_nsec()).unwrap_or(0));
        return SystemTime::UNIX_EPOCH + seconds + nanos;
    }
    fs::metadata(path).and_then(|meta| meta.modified()).unwrap_or_else(|_| SystemTime::now())
}

/// Returns the hash of a file's content; `None` if it cannot be read or is too large to compare.
pub(super) fn content_of(path: &Path) -> Option<Fingerprint> {
    let length = fs::metadata(path).ok()?.len();
    let content = (length <= MAX_COMPARED).then(|| fs::read(path).ok()).flatten()?;
    Some(fingerprint([content.as_slice()]))
}
