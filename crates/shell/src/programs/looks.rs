//! Proves that a call only looks: every option of it is listed as one that neither writes, nor runs code, nor sends data.
//!
//! The lists are text, one file per family (`looks/*.txt`). A section is a line of names, subcommands and rules for
//! operands, followed by lines of options that start with the reason why they are safe ([`REASONS`]):
//!
//! ```text
//! git branch <1>
//!   must -a --list
//!   print --color? --sort= -n=2 -X=GET -#
//! ```
//!
//! `=` takes a value (`=2` two, `=GET` only that one), `?` may have one glued on, `@` is followed by a command up to `;`,
//! `-#` is a number. `a|b` are alternatives, `*` any word, `; ` separates phrases, `...` stands for every subcommand.
//! Rules: `<2>` at most two operands, `<no x y>` none of these, `<no =>` no assignment, `<+>` only formats, `<get>` only
//! requests without data, `<any>` any words, `<never>` no call, `<old>` the first word may be options without a dash,
//! `<judged>` the operands decide, `<front>` other options than these do not stand in front of the subcommand, `<long>` the
//! program does not bundle letters (`-delete` is one option), `<without x>` no word contains this text, `<streams>` operands are
//! streams of the process, `<to ->` the last operand is `-`, `<alone>` other sections do not take these options. `as WORD`
//! takes the options of another section. In `must`, `<--check>` is a word behind `--`.
//!
//! WHY text: a table of string slices would add thousands of pointers that are read in at the start of every process.

mod section;
#[cfg(test)]
mod tests;

pub(crate) use section::sections;

use crate::text::Text;
use section::{Section, Starts};

/// Why an option is safe, by the word in front of its list.
#[cfg(test)]
pub(super) const REASONS: [(&str, &str); 9] = [
    ("select", "chooses which of the things that are read anyway are shown"),
    ("print", "changes how the result is printed"),
    ("source", "names a file, folder, server or account to read from"),
    ("limit", "bounds how much is read, or for how long"),
    ("mode", "switches to another computation on the same input"),
    ("must", "makes the program look instead of acting; one of these must be given"),
    ("runs", "names a command, which is judged by itself"),
    ("sink", "writes to a stream of the process itself, or to nowhere"),
    ("as", "the same options as another subcommand"),
];

/// The result of looking for every option of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Proof {
    /// An option, a subcommand or an operand is not listed.
    Unlisted,
    /// All are listed, but the operands decide: statements, scripts.
    Judged,
    /// The call changes nothing.
    Proven,
}

impl Proof {
    /// Returns whether all options are listed.
    pub(crate) fn is_listed(self) -> bool {
        self != Self::Unlisted
    }
}

/// More sections than any program has.
const SECTIONS: usize = 48;

/// Checks whether a call of the program `name` with these words is proven to change nothing.
pub(crate) fn prove(name: &str, words: &[Text]) -> Proof {
    // Each header is parsed once: some programs have dozens of sections.
    let mut all = [Section::EMPTY; SECTIONS];
    let mut n = 0;
    let mut front = Lists::new(false);
    let mut has_phrases = false;
    let mut is_strict = false;
    for (place, section) in all.iter_mut().zip(sections(name)) {
        let is_front = section.phrases.is_empty() || section.phrases == "...";
        has_phrases |= !is_front;
        front.is_long |= section.has_rule("long");
        if is_front && !section.has_rule("alone") {
            front.add(section.body());
            is_strict |= section.has_rule("front");
        }
        *place = section;
        n += 1;
    }
    let all = &all[..n];
    let starts = Starts::of(words);
    let found = all.iter().find(|section| match section.phrases {
        "..." => false,
        "" => proves(all, section, &front, is_strict, words, has_phrases),
        _ => section.may_fit(&starts) && proves(all, section, &front, is_strict, words, false),
    });
    match found {
        None => Proof::Unlisted,
        Some(section) if section.has_rule("judged") => Proof::Judged,
        Some(_) => Proof::Proven,
    }
}

