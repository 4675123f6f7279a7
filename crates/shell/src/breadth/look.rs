//! The words of a searching program.

use crate::programs::Args;
use crate::reading::{Arg, Simple};
use crate::text::{Taint, Text};

use super::Extent;

/// One search, as its words say.
#[expect(clippy::struct_excessive_bools, reason = "four independent facts about one search")]
#[derive(Debug)]
pub(super) struct Look<'a> {
    /// The folders it starts in.
    pub roots: Vec<&'a Arg>,
    pub extent: Extent,
    /// Goes down only so far.
    pub depth: bool,
    /// Finds only some of the files.
    pub narrowed: bool,
    /// Prints little of its results.
    pub few: bool,
    /// Prints something for every file it comes across.
    pub prints_all_it_sees: bool,
}

/// Where a search starts that names no folder.
pub(super) static HERE: std::sync::LazyLock<Arg> =
    std::sync::LazyLock::new(|| Arg { text: ".".to_owned(), known: true, glob: false });

impl<'a> Look<'a> {
    /// Returns a search that nothing bounds.
    pub(super) fn everything(roots: Vec<&'a Arg>) -> Self {
        let roots = if roots.is_empty() { vec![&*HERE] } else { roots };
        Self {
            roots,
            extent: Extent::Everything,
            depth: false,
            narrowed: false,
            few: false,
            prints_all_it_sees: false,
        }
    }
}

/// The words behind a program, in the form its options are asked for.
pub(super) struct Words<'a> {
    command: &'a Simple,
    texts: Vec<Text>,
}

impl<'a> Words<'a> {
    pub(super) fn of(command: &'a Simple) -> Self {
        let texts = command.argv.iter().skip(1).map(text).collect();
        Self { command, texts }
    }

    /// Splits them; `values` lists the options that take one.
    pub(super) fn args(&self, values: &'static str) -> Args<'_> {
        Args::parse(&self.texts, values)
    }

    /// Returns the words themselves that these operands are.
    pub(super) fn operands(&self, args: &Args<'_>, skipped: usize) -> Vec<&'a Arg> {
        let is_operand = |text: &Text| args.operands.iter().any(|operand| std::ptr::eq(*operand, text));
        let words = self.command.argv.iter().skip(1).zip(&self.texts);
        words.filter(|(_, text)| is_operand(text)).map(|(word, _)| word).skip(skipped).collect()
    }
}

/// Returns whether a program prints only its own help or version.
///
/// `short` names the program's short options for that, since `-h` is something else in `ls` and `grep`.
pub(super) fn describes_itself(args: &Args<'_>, short: &str) -> bool {
    args.has("--help|--version") || (!short.is_empty() && args.has(short))
}

fn text(word: &Arg) -> Text {
    if word.known { Text::known(word.text.as_str()) } else { Text::unknown(word.text.as_str(), Taint::NONE) }
}
