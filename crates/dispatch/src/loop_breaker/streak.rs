//! The denials and failures of an agent in a row.

use serde_json::Value;

/// The keys of failed calls since the last change, the latest last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Streak(Vec<String>);

impl Streak {
    /// Reads it from the state; anything else than a string is an empty one.
    pub(super) fn parse(value: &Value) -> Self {
        let keys = value.as_str().unwrap_or_default().split(' ');
        Self(keys.filter(|key| !key.is_empty()).map(str::to_owned).collect())
    }

    /// Returns its form in the state, which has no arrays.
    pub(super) fn to_value(&self) -> Value {
        Value::from(self.0.join(" "))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a key. Removes the keys that no count needs any more.
    pub(super) fn with(mut self, key: String, after: usize) -> Self {
        self.0.push(key);
        let n_needed = 4 * after;
        let n_old = self.0.len().saturating_sub(n_needed);
        self.0.drain(..n_old);
        self
    }

    /// Returns how often the last key, or the last two in alternation, occurred in a row.
    pub(super) fn repetitions(&self) -> usize {
        self.repeated(1).max(self.repeated(2) / 2)
    }

    /// Returns how many keys at the end belong to the repeated pattern.
    pub(super) fn len_of_pattern(&self) -> usize {
        let (same, alternating) = (self.repeated(1), self.repeated(2));
        if alternating / 2 > same { alternating } else { same }
    }

    /// Returns the length of the longest end in which every key is equal to the one `period` before it.
    fn repeated(&self, period: usize) -> usize {
        let keys = &self.0;
        if keys.len() < period {
            return keys.len();
        }
        let equal = (period..keys.len()).rev().take_while(|at| keys[*at] == keys[at - period]).count();
        equal + period
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetition_and_alternation_are_counted_at_the_end() {
        for (keys, expected) in [
            ("", 0),
            ("a", 1),
            ("aaa", 3),
            ("baaa", 3),
            ("ab", 1),
            ("abab", 2),
            ("ababab", 3),
            ("cababab", 3),
            ("abcabc", 1),
            ("aab", 1),
            ("aaaaaa", 6),
        ] {
            let streak = Streak(keys.chars().map(String::from).collect());
            assert_eq!(streak.repetitions(), expected, "{keys}");
        }
    }

    #[test]
    fn memory_is_bounded() {
        let mut streak = Streak::default();
        for n in 0..1000 {
            streak = streak.with((n % 7).to_string(), 3);
        }
        assert_eq!(streak.0.len(), 12);
        assert_eq!(Streak::parse(&streak.to_value()), streak);
    }
}