/// Returns whether one section proves a call; `alone` if operands would be subcommands of other sections.
fn proves(
    all: &[Section],
    section: &Section,
    front: &Lists,
    is_strict: bool,
    words: &[Text],
    alone: bool,
) -> bool {
    if section.has_rule("never") {
        return false;
    }
    if section.has_rule("any") {
        return true;
    }
    let mut own = Lists::new(front.is_long);
    own.add(section.body());
    for at in 0..own.n {
        if let ("as", word) = own.lines[at] {
            for other in all.iter().filter(|other| other.fits(&[word]).is_some()) {
                own.add(other.body());
            }
        }
    }
    let mut call = Parsed { has_must: false, n_operands: 0, operands: [""; OPERANDS] };
    if !call.parse(&own, front, is_strict && !section.phrases.is_empty(), section, words) {
        return false;
    }
    let operands = &call.operands[..call.n_operands.min(OPERANDS)];
    let taken = if section.phrases.is_empty() {
        0
    } else {
        match section.fits(operands) {
            Some(taken) => taken,
            None => return false,
        }
    };
    let n_free = call.n_operands - taken;
    if alone && n_free > 0 && !section.rules.bytes().any(|byte| byte.is_ascii_digit()) && own.must().is_none()
    {
        return false;
    }
    let free = operands.get(taken..).unwrap_or(&[]);
    own.is_satisfied(&call, n_free, free) && allows(section.rules, words, operands, taken, n_free)
}

/// Returns whether the rules of a section permit the operands behind the subcommand.
fn allows(rules: &str, words: &[Text], operands: &[&str], taken: usize, n_free: usize) -> bool {
    let free = operands.get(taken..).unwrap_or(&[]);
    rules.split(';').all(|rule| match rule {
        "" | "old" | "front" | "judged" | "long" | "alone" => true,
        "streams" => free.iter().all(|word| {
            matches!(
                *word,
                "/dev/null" | "/dev/stdout" | "/dev/stderr" | "/dev/tty" | "/dev/fd/1" | "/dev/fd/2"
            )
        }),
        "+" => words.iter().any(|word| word.text == "-j") || free.iter().all(|word| word.starts_with('+')),
        "no =" => !words.iter().any(|word| !word.text.starts_with('-') && word.text.contains('=')),
        "get" => match free {
            [method, rest @ ..]
                if !rest.is_empty() && method.bytes().all(|byte| byte.is_ascii_alphabetic()) =>
            {
                ["GET", "HEAD", "OPTIONS"].iter().any(|known| method.eq_ignore_ascii_case(known))
                    && rest.iter().all(|word| is_request_without_data(word))
            }
            words => words.iter().all(|word| is_request_without_data(word)),
        },
        "to -" => free.last() == Some(&"-"),
        _ if rule.starts_with("without ") => {
            let part = &rule["without ".len()..];
            !words.iter().any(|word| word.text.contains(part))
        }
        _ => match rule.strip_prefix("no ") {
            Some(banned) => {
                let options =
                    words.iter().map(|word| word.text.as_str()).filter(|word| word.starts_with('-'));
                !options
                    .chain(operands.iter().skip(taken.min(1)).copied())
                    .any(|word| banned.split(' ').any(|banned| banned == word))
            }
            None => rule.parse::<usize>().is_ok_and(|most| n_free <= most),
        },
    })
}

/// A word of httpie that sends no data: an address, a header, a query.
fn is_request_without_data(word: &str) -> bool {
    let address = word.contains("://") || word.starts_with([':', '/']);
    address || !word.contains([';', '@']) && (!word.contains('=') || word.contains("=="))
}

/// More operands than this are only counted.
const OPERANDS: usize = 24;

/// The words of a call, as a section reads them.
struct Parsed<'w> {
    has_must: bool,
    n_operands: usize,
    operands: [&'w str; OPERANDS],
}

impl<'w> Parsed<'w> {
    /// Splits the words; returns `false` at the first option that no list has.
    fn parse(
        &mut self,
        own: &Lists,
        front: &Lists,
        is_strict: bool,
        section: &Section,
        words: &'w [Text],
    ) -> bool {
        let mut at = 0;
        let mut has_ended = false;
        let has_plus = words.iter().any(|word| word.text.starts_with('+')) && own.has_plus();
        while let Some(word) = words.get(at) {
            at += 1;
            let known = &word.text[..word.holes.first().map_or(word.text.len(), |(start, _)| *start)];
            let is_old = at == 1 && section.has_rule("old") && !known.starts_with('-');
            let is_option = !has_ended
                && (known.len() > 1 && (known.starts_with('-') || has_plus && known.starts_with('+'))
                    || is_old);
            if !is_option {
                if let Some(place) = self.operands.get_mut(self.n_operands) {
                    *place = &word.text;
                }
                self.n_operands += 1;
                continue;
            }
            if known == "--" {
                has_ended = true;
                continue;
            }
            let lists: [&Lists; 2] = match (is_strict, self.n_operands) {
                (true, 0) => [front, front],
                (true, _) => [own, own],
                (false, _) => [own, front],
            };
            let next = words.get(at);
            let own_step = lists[0].take(known, word, next, is_old);
            let is_own = own_step.is_some();
            let Some(step) = own_step.or_else(|| lists[1].take(known, word, next, is_old)) else {
                return false;
            };
            // What makes another section look says nothing about this one.
            self.has_must |= step.is_must && (is_own || matches!(known, "--help" | "--version"));
            at += match step.takes {
                Takes::Words(n) => n,
                Takes::Command => words[at..]
                    .iter()
                    .position(|word| matches!(word.text.as_str(), ";" | "+"))
                    .map_or(words.len() - at, |end| end + 1),
            };
        }
        true
    }
}

