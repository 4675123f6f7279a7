//! A row of the program table: the effects of a program on its words.

use crate::guard::RuleId;
use crate::reading::Class;
use crate::walk::{Call, Walker};

use super::args::Args;

/// The use that a program makes of its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operands {
    /// Nothing with files.
    Ignore,
    Read,
    Write,
    Create,
    Delete,
    /// Deletes; recursively with `-r`, `-R` or `--recursive`.
    DeleteTree,
    /// Reads all but the last, writes the last.
    Copy,
    /// Removes all but the last, writes the last.
    Move,
    /// The first is a pattern or script, the others are read.
    PatternThenRead,
    /// The first is a mode or owner, the others are changed.
    ModeThenWrite,
}

/// Follows a call further than its row; may return another class than the row's.
pub(crate) type Special = fn(&mut Walker<'_>, &Call, &Args<'_>) -> Option<Class>;

/// A subcommand: its words, the options it needs, its effect.
#[derive(Clone, Copy)]
pub(crate) struct Sub {
    /// Words in order; `a|b` alternatives, `*` any one, `; ` between phrases, a leading `...` anywhere.
    pub words: &'static str,
    /// Options that must be given: `a|b` any, `&` between groups; empty for none.
    pub when: &'static str,
    pub class: Class,
    /// The rule of the guard that judges it.
    pub risk: Option<RuleId>,
}

/// A subcommand that only looks.
pub(super) const fn look(words: &'static str) -> Sub {
    Sub { words, when: "", class: Class::ReadOnly, risk: None }
}

/// A subcommand that changes something visible.
pub(super) const fn change(words: &'static str) -> Sub {
    Sub { words, when: "", class: Class::Writes, risk: None }
}

/// A subcommand whose effects depend on the project.
pub(super) const fn unsure(words: &'static str) -> Sub {
    Sub { words, when: "", class: Class::Unknown, risk: None }
}

/// A subcommand that a rule judges.
pub(super) const fn risky(words: &'static str, when: &'static str, risk: RuleId) -> Sub {
    Sub { words, when, class: Class::Destructive, risk: Some(risk) }
}

/// A subcommand that a rule judges and that destroys nothing by itself.
pub(super) const fn careful(words: &'static str, when: &'static str, risk: RuleId) -> Sub {
    Sub { words, when, class: Class::Writes, risk: Some(risk) }
}

/// A subcommand whose effects depend on the project and that a rule judges.
pub(super) const fn installs(words: &'static str, risk: RuleId) -> Sub {
    Sub { words, when: "", class: Class::Unknown, risk: Some(risk) }
}

/// A program.
#[derive(Clone, Copy)]
pub(crate) struct Program {
    pub name: &'static str,
    /// The class if no subcommand sets another.
    pub class: Class,
    pub operands: Operands,
    /// Options that take a value, separated by spaces.
    pub values: &'static str,
    /// Options whose value is a file that is read.
    pub inputs: &'static str,
    /// Options whose value is a file that is written.
    pub outputs: &'static str,
    pub network: bool,
    /// The rule that judges every call of it.
    pub risk: Option<RuleId>,
    pub subs: &'static [Sub],
    pub special: Option<Special>,
    /// Calls that have [`Self::class`]. Only tests keep them: pointers to text cost every process at its start.
    #[cfg(test)]
    pub matches: &'static [&'static str],
    /// Lines that do not: other uses of it, or mere mentions.
    #[cfg(test)]
    pub not_matches: &'static [&'static str],
}

const fn row(name: &'static str, class: Class, operands: Operands) -> Program {
    Program {
        name,
        class,
        operands,
        values: "",
        inputs: "",
        outputs: "",
        network: false,
        risk: None,
        subs: &[],
        special: None,
        #[cfg(test)]
        matches: &[],
        #[cfg(test)]
        not_matches: &[],
    }
}

/// A program without a row of its own.
pub(super) const fn listed() -> Program {
    row("", Class::Unknown, Operands::Read)
}

/// A program that only reads files.
pub(super) const fn reads(name: &'static str, matches: &'static [&'static str]) -> Program {
    row(name, Class::ReadOnly, Operands::Read).example(matches)
}

/// A program that only prints.
pub(super) const fn prints(name: &'static str, matches: &'static [&'static str]) -> Program {
    row(name, Class::ReadOnly, Operands::Ignore).example(matches)
}

/// A program that changes something.
pub(super) const fn writes(
    name: &'static str,
    operands: Operands,
    matches: &'static [&'static str],
) -> Program {
    row(name, Class::Writes, operands).example(matches)
}

/// A program whose effects depend on the project.
pub(super) const fn builds(name: &'static str, matches: &'static [&'static str]) -> Program {
    row(name, Class::Unknown, Operands::Ignore).example(matches)
}

/// A program that destroys.
pub(super) const fn destroys(
    name: &'static str,
    operands: Operands,
    matches: &'static [&'static str],
) -> Program {
    row(name, Class::Destructive, operands).example(matches)
}

impl Program {
    #[cfg(test)]
    const fn example(mut self, matches: &'static [&'static str]) -> Self {
        self.matches = matches;
        self
    }
    #[cfg(not(test))]
    const fn example(self, _: &'static [&'static str]) -> Self {
        self
    }
    /// Lines that must not have the row's class.
    #[cfg(test)]
    pub(super) const fn not(mut self, not_matches: &'static [&'static str]) -> Self {
        self.not_matches = not_matches;
        self
    }
    /// Lines that must not have the row's class.
    #[cfg(not(test))]
    pub(super) const fn not(self, _: &'static [&'static str]) -> Self {
        self
    }
    pub(super) const fn values(mut self, values: &'static str) -> Self {
        self.values = values;
        self
    }
    pub(super) const fn inputs(mut self, inputs: &'static str) -> Self {
        self.inputs = inputs;
        self
    }
    pub(super) const fn outputs(mut self, outputs: &'static str) -> Self {
        self.outputs = outputs;
        self
    }
    pub(super) const fn online(mut self) -> Self {
        self.network = true;
        self
    }
    pub(super) const fn risk(mut self, risk: RuleId) -> Self {
        self.risk = Some(risk);
        self
    }
    pub(super) const fn subs(mut self, subs: &'static [Sub]) -> Self {
        self.subs = subs;
        self
    }
    pub(super) const fn special(mut self, special: Special) -> Self {
        self.special = Some(special);
        self
    }
}

impl Sub {
    /// Returns whether the operands and options are those of this subcommand.
    pub(super) fn fits(&self, args: &Args) -> bool {
        let fits_words = match self.words.strip_prefix("...") {
            Some(word) => args.words().any(|operand| word.split('|').any(|choice| choice == operand)),
            None => self.words.split("; ").any(|phrase| {
                phrase.split(' ').enumerate().all(|(index, choices)| {
                    let operand = args.word(index);
                    choices == "*" && !operand.is_empty()
                        || choices.split('|').any(|choice| match choice.strip_suffix('*') {
                            Some(prefix) if !prefix.is_empty() => operand.starts_with(prefix),
                            _ => choice == operand,
                        })
                })
            }),
        };
        fits_words && (self.when.is_empty() || self.when.split('&').all(|names| args.has(names)))
    }
}
