//! Debounces repeated changes of one item, such as a file.
//!
//! The same rule for saves from the file watcher and from `emit`: an item settles half a second after
//! its last change, or five seconds after its first change if the changes do not stop.
//!
//! Pure logic: the caller passes the time, from a monotonic clock.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Instant;

use crate::limits::{COALESCE_AT_MOST, COALESCE_WINDOW};

/// The items that changed and have not settled. Its size depends on the number of items, not of changes.
#[derive(Debug, Clone)]
pub struct Debouncer<K> {
    touched: HashMap<K, Touched>,
}

#[derive(Debug, Clone, Copy)]
struct Touched {
    first: Instant,
    last: Instant,
}

impl Touched {
    fn settles_at(self) -> Instant {
        (self.last + COALESCE_WINDOW).min(self.first + COALESCE_AT_MOST)
    }
}

impl<K> Default for Debouncer<K> {
    fn default() -> Self {
        Self { touched: HashMap::new() }
    }
}

impl<K: Eq + Hash + Ord> Debouncer<K> {
    /// Records a change of an item.
    pub fn touch(&mut self, item: K, now: Instant) {
        self.touched
            .entry(item)
            .and_modify(|touched| touched.last = now)
            .or_insert(Touched { first: now, last: now });
    }

    /// Removes and returns the settled items, by the time they settled, then by name.
    pub fn settled(&mut self, now: Instant) -> Vec<K> {
        self.settled_since(now).into_iter().map(|(item, _)| item).collect()
    }

    /// The same, with the time of the last change of each.
    pub fn settled_since(&mut self, now: Instant) -> Vec<(K, Instant)> {
        let resting = self.touched.extract_if(|_, touched| touched.settles_at() <= now);
        let mut settled: Vec<(Instant, K, Instant)> =
            resting.map(|(item, touched)| (touched.settles_at(), item, touched.last)).collect();
        settled.sort();
        settled.into_iter().map(|(_, item, last)| (item, last)).collect()
    }

    /// Returns when the next item settles if it does not change again.
    pub fn next(&self) -> Option<Instant> {
        self.touched.values().map(|touched| touched.settles_at()).min()
    }

    /// Returns the unsettled items.
    pub fn unsettled(&self) -> impl Iterator<Item = &K> {
        self.touched.keys()
    }

    /// Returns whether an item is unsettled.
    pub fn contains(&self, item: &K) -> bool {
        self.touched.contains_key(item)
    }

    /// Returns the number of unsettled items.
    pub fn len(&self) -> usize {
        self.touched.len()
    }

    /// Returns whether no item is unsettled.
    pub fn is_empty(&self) -> bool {
        self.touched.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn at(start: Instant, millis: u64) -> Instant {
        start + Duration::from_millis(millis)
    }

    #[test]
    fn many_touches_count_once_half_a_second_after_the_last() {
        let (mut debouncer, start) = (Debouncer::default(), Instant::now());
        for millis in [0, 100, 599, 1098] {
            debouncer.touch("a", at(start, millis));
        }
        assert_eq!(debouncer.next(), Some(at(start, 1598)));
        assert_eq!(debouncer.settled(at(start, 1597)), [""; 0]);
        assert_eq!(debouncer.settled(at(start, 1598)), ["a"]);
        assert!(debouncer.is_empty() && debouncer.next().is_none());
        debouncer.touch("a", at(start, 1600));
        assert_eq!(debouncer.settled(at(start, 2100)), ["a"]);
    }

    #[test]
    fn each_thing_waits_for_itself() {
        let (mut debouncer, start) = (Debouncer::default(), Instant::now());
        debouncer.touch("z", at(start, 0));
        debouncer.touch("b", at(start, 10));
        debouncer.touch("a", at(start, 10));
        assert_eq!(debouncer.settled(at(start, 505)), ["z"], "items settle independently");
        assert_eq!(debouncer.settled(at(start, 510)), ["a", "b"]);
    }

    #[test]
    fn what_never_rests_counts_every_five_seconds() {
        let (mut debouncer, start) = (Debouncer::default(), Instant::now());
        let mut n_settled = 0;
        for millis in (0..60_000).step_by(250) {
            debouncer.touch("log", at(start, millis));
            n_settled += debouncer.settled(at(start, millis)).len();
        }
        n_settled += debouncer.settled(at(start, 100_000)).len();
        assert_eq!(n_settled, 12);
    }

    #[test]
    fn a_storm_takes_the_room_of_its_files() {
        let (mut debouncer, start) = (Debouncer::default(), Instant::now());
        for n in 0..20_000_u64 {
            debouncer.touch(format!("f{}", n % 500), at(start, n / 5));
        }
        assert_eq!(debouncer.len(), 500);
        assert_eq!(debouncer.settled(at(start, 60_000)).len(), 500);
    }
}
