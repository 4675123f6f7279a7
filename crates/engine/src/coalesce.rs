//! What happened to one file in quick succession counts once, as the latest.
//!
//! Applies to what was handed in by `emit`; the file watcher waits by itself. Time is counted
//! from when an occurrence was first seen here, so a clock that is set changes nothing.

use std::collections::HashMap;
use std::time::Instant;

use automation::limits::{COALESCE_AT_MOST, COALESCE_WINDOW};
use automation::{Occurrence, OccurrenceId};

/// When each occurrence that is not matched yet was first seen.
#[derive(Debug, Default)]
pub(crate) struct Coalesce {
    seen: HashMap<OccurrenceId, Instant>,
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
    /// Sorts the occurrences that are not matched yet.
    pub(crate) fn settle<'o>(
        &mut self,
        unmatched: impl Iterator<Item = &'o Occurrence>,
        now: Instant,
    ) -> Settled {
        let mut settled = Settled::default();
        let mut known = HashMap::new();
        let mut files: HashMap<(String, &str), Vec<&Occurrence>> = HashMap::new();
        for occurrence in unmatched {
            let first = self.seen.get(&occurrence.id).copied().unwrap_or(now);
            known.insert(occurrence.id.clone(), first);
            match occurrence.file() {
                None => settled.due.push(occurrence.clone()),
                Some(file) => {
                    files.entry((occurrence.what.to_string(), file)).or_default().push(occurrence);
                }
            }
        }
        for occurrences in files.values() {
            let moment = |occurrence: &Occurrence| known.get(&occurrence.id).copied().unwrap_or(now);
            let (Some(first), Some(last)) = (occurrences.first(), occurrences.last()) else { continue };
            let ready = (moment(last) + COALESCE_WINDOW).min(moment(first) + COALESCE_AT_MOST);
            if ready > now {
                settled.next = Some(settled.next.map_or(ready, |next| next.min(ready)));
                continue;
            }
            let (latest, earlier) = (last, &occurrences[..occurrences.len() - 1]);
            settled.due.push((*latest).clone());
            settled.overtaken.extend(earlier.iter().map(|it| it.id.clone()));
        }
        // In the order in which it happened, whichever file it was about.
        settled.due.sort_by(|one, other| one.id.cmp(&other.id));
        self.seen = known;
        settled
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use automation::What;
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
        let mut coalesce = Coalesce::default();
        let start = Instant::now();
        let mut all = Vec::new();
        for step in 0..=12_u32 {
            all.push(saved(u64::from(step), "a"));
            let settled = coalesce.settle(all.iter(), start + Duration::from_millis(400) * step);
            assert_eq!(settled.due.is_empty(), step < 12, "{step}");
            if step == 12 {
                break;
            }
            let settled = coalesce.settle(all.iter(), start + COALESCE_AT_MOST);
            if step == 11 {
                assert_eq!((settled.due.len(), settled.overtaken.len()), (1, 11));
                return;
            }
            coalesce = Coalesce::default();
            coalesce.settle(all.iter(), start);
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
