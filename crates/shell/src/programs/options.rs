//! Reads options as programs read them: `getopt` and `getopt_long`, driven by a table of which take a value.
//!
//! Short options may be bundled (`-euo pipefail`) and their value glued on (`-n5`), long ones abbreviated as
//! far as they stay unique, values given by `=` or as the next word; `--` ends them, `-` is an operand.

use crate::text::Text;

/// The options of a program, as far as they matter: names with their dashes, separated by spaces.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Spec<'s> {
    /// Options that take a value; `--bind:2` takes two.
    pub values: &'s str,
    /// Options whose value may be left out, and is glued on if given: `-i[SUFFIX]`, `--color[=WHEN]`.
    pub optional: &'s str,
    /// Options without a value. Those left out are read as such, but [`Found::is_known`] says that they are guessed.
    pub flags: &'s str,
    /// The table has only some options: `-auto-approve` may be one word though it is not listed.
    pub is_partial: bool,
}

/// One option of a command.
#[derive(Debug)]
pub(crate) struct Found<'a> {
    name: Name<'a>,
    pub value: Option<Text>,
    /// Whether the table has it: of others it is not known whether the next word is their value.
    pub is_known: bool,
}

/// A name as written, or the whole of an abbreviated one.
#[derive(Debug, Clone, Copy)]
enum Name<'a> {
    /// A letter of a word that starts with one dash.
    Letter(char),
    /// With its dashes: `--user`, `-chdir`.
    Word(&'a str),
}

impl Found<'_> {
    /// Returns whether it is one of these options, `|` between them.
    pub(crate) fn is(&self, names: &str) -> bool {
        !names.is_empty() && self::names(names, b'|').any(|name| self.is_named(name))
    }

    /// Returns whether it is one of these options, separated by `|`, or an abbreviation of an option that the table lacks.
    pub(crate) fn may_be(&self, names: &str) -> bool {
        match self.name {
            // WHY apart: a letter has no abbreviation, and is found without cutting the list.
            Name::Letter(letter) => has_letter(names, b'|', letter),
            Name::Word(_) => {
                self::names(names, b'|').any(|name| self.is_named(name) || self.abbreviates(name))
            }
        }
    }

    fn abbreviates(&self, name: &str) -> bool {
        matches!(self.name, Name::Word(word)
            if !self.is_known && word.len() >= 4 && word.starts_with("--") && name.starts_with(word))
    }

    /// Returns whether it is one of these options, separated by spaces.
    pub(crate) fn is_of(&self, names: &str) -> bool {
        self::names(names, b' ').any(|name| self.is_named(name))
    }

    fn is_named(&self, name: &str) -> bool {
        match self.name {
            Name::Letter(letter) => is_letter(name, letter),
            Name::Word(word) => word == name,
        }
    }
}

/// The next item among the words of a command.
#[derive(Debug)]
pub(crate) enum Item<'a> {
    Option(Found<'a>),
    /// The index of a word that is neither an option nor the value of one.
    Operand(usize),
}

/// Goes through the words of a command.
#[derive(Debug)]
pub(crate) struct Options<'a> {
    words: &'a [Text],
    spec: Spec<'a>,
    at: usize,
    /// Where in the word at `at` the next bundled letter stands.
    letter: usize,
    ended: bool,
}

impl<'a> Options<'a> {
    pub(crate) const fn new(words: &'a [Text], spec: Spec<'a>) -> Self {
        Self { words, spec, at: 0, letter: 0, ended: false }
    }

    /// The index behind all words read so far.
    pub(crate) const fn at(&self) -> usize {
        self.at
    }

    /// The index of the next word, whatever is left of bundled letters.
    pub(crate) fn next_word(&self) -> usize {
        (self.at + usize::from(self.letter > 0)).min(self.words.len())
    }

