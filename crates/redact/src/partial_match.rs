//! Finds text that may become a match of a user's pattern once more text arrives.
//!
//! A pattern can match over several lines, such as the value of a variable that holds a key. A
//! live display must not show the first line before the rest has arrived.

use regex::bytes::{Regex, RegexBuilder};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Hir, HirKind, Repetition};

/// The most bytes of literals in a larger pattern; longer patterns are not analysed.
const MAX_LITERAL: usize = 256;

/// Finds partial matches of one pattern.
#[derive(Debug, Clone)]
pub(crate) enum PartialMatch {
    /// The pattern is a literal.
    Text(Box<[u8]>),
    /// Matches any prefix of a match, at the end of a string.
    Beginning(Regex),
    /// The pattern cannot be analysed.
    Unknown,
}

impl PartialMatch {
    pub(crate) fn of(pattern: &str) -> Self {
        let parsed = ParserBuilder::new().unicode(false).utf8(false).build().parse(pattern);
        let Ok(hir) = parsed else { return Self::Unknown };
        if let HirKind::Literal(literal) = hir.kind() {
            return Self::Text(literal.0.clone());
        }
        let mut budget = MAX_LITERAL;
        let Some(beginning) = beginning(&hir, &mut budget) else { return Self::Unknown };
        let pattern = format!("(?:{beginning})\\z");
        let compiled = RegexBuilder::new(&pattern).unicode(false).size_limit(1 << 22).build();
        compiled.map_or(Self::Unknown, Self::Beginning)
    }

    /// Returns the first place in `text`, not before `from`, where a match may begin that the end of
    /// the text cuts off; the end if no match can.
    pub(crate) fn place(&self, text: &[u8], from: usize) -> usize {
        match self {
            Self::Text(whole) => {
                let first = from.max((text.len() + 1).saturating_sub(whole.len()));
                (first..text.len()).find(|at| whole.starts_with(&text[*at..])).unwrap_or(text.len())
            }
            Self::Beginning(regex) => regex.find_at(text, from).map_or(text.len(), |found| found.start()),
            Self::Unknown => from,
        }
    }
}

/// Returns a pattern for every prefix of every match of `hir`, from empty to whole.
fn beginning(hir: &Hir, budget: &mut usize) -> Option<Hir> {
    Some(match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Hir::empty(),
        HirKind::Literal(literal) => {
            *budget = budget.checked_sub(literal.0.len())?;
            let bytes = literal.0.iter().rev();
            bytes.fold(Hir::empty(), |rest, byte| optional(Hir::concat(vec![Hir::literal([*byte]), rest])))
        }
        HirKind::Class(class) => optional(Hir::class(class.clone())),
        HirKind::Repetition(repetition) => {
            // Some complete repetitions, and a prefix of one more.
            let max = repetition.max.map(|max| max.saturating_sub(1));
            let whole = Hir::repetition(Repetition { min: 0, max, ..repetition.clone() });
            Hir::concat(vec![whole, beginning(&repetition.sub, budget)?])
        }
        HirKind::Capture(capture) => beginning(&capture.sub, budget)?,
        HirKind::Concat(parts) => {
            let mut whole = Hir::empty();
            for part in parts.iter().rev() {
                let goes_on = Hir::concat(vec![part.clone(), whole]);
                whole = Hir::alternation(vec![goes_on, beginning(part, budget)?]);
            }
            whole
        }
        HirKind::Alternation(ways) => {
            let ways: Option<Vec<Hir>> = ways.iter().map(|way| beginning(way, budget)).collect();
            Hir::alternation(ways?)
        }
    })
}

fn optional(hir: Hir) -> Hir {
    Hir::repetition(Repetition { min: 0, max: Some(1), greedy: true, sub: Box::new(hir) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_that_the_end_cuts_off_is_found_at_its_beginning() {
        for (pattern, text, open) in [
            (r"correct horse\x0Abattery", "I know correct horse\n", "correct horse\n"),
            (r"correct horse\x0Abattery", "correct horse\nstaple\n", ""),
            (r"key:\s+\w+", "the key:\n", "key:\n"),
            (r"key:\s+\w+", "the key: abc\n", ""),
            (r"key:\s+\w+", "the key: ab", "key: ab"),
            (r"(?:one|two)\n[0-9]{4}", "x two\n12", "two\n12"),
            (r"(?:one|two)\n[0-9]{4}", "x two\n12345", ""),
            (r#""secret": "[^"]*""#, "{\"secret\": \"line\nline\n", "\"secret\": \"line\nline\n"),
            (r"order-[0-9]+", "order\n", ""),
            (r"^begin\b.*\nend$", "begin this\n", "begin this\n"),
        ] {
            let place = PartialMatch::of(pattern).place(text.as_bytes(), 0);
            assert_eq!(&text[place..], open, "{pattern} in {text:?}");
        }
    }

    #[test]
    fn of_a_pattern_that_is_too_long_to_look_into_everything_is_held_back() {
        let pattern = format!("({}|b)c", "a".repeat(1000));
        assert_eq!(PartialMatch::of(&pattern).place(b"nothing of it", 3), 3);
    }

    #[test]
    fn every_cut_of_a_match_is_seen() {
        for (pattern, whole) in [
            (r"a(?:bc)+d{2,3}|x\ny", "abcbcddd"),
            (r"a(?:bc)+d{2,3}|x\ny", "x\ny"),
            (r"\w+\s*=\s*(['q]).*?\n;", "name = 'some\n;"),
        ] {
            let partial_match = PartialMatch::of(pattern);
            for cut in 1..whole.len() {
                assert_eq!(
                    partial_match.place(&whole.as_bytes()[..cut], 0),
                    0,
                    "{pattern}: {:?}",
                    &whole[..cut]
                );
            }
        }
    }
}
