//! Offers occurrences to the engine together with the runs that may have caused them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use automation::{AutomationId, Debouncer, Occurrence, OccurrenceKind};
use engine::Engine;
use store::{Fingerprint, fingerprint, now};

use super::Server;
use crate::authorship::{FilesNow, Ruling};
use crate::note::Note;
use crate::tree::Tree;

/// The content of larger files is not compared.
const MAX_COMPARED: u64 = 4 << 20;

impl Server<'_> {
    /// Records the active runs.
    pub(super) fn note_runs(&mut self) {
        self.authorship.update(self.engine.active_runs(), (Instant::now(), store::system_time()));
    }

    /// Offers an occurrence of this time to the engine. An occurrence during active runs carries their
    /// chain, and automations that may have caused it are held until these runs have ended.
    pub(super) fn offer_attributed(
        &mut self,
        kind: OccurrenceKind,
        at: SystemTime,
        content: Option<Fingerprint>,
    ) {
        let causes = self.authorship.of(at);
        let mut occurrence = Occurrence::new(now(), kind);
        occurrence.chain = causes.chain.clone();
        let offered = self.engine.offer_caused(&occurrence, &causes.may_have_caused);
        if causes.runs.is_empty() {
            self.authorship.by_person(&offered.queued, &occurrence.kind);
        }
        self.authorship.answered(&offered.queued, &occurrence.kind, content.as_ref());
        self.authorship.hold(offered.cycles, (&occurrence.kind, at), content.as_ref(), &causes);
    }

    /// Decides about the changes that were held until runs ended.
    pub(super) fn rule_on_held(&mut self, moment: Instant) {
        let mut files = ServedFiles {
            root: self.workspace.root().as_path(),
            saves: &self.saves,
            tree: &mut self.tree,
            engine: &self.engine,
        };
        for ruling in self.authorship.rule(moment, &mut files) {
            self.carry_out(ruling);
        }
    }

    /// Queues a run for every held change, for the next server.
    pub(super) fn release_held(&mut self) {
        for ruling in self.authorship.release() {
            self.carry_out(ruling);
        }
    }

    fn carry_out(&mut self, ruling: Ruling) {
        match ruling {
            // A run that changed the very thing it is about did nothing worth a record.
            Ruling::Refuse { chain, .. } if chain.depth() < 2 => {}
            Ruling::Refuse { hook, kind, chain } => {
                let mut occurrence = Occurrence::new(now(), kind);
                occurrence.chain = chain;
                self.engine.refuse(&hook, &occurrence);
            }
            Ruling::RunOnce { hook, kind, round } => {
                let mut occurrence = Occurrence::new(now(), kind);
                occurrence.round = round;
                self.engine.offer_to(&hook, &occurrence);
            }
            Ruling::Pause { hook, why } => {
                self.log(Note::warning(
                    "PAUSED",
                    format!(
                        "`{hook}` is paused: {why}; run `steersman automation enable {hook}` to resume it"
                    ),
                ));
                self.engine.pause(&hook, why);
            }
        }
    }
}

/// The files of the served workspace.
struct ServedFiles<'s> {
    root: &'s Path,
    saves: &'s Debouncer<PathBuf>,
    tree: &'s mut Tree,
    engine: &'s Engine,
}

impl FilesNow for ServedFiles<'_> {
    fn content(&self, kind: &OccurrenceKind) -> Option<Fingerprint> {
        match kind {
            OccurrenceKind::FileSaved { path } | OccurrenceKind::SpecStatus { path, .. } => {
                content_of(&self.root.join(path))
            }
            OccurrenceKind::FileWillBeSaved { .. }
            | OccurrenceKind::FileCreated { .. }
            | OccurrenceKind::FileDeleted { .. }
            | OccurrenceKind::FileRenamed { .. }
            | OccurrenceKind::Scheduled { .. }
            | OccurrenceKind::Commit { .. }
            | OccurrenceKind::Operation { .. }
            | OccurrenceKind::Host { .. }
            | OccurrenceKind::Custom { .. } => None,
        }
    }

    fn unsettled(&mut self, hook: &AutomationId) -> Vec<SystemTime> {
        let mut triggers = |path: &Path| {
            let Some(path) = self.tree.relevant(path) else { return false };
            self.engine.would_trigger(hook, &OccurrenceKind::FileSaved { path })
        };
        self.saves.unsettled().filter(|path| triggers(path)).map(|path| changed_at(path)).collect()
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
    fs::metadata(path).and_then(|meta| meta.modified()).unwrap_or_else(|_| store::system_time())
}

/// Returns the hash of a file's content. Returns `None` if it cannot be read or is too large to compare.
pub(super) fn content_of(path: &Path) -> Option<Fingerprint> {
    let length = fs::metadata(path).ok()?.len();
    let content = (length <= MAX_COMPARED).then(|| fs::read(path).ok()).flatten()?;
    Some(fingerprint([content.as_slice()]))
}
