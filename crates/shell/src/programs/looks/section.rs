//! The sections of the lists, and where each program's stand: an index computed when the crate is compiled.

use crate::text::Text;

/// All sections. WHY one text: an offset into it is one number.
pub(super) static SECTIONS: &str = concat!(
    include_str!("builtins.txt"),
    include_str!("files.txt"),
    include_str!("text.txt"),
    include_str!("git.txt"),
    include_str!("develop.txt"),
    include_str!("packages.txt"),
    include_str!("network.txt"),
    include_str!("containers.txt"),
    include_str!("system.txt"),
    include_str!("databases.txt"),
    include_str!("cloud.txt"),
    include_str!("media.txt"),
    include_str!("machines.txt"),
    include_str!("inspect.txt"),
);

/// Slots of the open hash table; a power of two, more than twice the number of names in all headers.
const SLOTS: usize = 4096;

/// Where a name stands in the text, and the header it belongs to.
#[derive(Clone, Copy)]
struct Slot {
    /// 0 if the slot is empty, as the text starts with a comment.
    name: u32,
    header: u32,
}

/// The sections by the hash of each of their names. WHY the place of the name: comparing there is cheaper than parsing
/// the headers of all programs that share a run of slots.
static NAMES: [Slot; SLOTS] = build();

#[expect(clippy::large_stack_arrays, reason = "the compiler runs this")]
const fn build() -> [Slot; SLOTS] {
    let text = SECTIONS.as_bytes();
    let mut slots = [Slot { name: 0, header: 0 }; SLOTS];
    let mut at = 0;
    while at < text.len() {
        let line = at;
        let is_header = !matches!(text[at], b' ' | b'#' | b'\n');
        let mut start = at;
        while is_header && text[at] != b' ' && text[at] != b'\n' {
            at += 1;
            if matches!(text[at], b',' | b' ' | b'\n') {
                let mut slot = hash(text, start, at);
                while slots[slot].name != 0 {
                    slot = (slot + 1) % SLOTS;
                }
                #[expect(clippy::cast_possible_truncation, reason = "the text has less than a megabyte")]
                let found = Slot { name: start as u32, header: line as u32 };
                slots[slot] = found;
                start = at + 1;
            }
        }
        while text[at] != b'\n' {
            at += 1;
        }
        at += 1;
    }
    slots
}

/// FNV-1a of `text[start..end]`, folded to a slot.
const fn hash(text: &[u8], start: usize, end: usize) -> usize {
    let mut value: u32 = 0x811c_9dc5;
    let mut at = start;
    while at < end {
        value = (value ^ text[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    ((value ^ (value >> 16)) as usize) % SLOTS
}

/// A header with the lists below it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Section {
    /// Names of programs, separated by commas; only tests list them.
    #[cfg(test)]
    pub names: &'static str,
    /// Subcommands, or nothing, or `...`.
    pub phrases: &'static str,
    /// The text between `<` and `>`.
    pub rules: &'static str,
    /// The text behind the header.
    rest: &'static str,
}

impl Section {
    /// A section of no program.
    pub(super) const EMPTY: Self = Self {
        #[cfg(test)]
        names: "",
        phrases: "",
        rules: "",
        rest: "",
    };

    /// Parses the section at an offset.
    pub(super) fn at(offset: usize) -> Self {
        let text = &SECTIONS[offset..];
        let (header, rest) = text.split_once('\n').unwrap_or((text, ""));
        let (_, rest_of_header) = header.split_once(' ').unwrap_or((header, ""));
        let (phrases, rules) = rest_of_header.split_once('<').unwrap_or((rest_of_header, ""));
        Self {
            #[cfg(test)]
            names: header.split(' ').next().unwrap_or_default(),
            phrases: phrases.trim_end(),
            rules: rules.trim_end_matches('>'),
            rest,
        }
    }

    /// The lines of options. WHY not kept: most sections of a program are passed over by their header.
    pub(super) fn body(&self) -> &'static str {
        let rest = self.rest;
        let mut end = 0;
        while rest[end..].starts_with("  ") {
            end += rest[end..].find('\n').map_or(rest.len() - end, |at| at + 1);
        }
        &rest[..end]
    }

    pub(super) fn has_rule(&self, rule: &str) -> bool {
        !self.rules.is_empty()
            && self.rules.as_bytes().split(|byte| *byte == b';').any(|it| it == rule.as_bytes())
    }

    /// The phrases. WHY not `split("; ")`: looking for two bytes costs a search with tables.
    fn phrases(&self) -> impl Iterator<Item = &'static str> {
        self.phrases.split(';').map(str::trim)
    }

    /// The alternatives of the phrases that fit the operands; returns how many operands they take.
    pub(super) fn fits(&self, operands: &[&str]) -> Option<usize> {
        self.phrases().find_map(|phrase| {
            let mut n = 0;
            for choices in phrase.split(' ') {
                let operand = *operands.get(n)?;
                let fits = choices.split('|').any(|choice| match choice.strip_suffix('*') {
                    Some(prefix) => operand.starts_with(prefix),
                    None => choice == operand,
                });
                if !fits {
                    return None;
                }
                n += 1;
            }
            Some(n)
        })
    }

    /// Returns whether a word of the call may start one of the phrases.
    pub(super) fn may_fit(&self, words: &Starts<'_>) -> bool {
        let text = self.phrases.as_bytes();
        let mut at = 0;
        // The alternatives of the first word of each phrase.
        let mut is_first = true;
        while at < text.len() {
            let start = at;
            while at < text.len() && !matches!(text[at], b'|' | b' ' | b';') {
                at += 1;
            }
            let choice = &text[start..at];
            if is_first && !choice.is_empty() && (choice.ends_with(b"*") || words.has(choice)) {
                return true;
            }
            is_first = match text.get(at) {
                Some(b';') => true,
                Some(b' ') => is_first && choice.is_empty(),
                _ => is_first,
            };
            at += 1;
        }
        false
    }
}

/// The words of a call, with the set of bytes they start with.
///
/// WHY: each is compared with every subcommand of a program, and hardly one begins alike.
pub(super) struct Starts<'w> {
    words: &'w [Text],
    first: [u64; 4],
}

impl<'w> Starts<'w> {
    pub(super) fn of(words: &'w [Text]) -> Self {
        let mut first = [0; 4];
        for word in words {
            if let Some(byte) = word.text.as_bytes().first() {
                first[usize::from(byte >> 6)] |= 1 << (byte & 63);
            }
        }
        Self { words, first }
    }

    fn has(&self, choice: &[u8]) -> bool {
        let byte = choice[0];
        self.first[usize::from(byte >> 6)] & 1 << (byte & 63) != 0
            && self.words.iter().any(|word| word.text.as_bytes() == choice)
    }
}

/// Returns the sections of a program, in the order of the text.
pub(crate) fn sections(name: &str) -> impl Iterator<Item = Section> {
    let start = hash(name.as_bytes(), 0, name.len());
    (0..SLOTS)
        .map(move |step| NAMES[(start + step) % SLOTS])
        .take_while(|slot| slot.name != 0)
        .filter(move |slot| is_name_at(slot.name as usize, name))
        .map(|slot| Section::at(slot.header as usize))
}

/// Returns whether a header has this name at this place, as a whole.
fn is_name_at(at: usize, name: &str) -> bool {
    let behind = &SECTIONS.as_bytes()[at..];
    behind.starts_with(name.as_bytes()) && matches!(behind.get(name.len()), Some(b',' | b' ' | b'\n'))
}