    /// The word that the last option was bundled in.
    pub(crate) fn bundle(&self) -> Option<&'a str> {
        (self.letter > 0).then(|| self.words.get(self.at).map(|word| word.text.as_str())).flatten()
    }

    /// Returns whether `--` has been read.
    pub(crate) const fn has_ended(&self) -> bool {
        self.ended
    }

    fn long(&mut self, word: &'a Text) -> Found<'a> {
        let text = word.text.as_str();
        self.at += 1;
        let equals = text.find('=').filter(|at| word.holes.first().is_none_or(|(start, _)| at < start));
        let written = &text[..equals.unwrap_or(text.len())];
        let entry = self.spec.entry(written);
        let name = Name::Word(entry.map_or(written, |(name, _)| name));
        let value = match (equals, entry) {
            (Some(at), _) => Some(word.slice(at + 1, text.len())),
            (None, Some((_, Takes::Values(n)))) => self.take(n),
            (None, _) => None,
        };
        Found { name, value, is_known: entry.is_some() }
    }

    /// The value of an option is the next word; of several the last one is returned.
    fn take(&mut self, n: usize) -> Option<Text> {
        self.at += n;
        self.words.get(self.at - 1).cloned()
    }

    fn bundled(&mut self, word: &'a Text) -> Option<Found<'a>> {
        let known = word.holes.first().map_or(word.text.len(), |(start, _)| *start);
        let letter = word.text.get(self.letter..known)?.chars().next()?;
        let behind = self.letter + letter.len_utf8();
        let takes = self.spec.takes(letter);
        let rest = (behind < word.text.len()).then(|| word.slice(behind, word.text.len()));
        self.letter = behind;
        let value = match takes {
            Some(Takes::Values(n)) if rest.is_none() => {
                self.at += 1;
                self.letter = 0;
                self.take(n)
            }
            Some(Takes::Values(_)) => {
                self.letter = word.text.len();
                rest
            }
            Some(Takes::Optional) => {
                self.letter = word.text.len();
                rest
            }
            Some(Takes::Nothing) | None => None,
        };
        Some(Found { name: Name::Letter(letter), value, is_known: takes.is_some() })
    }
}

impl<'a> Iterator for Options<'a> {
    type Item = Item<'a>;

    fn next(&mut self) -> Option<Item<'a>> {
        loop {
            let word = self.words.get(self.at)?;
            if self.letter > 0 {
                if let Some(found) = self.bundled(word) {
                    return Some(Item::Option(found));
                }
                self.letter = 0;
                self.at += 1;
                continue;
            }
            let text = word.text.as_str();
            let starts_known = word.holes.first().is_none_or(|(start, _)| *start > 0);
            if self.ended || text.len() < 2 || !text.starts_with('-') || !starts_known {
                self.at += 1;
                return Some(Item::Operand(self.at - 1));
            }
            if text == "--" {
                self.ended = true;
                self.at += 1;
            } else if text.starts_with("--") || self.spec.has_word(text) {
                return Some(Item::Option(self.long(word)));
            } else if !self.spec.is_partial || self.spec.is_bundle(text) {
                self.letter = 1;
            } else {
                self.at += 1;
                let name = &text[..text.find('=').unwrap_or(text.len())];
                return Some(Item::Option(Found { name: Name::Word(name), value: None, is_known: false }));
            }
        }
    }
}

/// The values of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    Optional,
    Values(usize),
}

impl<'s> Spec<'s> {
    /// Returns all names with the values they take.
    fn entries(&self) -> impl Iterator<Item = (&'s str, Takes)> {
        let values = names(self.values, b' ').map(|name| match name.split_once(':') {
            Some((name, n)) => (name, Takes::Values(n.parse().unwrap_or(1))),
            None => (name, Takes::Values(1)),
        });
        let optional = names(self.optional, b' ').map(|name| (name, Takes::Optional));
        values.chain(optional).chain(names(self.flags, b' ').map(|name| (name, Takes::Nothing)))
    }

    fn takes(&self, letter: char) -> Option<Takes> {
        if has_letter(self.values, b' ', letter) {
            Some(Takes::Values(1))
        } else if has_letter(self.optional, b' ', letter) {
            Some(Takes::Optional)
        } else {
            has_letter(self.flags, b' ', letter).then_some(Takes::Nothing)
        }
    }

    /// Returns the entry of a long option, written out or abbreviated; `None` if several or none fit.
    fn entry(&self, written: &str) -> Option<(&'s str, Takes)> {
        let mut abbreviated = None;
        let mut n_abbreviated = 0;
        for (name, takes) in self.entries() {
            if name == written {
                return Some((name, takes));
            }
            if name.starts_with(written) && written.len() > 2 {
                n_abbreviated += usize::from(abbreviated.is_none_or(|(_, known)| known != takes));
                abbreviated = Some((name, takes));
            }
        }
        // Of several that fit the program takes none; those that take the same are read alike.
        abbreviated.filter(|_| n_abbreviated == 1)
    }

