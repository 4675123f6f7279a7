//! Coalesces emitted occurrences: of those about one file in quick succession only the latest counts.
//!
//! Applies to occurrences from `emit`; the file watcher debounces its own. The journal has all of
//! them, so nothing is lost if the engine ends before a file settles.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use automation::{Debouncer, Occurrence, OccurrenceId};

/// The kind of an occurrence, and its file.
type Subject = (String, String);

/// The files with recent occurrences.
#[derive(Debug, Default)]
pub(crate) struct Coalesce {
    debouncer: Debouncer<Subject>,
    /// The occurrences that `debouncer` has counted.
    counted: HashSet<OccurrenceId>,
}

/// The unmatched occurrences, sorted by what the engine does with them.
#[derive(Debug, Default)]
pub(crate) struct Settled {
    /// To be matched now.
    pub(crate) due: Vec<Occurrence>,
    /// Superseded by a later occurrence about the same file.
    pub(crate) superseded: Vec<OccurrenceId>,
    /// When to check again.
    pub(crate) next: Option<Instant>,
}

impl Coalesce {
    /// Sorts the unmatched occurrences, given in the order in which they were emitted.
    pub(crate) fn settle<'o>(
        &mut self,
        unmatched: impl Iterator<Item = &'o Occurrence>,
        now: Instant,
    ) -> Settled {
        let mut settled = Settled::default();
        let mut waiting: HashMap<Subject, Vec<&Occurrence>> = HashMap::new();
        let mut counted = HashSet::new();
        for occurrence in unmatched {
            let Some(subject) = subject(occurrence) else {
                settled.due.push(occurrence.clone());
                continue;
            };
            if !self.counted.contains(&occurrence.id) {
                self.debouncer.touch(subject.clone(), now);
            }
            counted.insert(occurrence.id.clone());
            waiting.entry(subject).or_default().push(occurrence);
        }
        self.counted = counted;
        for subject in self.debouncer.settled(now) {
            // Nothing is unmatched if the file watcher reported the save first.
            let Some((latest, earlier)) = waiting.get(&subject).and_then(|all| all.split_last()) else {
                continue;
            };
            settled.due.push((*latest).clone());
            settled.superseded.extend(earlier.iter().map(|it| it.id.clone()));
        }
        settled.next = self.debouncer.next();
        // In the order of occurrence, across all files.
        settled.due.sort_by(|one, other| one.id.cmp(&other.id));
        settled
    }
}

/// Returns the key under which occurrences coalesce. Returns `None` for an occurrence about no file, or about a
/// file whose name is redacted: it may be another one.
pub(crate) fn subject(occurrence: &Occurrence) -> Option<Subject> {
    let file = occurrence.file().filter(|file| !file.contains(redact::REPLACEMENT));
    file.map(|file| (occurrence.kind.to_string(), file.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use automation::OccurrenceKind;
    use automation::limits::{COALESCE_AT_MOST, COALESCE_WINDOW};
    use store::Timestamp;

    use super::*;

    fn saved(millis: u64, path: &str) -> Occurrence {
        Occurrence::new(Timestamp::from_millis(millis), OccurrenceKind::FileSaved { path: path.into() })
    }

    fn due(settled: &Settled) -> Vec<u64> {
        settled.due.iter().map(|it| it.ts.as_millis()).collect()
    }

    #[test]
    fn within_half_a_second_the_latest_counts() {
        let mut coalesce = Coalesce::default();
        let start = Instant::now();
        let (one, two, other) = (saved(1, "a"), saved(2, "a"), saved(3, "b"));
        let first = coalesce.settle([&one, &other].into_iter(), start);
        assert_eq!((due(&first), first.next), (vec![], Some(start + COALESCE_WINDOW)));
        let all = [&one, &other, &two];
        let later = coalesce.settle(all.into_iter(), start + Duration::from_millis(400));
        assert_eq!(due(&later), Vec::<u64>::new());
        let later = coalesce.settle(all.into_iter(), start + Duration::from_millis(500));
        assert_eq!(due(&later), [3], "another file does not wait for this one");
        let later = coalesce.settle([&one, &two].into_iter(), start + Duration::from_millis(900));
        assert_eq!(due(&later), [2]);
        assert_eq!(later.superseded, [one.id]);
    }

    #[test]
    fn a_file_that_never_rests_is_answered_to_all_the_same() {
        let (mut coalesce, start) = (Coalesce::default(), Instant::now());
        let mut all = Vec::new();
        for step in 0.. {
            let now = start + Duration::from_millis(400) * step;
            all.push(saved(u64::from(step), "a"));
            let settled = coalesce.settle(all.iter(), now);
            assert_eq!(settled.due.is_empty(), now < start + COALESCE_AT_MOST, "{step}");
            if let [latest] = settled.due.as_slice() {
                assert_eq!((latest, settled.superseded.len()), (&all[all.len() - 1], all.len() - 1));
                return;
            }
        }
    }

    #[test]
    fn what_is_about_no_file_counts_at_once() {
        let mut coalesce = Coalesce::default();
        let kind = OccurrenceKind::Custom { name: "deploy".into(), path: None, data: serde_json::Map::new() };
        let all = [Occurrence::new(Timestamp::from_millis(1), kind)];
        assert_eq!(due(&coalesce.settle(all.iter(), Instant::now())), [1]);
    }
}
