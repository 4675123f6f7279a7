//! The options and operands of a command whose operands may stand anywhere.

use super::options::{Found, Item, Options, Spec};
use crate::text::Text;

/// Options and operands of one command.
#[derive(Debug, Default)]
pub(crate) struct Args<'a> {
    options: Vec<Found<'a>>,
    /// Words of several letters behind one dash: bundled options, or one as `-delete`.
    bundles: Vec<&'a str>,
    /// Words that are neither options nor their values.
    pub operands: Vec<&'a Text>,
}

impl<'a> Args<'a> {
    /// Splits `words`; `values` lists the options that take a value, separated by spaces.
    pub(crate) fn parse(words: &'a [Text], values: &'a str) -> Self {
        Self::read(words, Spec { values, is_partial: true, ..Spec::default() }, false)
    }

    /// Splits `words` by the options of `spec`; if `leads`, options end at the first operand.
    pub(crate) fn read(words: &'a [Text], spec: Spec<'a>, leads: bool) -> Self {
        let mut args = Self::default();
        let mut options = Options::new(words, spec);
        while let Some(item) = options.next() {
            if leads && !args.operands.is_empty() {
                break;
            }
            match item {
                Item::Option(found) => {
                    args.options.push(found);
                    if let Some(word) = options.bundle()
                        && !args.bundles.last().is_some_and(|last| std::ptr::eq(*last, word))
                    {
                        args.bundles.push(word);
                    }
                }
                Item::Operand(at) => args.operands.push(&words[at]),
            }
        }
        args
    }

    /// Returns whether one of the options, separated by `|`, is given: alone, bundled, or abbreviated.
    pub(crate) fn has(&self, names: &str) -> bool {
        self.options.iter().any(|found| found.may_be(names))
            || !self.bundles.is_empty()
                && names.split('|').any(|name| name.len() > 2 && self.bundles.contains(&name))
    }

    /// Returns the values of an option, `|` between its names.
    pub(crate) fn values(&self, names: &str) -> Vec<&Text> {
        let found = self.options.iter().filter(|found| found.may_be(names));
        found.filter_map(|found| found.value.as_ref()).collect()
    }

    /// Returns the operands as text.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> {
        self.operands.iter().map(|operand| operand.text.as_str())
    }

    /// Returns the operand at `index` as text, or nothing.
    pub(crate) fn word(&self, index: usize) -> &str {
        self.operands.get(index).map_or("", |operand| operand.text.as_str())
    }
}
