//! Programs that run another program: `sudo`, `env`, `timeout`, `npx`, `docker run`, …
//!
//! A row says where the inner command begins. One file of rows per kind of wrapper.

mod machines;
mod packages;
mod processes;
mod terminals;
mod users;
mod watchers;

use super::options::Spec;
use crate::reading::Site;

/// How the inner command is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inner {
    /// The rest of the words is the command.
    Words,
    /// The rest of the words, joined, is text for a shell.
    Shell,
    /// Only the value of an option of [`Wrapper::text`] runs; operands may stand in front of it.
    Option,
    /// Behind `--`.
    Dashes,
}

/// A program that runs another program.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wrapper {
    pub name: &'static str,
    /// Subcommands that must follow, up to three words each, alternatives separated by `|`; empty for none. `*` is any word.
    pub sub: &'static str,
    /// Options that take a value, separated by spaces; see [`Spec`].
    pub values: &'static str,
    /// Options whose value may be left out.
    pub optional: &'static str,
    /// Options without a value.
    pub flags: &'static str,
    /// Options whose value is a file that is written.
    pub outputs: &'static str,
    /// Options whose value is text for a shell, `|` between them.
    pub text: &'static str,
    /// Options with which it runs nothing, separated by spaces.
    pub idle: &'static str,
    /// Operands in front of the command: a duration, a lock file, a host.
    pub skip: Skip,
    pub inner: Inner,
    pub site: Site,
    pub privilege: bool,
    /// Lines whose inner command must be found; only tests keep them.
    #[cfg(test)]
    pub matches: &'static [&'static str],
}

/// Operands in front of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Skip {
    /// So many.
    Operands(usize),
    /// One, if it is a number: a priority that some policies do without.
    Number,
    /// One, if it is the first word of all.
    FirstWord,
}

const fn wrap(name: &'static str, values: &'static str, matches: &'static [&'static str]) -> Wrapper {
    #[cfg(not(test))]
    let _ = matches;
    Wrapper {
        name,
        sub: "",
        values,
        optional: "",
        flags: "",
        outputs: "",
        text: "",
        idle: "",
        skip: Skip::Operands(0),
        inner: Inner::Words,
        site: Site::Local,
        privilege: false,
        #[cfg(test)]
        matches,
    }
}

impl Wrapper {
    /// Which options it has.
    pub(crate) const fn spec(&self) -> Spec<'static> {
        Spec { values: self.values, optional: self.optional, flags: self.flags, is_partial: false }
    }
    const fn sub(mut self, sub: &'static str) -> Self {
        self.sub = sub;
        self
    }
    const fn optional(mut self, optional: &'static str) -> Self {
        self.optional = optional;
        self
    }
    const fn flags(mut self, flags: &'static str) -> Self {
        self.flags = flags;
        self
    }
    const fn outputs(mut self, outputs: &'static str) -> Self {
        self.outputs = outputs;
        self
    }
    const fn text(mut self, text: &'static str) -> Self {
        self.text = text;
        self
    }
    const fn idle(mut self, idle: &'static str) -> Self {
        self.idle = idle;
        self
    }
    const fn skip(mut self, skip: usize) -> Self {
        self.skip = Skip::Operands(skip);
        self
    }
    const fn skip_some(mut self, skip: Skip) -> Self {
        self.skip = skip;
        self
    }
    const fn inner(mut self, inner: Inner) -> Self {
        self.inner = inner;
        self
    }
    const fn site(mut self, site: Site) -> Self {
        self.site = site;
        self
    }
    const fn privileged(mut self) -> Self {
        self.privilege = true;
        self
    }
}

/// All wrappers, by kind.
pub(crate) static KINDS: [&[Wrapper]; 6] =
    [users::ROWS, processes::ROWS, terminals::ROWS, packages::ROWS, watchers::ROWS, machines::ROWS];

/// Returns the wrapper of this name.
pub(crate) fn find(name: &str) -> Option<&'static Wrapper> {
    let mut at = super::index::hash(name.as_bytes()) % SLOTS;
    while SLOTS_OF_NAMES[at] != EMPTY {
        let slot = usize::from(SLOTS_OF_NAMES[at]);
        let wrapper = &KINDS[slot >> 8][slot & 0xff];
        if wrapper.name == name {
            return Some(wrapper);
        }
        at = (at + 1) % SLOTS;
    }
    None
}

/// Slots of the open hash table; a power of two, more than twice the number of wrappers.
const SLOTS: usize = 512;

/// A slot without a wrapper.
const EMPTY: u16 = u16::MAX;

/// The kind (high byte) and row (low byte) of each name.
static SLOTS_OF_NAMES: [u16; SLOTS] = {
    let mut slots = [EMPTY; SLOTS];
    let mut kind = 0;
    while kind < KINDS.len() {
        let mut row = 0;
        while row < KINDS[kind].len() {
            assert!(row < 256, "a kind has more rows than a slot can name");
            let mut at = super::index::hash(KINDS[kind][row].name.as_bytes()) % SLOTS;
            while slots[at] != EMPTY {
                at = (at + 1) % SLOTS;
            }
            #[expect(clippy::cast_possible_truncation, reason = "six kinds of at most 256 rows")]
            let position = ((kind << 8) | row) as u16;
            slots[at] = position;
            row += 1;
        }
        kind += 1;
    }
    slots
};
