//! Things that are touched again and again, and count once they have come to rest.
//!
//! One rule for saved files, whoever tells of them: something counts when it has been left alone
//! for half a second, and every five seconds if it never is.
//!
//! Pure logic: whoever uses it hands the clock in, and hands in one that cannot be set.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Instant;

use crate::limits::{COALESCE_AT_MOST, COALESCE_WINDOW};

/// What was touched and has not come to rest. Takes room for every thing, not for every touch.
#[derive(Debug, Clone)]
pub struct Restless<K> {
    touched: HashMap<K, Touched>,
}

#[derive(Debug, Clone, Copy)]
struct Touched {
    first: Instant,
    last: Instant,
}

impl Touched {
    fn rests_at(self) -> Instant {
        (self.last + COALESCE_WINDOW).min(self.first + COALESCE_AT_MOST)
    }
}

impl<K> Default for Restless<K> {
    fn default() -> Self {
        Self { touched: HashMap::new() }
    }
}

impl<K: Eq + Hash + Ord> Restless<K> {
    /// Notes that something was touched.
    pub fn touch(&mut self, thing: K, now: Instant) {
        self.touched
            .entry(thing)
            .and_modify(|touched| touched.last = now)
            .or_insert(Touched { first: now, last: now });
    }

    /// Takes out what has come to rest by now: in the order it did, else by name.
    pub fn settled(&mut self, now: Instant) -> Vec<K> {
        let resting = self.touched.extract_if(|_, touched| touched.rests_at() <= now);
        let mut settled: Vec<(Instant, K)> =
            resting.map(|(thing, touched)| (touched.rests_at(), thing)).collect();
        settled.sort();
        settled.into_iter().map(|(_, thing)| thing).collect()
    }

    /// Returns when the next thing comes to rest, if nobody touches it again.
    pub fn next(&self) -> Option<Instant> {
        self.touched.values().map(|touched| touched.rests_at()).min()
    }

    /// Returns how many things have not come to rest.
    pub fn len(&self) -> usize {
        self.touched.len()
    }

    /// Returns whether everything rests.
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
        let (mut restless, start) = (Restless::default(), Instant::now());
        for millis in [0, 100, 599, 1098] {
            restless.touch("a", at(start, millis));
        }
        assert_eq!(restless.next(), Some(at(start, 1598)));
        assert_eq!(restless.settled(at(start, 1597)), [""; 0]);
        assert_eq!(restless.settled(at(start, 1598)), ["a"]);
        assert!(restless.is_empty() && restless.next().is_none());
        restless.touch("a", at(start, 1600));
        assert_eq!(restless.settled(at(start, 2100)), ["a"]);
    }

    #[test]
    fn each_thing_waits_for_itself() {
        let (mut restless, start) = (Restless::default(), Instant::now());
        restless.touch("z", at(start, 0));
        restless.touch("b", at(start, 10));
        restless.touch("a", at(start, 10));
        assert_eq!(restless.settled(at(start, 505)), ["z"], "nobody waits for another");
        assert_eq!(restless.settled(at(start, 510)), ["a", "b"]);
    }

    #[test]
    fn what_never_rests_counts_every_five_seconds() {
        let (mut restless, start) = (Restless::default(), Instant::now());
        let mut n_settled = 0;
        for millis in (0..60_000).step_by(250) {
            restless.touch("log", at(start, millis));
            n_settled += restless.settled(at(start, millis)).len();
        }
        n_settled += restless.settled(at(start, 100_000)).len();
        assert_eq!(n_settled, 12);
    }

    #[test]
    fn a_storm_takes_the_room_of_its_files() {
        let (mut restless, start) = (Restless::default(), Instant::now());
        for n in 0..20_000_u64 {
            restless.touch(format!("f{}", n % 500), at(start, n / 5));
        }
        assert_eq!(restless.len(), 500);
        assert_eq!(restless.settled(at(start, 60_000)).len(), 500);
    }
}
