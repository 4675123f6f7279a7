//! What was handed in about one file in quick succession counts once, as the latest.
//!
//! Applies to what came by `emit`; the file watcher waits by itself. It is in the journal all the
//! while, so nothing is lost if the engine ends while a file is restless.

use std::collections::{HashMap, HashSet};
use std::time::Instant;

use automation::{Occurrence, OccurrenceId, Restless};

/// What happened, and to which file.
type Subject = (String, String);

/// Which files somebody has told of and may tell of again.
#[derive(Debug, Default)]
pub(crate) struct Coalesce {
    restless: Restless<Subject>,
    /// The occurrences that were counted as touches.
    counted: HashSet<OccurrenceId>,
}

/// What is to be done with the occurrences that are not matched yet.
#[derive(Debug, Default)]
pub(crate) struct Settled {
    /// These count now.
    pub(crate) due: Vec<Occurrence>,
    /// These were overtaken by a later one about the same file.
    pub(crate) overtaken: Vec<OccurrenceId>,
    /// When to look again.
    pub(crate) next: Option<Instant>,
}

impl Coalesce {
    /// Sorts the occurrences that are not matched yet, given in the order they were handed in.
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
                self.restless.touch(subject.clone(), now);
            }
            counted.insert(occurrence.id.clone());
            waiting.entry(subject).or_default().push(occurrence);
        }
        self.counted = counted;
        for subject in self.restless.settled(now) {
            // Nobody waits if the file watcher was there first.
            let Some((latest, earlier)) = waiting.get(&subject).and_then(|all| all.split_last()) else {
                continue;
            };
            settled.due.push((*latest).clone());
            settled.overtaken.extend(earlier.iter().map(|it| it.id.clone()));
        }
        settled.next = self.restless.next();
        // In the order in which it happened, whichever file it was about.
        settled.due.sort_by(|one, other| one.id.cmp(&other.id));
        settled
    }
}

/// Returns what makes two occurrences the same; none if each is one of its own.
pub(crate) fn subject(occurrence: &Occurrence) -> Option<Subject> {
    occurrence.file().map(|file| (occurrence.what.to_string(), file.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use automation::What;
    use automation::limits::{COALESCE_AT_MOST, COALESCE_WINDOW};
    use store::Timestamp;

    use super::*;

    fn saved(millis: u64, path: &str) -> Occurrence {
        Occurrence::new(Timestamp::from_millis(millis), What::FileSaved { path: path.into() })
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
        assert_eq!(later.overtaken, [one.id]);
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
                assert_eq!((latest, settled.overtaken.len()), (&all[all.len() - 1], all.len() - 1));
                return;
            }
        }
    }

    #[test]
    fn what_is_about_no_file_counts_at_once() {
        let mut coalesce = Coalesce::default();
        let what = What::Custom { name: "deploy".into(), path: None, data: serde_json::Map::new() };
        let all = [Occurrence::new(Timestamp::from_millis(1), what)];
        assert_eq!(due(&coalesce.settle(all.iter(), Instant::now())), [1]);
    }
}