    /// Returns whether a word with one dash is made of short options, when not all options are known.
    fn is_bundle(&self, text: &str) -> bool {
        /// More different letters than this are a word.
        const LETTERS: usize = 7;
        let letters = &text[1..];
        let value_at = letters.find(|letter| matches!(self.takes(letter), Some(Takes::Values(_))));
        if value_at == Some(0) {
            return true;
        }
        let flags = &letters[..value_at.unwrap_or(letters.len())];
        let n_different = flags.char_indices().filter(|(at, letter)| !flags[..*at].contains(*letter)).count();
        flags.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && n_different <= LETTERS
            && (value_at.is_none_or(|at| at + 1 == letters.len()) || !self.has_words())
    }

    /// Returns whether some options of several letters have one dash.
    fn has_words(&self) -> bool {
        self.entries().any(|(name, _)| name.len() > 2 && !name.starts_with("--"))
    }

    /// Returns whether a word with one dash is an option of several letters: `-out=plan`, `-exec`.
    fn has_word(&self, text: &str) -> bool {
        if text.len() < 3 {
            return false;
        }
        let name = &text[..text.bytes().position(|byte| byte == b'=').unwrap_or(text.len())];
        name.len() > 2 && self.entries().any(|(known, _)| known == name)
    }
}

/// The names of a list. WHY: lists are short and read for every option of every command; splitting by a
/// searcher costs more than their bytes.
fn names(list: &str, separator: u8) -> impl Iterator<Item = &str> {
    let mut rest = list;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = rest.bytes().position(|byte| byte == separator).unwrap_or(rest.len());
        let name = &rest[..end];
        rest = rest.get(end + 1..).unwrap_or("");
        Some(name)
    })
}

/// Returns whether a list has the short option of this letter.
fn has_letter(list: &str, separator: u8, letter: char) -> bool {
    let Ok(letter) = u8::try_from(letter) else { return false };
    let bytes = list.as_bytes();
    bytes.windows(2).enumerate().any(|(at, pair)| {
        pair[1] == letter
            && pair[0] == b'-'
            && (at == 0 || bytes[at - 1] == separator)
            && bytes.get(at + 2).is_none_or(|byte| *byte == separator)
    })
}

/// Returns whether `name` is the short option of this letter.
fn is_letter(name: &str, letter: char) -> bool {
    name.strip_prefix('-').is_some_and(|rest| {
        let mut letters = rest.chars();
        letters.next() == Some(letter) && letters.next().is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The options and operands of a line, one text each.
    fn check(spec: Spec<'_>, words: &[&str], expected: &[&str]) {
        let words: Vec<Text> = words.iter().map(|word| Text::known(*word)).collect();
        let found: Vec<String> = Options::new(&words, spec)
            .map(|item| match item {
                Item::Operand(at) => words[at].text.clone(),
                Item::Option(found) => {
                    let name = match found.name {
                        Name::Letter(letter) => format!("-{letter}"),
                        Name::Word(word) => word.to_owned(),
                    };
                    let value = found.value.map_or(String::new(), |value| format!("={}", value.text));
                    format!("{name}{value}{}", if found.is_known { "" } else { "?" })
                }
            })
            .collect();
        assert_eq!(found, expected, "{words:?}");
    }

    const SPEC: Spec<'static> = Spec {
        values: "-o -n --user --bind:2 -chdir",
        optional: "-i --color",
        flags: "-e -u --verbose --version",
        is_partial: false,
    };

    #[test]
    fn letters_are_bundled_and_the_last_may_take_the_next_word() {
        check(SPEC, &["-euo", "pipefail", "x"], &["-e", "-u", "-o=pipefail", "x"]);
        check(SPEC, &["-n5", "-eo5"], &["-n=5", "-e", "-o=5"]);
        check(SPEC, &["-ei.bak", "-i", "x"], &["-e", "-i=.bak", "-i", "x"]);
        check(SPEC, &["-zo", "v"], &["-z?", "-o=v"]);
    }

    #[test]
    fn long_options_take_values_either_way_and_may_be_cut_short() {
        check(SPEC, &["--user", "a", "--user=b", "--us", "c"], &["--user=a", "--user=b", "--user=c"]);
        check(SPEC, &["--color", "x", "--col=y"], &["--color", "x", "--color=y"]);
        check(SPEC, &["--bind", "a", "b", "c"], &["--bind=b", "c"]);
        check(SPEC, &["--other", "c"], &["--other?", "c"]);
        check(SPEC, &["-chdir=a", "-chdir", "b", "c"], &["-chdir=a", "-chdir=b", "c"]);
    }

    #[test]
    fn two_dashes_end_options_and_one_is_an_operand() {
        check(SPEC, &["-", "--", "-e", "--user"], &["-", "-e", "--user"]);
        check(SPEC, &["-o", "--", "-e"], &["-o=--", "-e"]);
    }
}
