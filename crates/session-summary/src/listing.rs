//! Counts distinct items and lists the most important ones.

use std::collections::HashMap;
use std::hash::Hash;

use serde::Serialize;

/// The most distinct items; further ones are only counted.
const MOST_DISTINCT: usize = 10_000;

/// Items by key, in the order of their first appearance.
#[derive(Debug)]
pub(crate) struct Distinct<K, V> {
    places: HashMap<K, usize>,
    entries: Vec<(K, V)>,
    left_out: u64,
}

/// The first items of a list, and the total.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Listing<T> {
    /// The total number.
    pub(crate) total: u64,
    /// The first items.
    pub(crate) items: Vec<T>,
}

impl<K, V> Default for Distinct<K, V> {
    fn default() -> Self {
        Self { places: HashMap::new(), entries: Vec::new(), left_out: 0 }
    }
}

impl<K: Clone + Eq + Hash, V: Default> Distinct<K, V> {
    /// Returns the item of this key, a new one if necessary. Returns `None` if there are too many.
    pub(crate) fn entry(&mut self, key: K) -> Option<&mut V> {
        let next = self.entries.len();
        let place = match self.places.get(&key) {
            Some(place) => *place,
            None if next >= MOST_DISTINCT => {
                self.left_out += 1;
                return None;
            }
            None => {
                self.places.insert(key.clone(), next);
                self.entries.push((key, V::default()));
                next
            }
        };
        self.entries.get_mut(place).map(|(_, value)| value)
    }

    /// Returns the item of this key; `None` if it does not exist.
    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        let place = *self.places.get(key)?;
        self.entries.get_mut(place).map(|(_, value)| value)
    }

    /// Returns whether there are no items.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns all items, in the order of their first appearance.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &(K, V)> {
        self.entries.iter()
    }

    /// Returns the largest items by `size`, up to a limit; equal ones keep their order.
    pub(crate) fn largest<T>(
        &self,
        at_most: usize,
        size: impl Fn(&V) -> u64,
        show: impl Fn(&K, &V) -> T,
    ) -> Listing<T> {
        let mut sorted: Vec<_> = self.entries.iter().collect();
        sorted.sort_by_key(|(_, value)| std::cmp::Reverse(size(value)));
        let items = sorted.into_iter().take(at_most).map(|(key, value)| show(key, value)).collect();
        Listing { total: self.entries.len() as u64 + self.left_out, items }
    }
}

impl<T> Listing<T> {
    /// Returns the last items of a list.
    pub(crate) fn last_of(mut all: Vec<T>, at_most: usize) -> Self {
        let total = all.len() as u64;
        all.drain(..all.len().saturating_sub(at_most));
        Self { total, items: all }
    }

    /// Returns the number of omitted items.
    pub(crate) fn left_out(&self) -> u64 {
        self.total - self.items.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_come_first_and_the_rest_is_counted() {
        let mut counts: Distinct<String, u64> = Distinct::default();
        for key in ["a", "b", "b", "c", "c"] {
            *counts.entry(key.to_owned()).unwrap() += 1;
        }
        let list = counts.largest(2, |count| *count, |key, count| format!("{key}{count}"));
        assert_eq!(list, Listing { total: 3, items: vec!["b2".to_owned(), "c2".to_owned()] });
        assert_eq!(list.left_out(), 1);
    }
}
