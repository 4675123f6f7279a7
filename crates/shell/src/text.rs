//! Values that are known, known in part, or not known at all.

use crate::limits::MAX_VALUE_BYTES;

/// The taint of a value, by its origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Taint(u8);

impl Taint {
    pub(crate) const NONE: Self = Self(0);
    /// Came over the network.
    pub(crate) const FETCHED: Self = Self(1);
    /// Is, or contains, a secret.
    pub(crate) const SECRET: Self = Self(2);
    /// Was decoded from text that people cannot read at a glance.
    pub(crate) const DECODED: Self = Self(4);
    /// Was printed by an ordinary local program, not by a variable of unknown origin.
    pub(crate) const PRINTED: Self = Self(8);

    /// Comes from the terminal while the command runs.
    pub(crate) const TYPED: Self = Self(16);

    /// Contains the whole workspace.
    pub(crate) const WORKSPACE: Self = Self(32);

    pub(crate) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) const fn only(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// A string some of whose parts may be unknown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::struct_field_names, reason = "the text of a value that is known in part")]
pub(crate) struct Text {
    /// The known parts, and unknown ones as they were written.
    pub text: String,
    /// Byte ranges of `text` that are not known, in order.
    pub holes: Vec<(usize, usize)>,
    /// Whether a living glob is in it.
    pub glob: bool,
    pub taint: Taint,
}

impl Text {
    pub(crate) fn known(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A value of which nothing is known; `source` shows where it came from.
    pub(crate) fn unknown(source: impl Into<String>, taint: Taint) -> Self {
        let text = source.into();
        let holes = vec![(0, text.len())];
        Self { text, holes, glob: false, taint }
    }

    pub(crate) fn is_known(&self) -> bool {
        self.holes.is_empty()
    }

    /// Returns the text when all of it is known.
    pub(crate) fn value(&self) -> Option<&str> {
        self.holes.is_empty().then_some(self.text.as_str())
    }

    pub(crate) fn push(&mut self, other: &Self) {
        if self.text.len() + other.text.len() > MAX_VALUE_BYTES {
            let at = self.text.len();
            self.text.push('…');
            self.holes.push((at, self.text.len()));
            return;
        }
        let offset = self.text.len();
        crate::limits::work(other.text.len());
        self.text.push_str(&other.text);
        self.holes.extend(other.holes.iter().map(|(start, end)| (start + offset, end + offset)));
        self.glob |= other.glob;
        self.taint = self.taint.with(other.taint);
    }

    pub(crate) fn push_str(&mut self, text: &str) {
        if self.text.len() + text.len() <= MAX_VALUE_BYTES {
            self.text.push_str(text);
        }
    }

    /// Returns the part `start..end` with its holes.
    pub(crate) fn slice(&self, start: usize, end: usize) -> Self {
        Self {
            text: self.text.get(start..end).unwrap_or("").to_owned(),
            holes: self.holes[self.holes.partition_point(|(_, to)| *to <= start)..]
                .iter()
                .take_while(|(from, _)| *from < end)
                .map(|(from, to)| (from.max(&start) - start, to.min(&end) - start))
                .collect(),
            glob: self.glob,
            taint: self.taint,
        }
    }

    /// Splits at characters of `separators` that are known; empty fields are dropped.
    pub(crate) fn split(&self, separators: &str) -> Vec<Self> {
        if !self.text.contains(|character| separators.contains(character)) {
            return if self.text.is_empty() { Vec::new() } else { vec![self.clone()] };
        }
        let mut fields = Vec::new();
        let mut start = 0;
        let mut hole = 0;
        for (at, character) in self.text.char_indices() {
            while self.holes.get(hole).is_some_and(|(_, to)| *to <= at) {
                hole += 1;
            }
            let in_hole = self.holes.get(hole).is_some_and(|(from, _)| *from <= at);
            if separators.contains(character) && !in_hole {
                if at > start {
                    fields.push(self.slice(start, at));
                }
                start = at + character.len_utf8();
            }
        }
        if start < self.text.len() {
            fields.push(self.slice(start, self.text.len()));
        }
        fields
    }

    /// Removes line ends from the end, as command substitution does.
    pub(crate) fn trim_line_ends(mut self) -> Self {
        while self.text.ends_with('\n') && self.holes.last().is_none_or(|(_, end)| *end < self.text.len()) {
            self.text.pop();
        }
        self
    }
}
