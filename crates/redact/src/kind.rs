//! The format of one kind of credential, as data.

use std::ops::Range;

use crate::class::{Class, HEX};
use crate::text::Text;

/// One kind of credential.
///
/// The examples are templates: `{w36}` stands for 36 made-up characters (see `tests::template`),
/// so that no string in this repository looks like a leaked key.
pub(crate) struct Kind {
    /// Names the kind in tests.
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests name kinds"))]
    pub(crate) id: &'static str,
    /// At least three bytes each; every credential of this kind contains one of them.
    pub(crate) anchors: &'static [&'static str],
    pub(crate) shape: Shape,
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests run examples"))]
    pub(crate) matches: &'static [&'static str],
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests run examples"))]
    pub(crate) not_matches: &'static [&'static str],
}

/// How the credential is read at an anchor.
pub(crate) enum Shape {
    /// The anchor, then parts of fixed alphabets. All of it is the secret.
    Token(Token),
    /// A function reads it.
    Read(Reader),
}

/// Reads from the anchor at `at` and adds the secret ranges, in order, none before the floor.
pub(crate) type Reader = fn(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>);

/// An anchor with the text required before and after it.
pub(crate) struct Token {
    /// The part of the secret before the anchor.
    pub(crate) lead: Option<Run>,
    pub(crate) parts: &'static [Part],
    pub(crate) proof: Proof,
}

/// The evidence a token needs beyond its format.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proof {
    /// The prefix is sufficient.
    Shape,
    /// The prefix also occurs in ordinary words, so the rest must look random.
    Random,
}

/// One part of a token.
pub(crate) enum Part {
    Run(Run),
    Text(&'static str),
}

/// So many characters of a class.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    pub(crate) class: Class,
    pub(crate) least: usize,
    pub(crate) most: usize,
}

/// A part of exactly `n` characters.
pub(crate) const fn exactly(class: Class, n: usize) -> Part {
    Part::Run(Run { class, least: n, most: n })
}

/// A part of `least` characters or more.
pub(crate) const fn at_least(class: Class, least: usize) -> Part {
    Part::Run(Run { class, least, most: usize::MAX })
}

/// A part of `least` to `most` characters.
pub(crate) const fn between(class: Class, least: usize, most: usize) -> Part {
    Part::Run(Run { class, least, most })
}

/// A constant part.
pub(crate) const fn then(text: &'static str) -> Part {
    Part::Text(text)
}

/// The parts of a UUID: five groups of hexadecimal digits.
pub(crate) const UUID: &[Part] = &[
    exactly(HEX, 8),
    then("-"),
    exactly(HEX, 4),
    then("-"),
    exactly(HEX, 4),
    then("-"),
    exactly(HEX, 4),
    then("-"),
    exactly(HEX, 12),
];

type Words = &'static [&'static str];

/// A kind whose prefix is sufficient evidence.
pub(crate) const fn token(id: &'static str, anchors: Words, parts: &'static [Part], matches: Words) -> Kind {
    let shape = Shape::Token(Token { lead: None, parts, proof: Proof::Shape });
    Kind { id, anchors, shape, matches, not_matches: &[] }
}

/// A kind whose prefix also occurs in ordinary words.
pub(crate) const fn random(id: &'static str, anchors: Words, parts: &'static [Part], matches: Words) -> Kind {
    let shape = Shape::Token(Token { lead: None, parts, proof: Proof::Random });
    Kind { id, anchors, shape, matches, not_matches: &[] }
}

/// A kind that a function reads.
pub(crate) const fn read(id: &'static str, anchors: Words, reader: Reader, matches: Words) -> Kind {
    Kind { id, anchors, shape: Shape::Read(reader), matches, not_matches: &[] }
}

impl Kind {
    /// Returns the kind with text that must not be replaced.
    pub(crate) const fn but_not(self, not_matches: Words) -> Self {
        Self { not_matches, ..self }
    }

    /// Returns the kind with characters of `class` before the anchor.
    pub(crate) const fn led_by(self, class: Class, least: usize, most: usize) -> Self {
        let Shape::Token(Token { parts, proof, .. }) = self.shape else { return self };
        let lead = Some(Run { class, least, most });
        Self { shape: Shape::Token(Token { lead, parts, proof }), ..self }
    }
}
