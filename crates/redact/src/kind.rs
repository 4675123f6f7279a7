//! What one kind of credential looks like, as data.

use std::ops::Range;

use crate::class::Class;
use crate::text::Text;

/// One kind of credential.
///
/// The examples are templates: `{w36}` stands for 36 made-up characters (see `tests::template`),
/// so that no string in this repository looks like a leaked key.
pub(crate) struct Kind {
    /// Names the kind in tests.
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests name kinds"))]
    pub(crate) id: &'static str,
    /// At least three bytes each; nothing of this kind exists where none of them is.
    pub(crate) anchors: &'static [&'static str],
    pub(crate) shape: Shape,
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests run examples"))]
    pub(crate) matches: &'static [&'static str],
    #[cfg_attr(not(test), expect(dead_code, reason = "only tests run examples"))]
    pub(crate) not_matches: &'static [&'static str],
}

/// How the credential is read once an anchor was seen.
pub(crate) enum Shape {
    /// The anchor, then parts of fixed alphabets. The whole of it is the secret.
    Token(Token),
    /// Read by a function of its own.
    Read(Reader),
}

/// Reads from the anchor at `at` and adds the ranges that are secret, in order, none before the floor.
pub(crate) type Reader = fn(text: &Text<'_>, at: usize, anchor: &str, found: &mut Vec<Range<usize>>);

/// An anchor with what must stand before and after it.
pub(crate) struct Token {
    /// What precedes the anchor and belongs to the secret.
    pub(crate) lead: Option<Run>,
    pub(crate) parts: &'static [Part],
    pub(crate) proof: Proof,
}

/// What else a token needs, beyond its shape, to be taken for one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proof {
    /// The prefix says it all.
    Shape,
    /// The prefix also occurs in ordinary words, so the rest must look made by a machine.
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

/// A part that is always the same.
pub(crate) const fn then(text: &'static str) -> Part {
    Part::Text(text)
}

type Words = &'static [&'static str];

/// A kind whose prefix alone gives it away.
pub(crate) const fn token(id: &'static str, anchors: Words, parts: &'static [Part], matches: Words) -> Kind {
    let shape = Shape::Token(Token { lead: None, parts, proof: Proof::Shape });
    Kind { id, anchors, shape, matches, not_matches: &[] }
}

/// A kind whose prefix also occurs in ordinary words.
pub(crate) const fn random(id: &'static str, anchors: Words, parts: &'static [Part], matches: Words) -> Kind {
    let shape = Shape::Token(Token { lead: None, parts, proof: Proof::Random });
    Kind { id, anchors, shape, matches, not_matches: &[] }
}

/// A kind read by a function of its own.
pub(crate) const fn read(id: &'static str, anchors: Words, reader: Reader, matches: Words) -> Kind {
    Kind { id, anchors, shape: Shape::Read(reader), matches, not_matches: &[] }
}

impl Kind {
    /// The same kind with text that must stay.
    pub(crate) const fn but_not(self, not_matches: Words) -> Self {
        Self { not_matches, ..self }
    }

    /// The same kind with characters of `class` before the anchor.
    pub(crate) const fn led_by(self, class: Class, least: usize, most: usize) -> Self {
        let Shape::Token(Token { parts, proof, .. }) = self.shape else { return self };
        let lead = Some(Run { class, least, most });
        Self { shape: Shape::Token(Token { lead, parts, proof }), ..self }
    }
}