/// The words behind an option that belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    Words(usize),
    Command,
}

/// An option that a list has.
#[derive(Debug, Clone, Copy)]
struct Step {
    takes: Takes,
    is_must: bool,
}

/// Lines of options, each with its reason in front.
///
/// WHY split beforehand: a call looks for each of its options in them, and some lists have thousands of bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lists {
    lines: [(&'static str, &'static str); LINES],
    n: usize,
    /// The program does not bundle letters.
    is_long: bool,
}

/// More lines than any program has in the sections that one call needs.
const LINES: usize = 24;

impl Lists {
    const fn new(is_long: bool) -> Self {
        Self { lines: [("", ""); LINES], n: 0, is_long }
    }

    fn add(&mut self, body: &'static str) {
        for line in body.lines() {
            if let (Some(split), Some(place)) =
                (line.trim_start().split_once(' '), self.lines.get_mut(self.n))
            {
                *place = split;
                self.n += 1;
            }
        }
    }

    fn lines(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.lines[..self.n].iter().copied()
    }

    /// The options one of which must be given.
    fn must(&self) -> Option<&'static str> {
        self.lines().find(|(reason, _)| *reason == "must").map(|(_, list)| list)
    }

    fn has_plus(&self) -> bool {
        self.lines().any(|(_, list)| list.starts_with('+') || list.contains(" +"))
    }

    /// Returns whether one of the required options, words or circumstances is given.
    fn is_satisfied(&self, call: &Parsed<'_>, n_free: usize, free: &[&str]) -> bool {
        let Some(list) = self.must() else { return true };
        call.has_must
            || list.split(' ').any(|item| match item {
                "<any>" => true,
                "<none>" => n_free == 0,
                "<1>" => n_free <= 1,
                word if word.starts_with("<--") => free.contains(&&word[1..word.len() - 1]),
                word if word.starts_with(['-', '+', '<']) => false,
                word => free.contains(&word),
            })
    }

    /// Finds the option that a word is, or the options bundled in it.
    fn take(&self, known: &str, word: &Text, next: Option<&Text>, is_old: bool) -> Option<Step> {
        if matches!(known, "--help" | "--version") {
            return Some(Step { takes: Takes::Words(0), is_must: true });
        }
        let equals = known.find('=');
        let name = &known[..equals.unwrap_or(known.len())];
        let glued = equals.map(|at| &word.text[at + 1..]);
        if !is_old && let Some(step) = self.entry(name, glued, next) {
            return Some(step);
        }
        if known.starts_with("--") {
            return None;
        }
        if let Some(number) = known.strip_prefix('+') {
            let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
            let listed = self.has("+*") || is_number && self.has("+#");
            return listed.then_some(Step { takes: Takes::Words(0), is_must: false });
        }
        if self.is_long {
            let is_number = known[1..].bytes().all(|byte| byte.is_ascii_digit()) && self.has("-#");
            return is_number.then_some(Step { takes: Takes::Words(0), is_must: false });
        }
        self.bundle(known, word, next, usize::from(!is_old))
    }

    /// `-la`, `-n5`, `-20`
    fn bundle(&self, known: &str, word: &Text, next: Option<&Text>, start: usize) -> Option<Step> {
        let mut is_must = false;
        let mut name = [b'-', 0];
        for (at, letter) in known.as_bytes().iter().enumerate().skip(start) {
            if letter.is_ascii_digit()
                && known[at..].bytes().all(|byte| byte.is_ascii_digit())
                && self.has("-#")
            {
                return Some(Step { takes: Takes::Words(0), is_must });
            }
            name[1] = *letter;
            let name = std::str::from_utf8(&name).ok()?;
            let rest = word.text.get(at + 1..)?;
            let glued = (!rest.is_empty()).then_some(rest.strip_prefix('=').unwrap_or(rest));
            let (kind, first_must) = self.kind(name)?;
            is_must |= first_must;
            match kind {
                Kind::Flag => {}
                Kind::Optional => return Some(Step { takes: Takes::Words(0), is_must }),
                _ => {
                    let step = self.entry(name, glued, next)?;
                    return Some(Step { is_must: is_must | step.is_must, ..step });
                }
            }
        }
        Some(Step { takes: Takes::Words(0), is_must })
    }

    fn has(&self, name: &str) -> bool {
        self.lines().any(|(_, list)| kinds(list, name).any(|kind| kind == Kind::Flag))
    }

    fn kind(&self, name: &str) -> Option<(Kind, bool)> {
        self.lines().find_map(|(reason, list)| kinds(list, name).next().map(|kind| (kind, reason == "must")))
    }

    /// Finds an option by its whole name, with the value that is glued to it or the next word.
    fn entry(&self, name: &str, glued: Option<&str>, next: Option<&Text>) -> Option<Step> {
        let mut other = None;
        for (reason, list) in self.lines() {
            let is_must = reason == "must";
            if !is_must && other.is_some() {
                continue;
            }
            let found = kinds(list, name).find_map(|kind| takes(kind, glued, next));
            if let Some(takes) = found {
                let step = Step { takes, is_must };
                // An option that makes the program look counts as that, wherever else it is listed.
                if is_must {
                    return Some(step);
                }
                other = Some(step);
            }
        }
        other
    }
}

/// Returns the value that an option of a kind takes, if its value is one of those it may have.
fn takes(kind: Kind, glued: Option<&str>, next: Option<&Text>) -> Option<Takes> {
    match (kind, glued) {
        (Kind::Flag, Some(_)) => None,
        (Kind::Flag | Kind::Optional, _) | (Kind::Value(_), Some(_)) => Some(Takes::Words(0)),
        (Kind::Value(n), None) => Some(Takes::Words(n)),
        (Kind::Fixed(value), Some(given)) => given.eq_ignore_ascii_case(value).then_some(Takes::Words(0)),
        (Kind::Fixed(value), None) => {
            next.is_some_and(|next| next.text.eq_ignore_ascii_case(value)).then_some(Takes::Words(1))
        }
        (Kind::Command, _) => Some(Takes::Command),
    }
}

/// The values of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Flag,
    Optional,
    Value(usize),
    Fixed(&'static str),
    Command,
}

/// The kinds in which a list has an option of this name.
///
/// WHY words of eight bytes: lists are searched for every option of every command, and this was a quarter of the time of
/// a long line. An item that does not begin like the name costs one comparison, and the next one is found in a few steps.
fn kinds(list: &'static str, name: &str) -> impl Iterator<Item = Kind> {
    let (bytes, name) = (list.as_bytes(), name.as_bytes());
    let wanted = eight(name, 0);
    let mask = if name.len() < 8 { (1_u64 << (8 * name.len())) - 1 } else { u64::MAX };
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at;
            let end = next_space(bytes, start);
            at = end + 1;
            if (eight(bytes, start) ^ wanted) & mask != 0 {
                continue;
            }
            let Some(behind) = bytes[start..end].strip_prefix(name) else { continue };
            match behind {
                [] => return Some(Kind::Flag),
                b"?" => return Some(Kind::Optional),
                b"@" => return Some(Kind::Command),
                b"=" => return Some(Kind::Value(1)),
                b"=2" => return Some(Kind::Value(2)),
                [b'=', ..] => return Some(Kind::Fixed(&list[start + name.len() + 1..end])),
                _ => {}
            }
        }
        None
    })
}

/// Returns the eight bytes at `at`, the first in the lowest place; behind the end they are zero.
#[inline]
fn eight(bytes: &[u8], at: usize) -> u64 {
    let rest = &bytes[at..];
    if let Some(whole) = rest.first_chunk::<8>() {
        return u64::from_le_bytes(*whole);
    }
    rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// Returns the place of the first space at or behind `at`, or the length.
#[inline]
fn next_space(bytes: &[u8], mut at: usize) -> usize {
    const ONES: u64 = u64::MAX / 255;
    while at < bytes.len() {
        let others = eight(bytes, at) ^ (ONES * 0x20);
        // The lowest set bit marks the first byte that is zero; higher ones may err.
        let spaces = others.wrapping_sub(ONES) & !others & (ONES << 7);
        if spaces != 0 {
            return at + spaces.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    bytes.len()
}
