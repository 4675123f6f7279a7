//! A place in a file together with the line it is in.

use std::fmt;

/// Longer lines are shown in part: nobody reads a minified file by eye.
const MOST_SHOWN: usize = 120;

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Spot {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// How many characters are meant; at least one.
    pub width: usize,
    /// The line itself.
    pub text: String,
}

impl Spot {
    /// Writes the line with its number and a mark below the place.
    pub(crate) fn excerpt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        let before = self.column.saturating_sub(1);
        let (text, before) = self.window(before);
        let room = text.chars().count().saturating_sub(before).max(1);
        let marks = "^".repeat(self.width.clamp(1, room));
        writeln!(out, "{margin} |")?;
        writeln!(out, "{}", format!("{number} | {text}").trim_end())?;
        writeln!(out, "{margin} | {}{marks}", " ".repeat(before))
    }

    /// Returns the part of the line that is shown, and the column of the place in it from 0.
    fn window(&self, before: usize) -> (String, usize) {
        // A file must not be able to speak to the terminal.
        let shown = |it: char| match it {
            '\t' => ' ',
            _ if it.is_control() => '\u{fffd}',
            _ => it,
        };
        let n_chars = self.text.chars().count();
        if n_chars <= MOST_SHOWN {
            return (self.text.chars().map(shown).collect(), before);
        }
        let from = before.saturating_sub(MOST_SHOWN / 2).min(n_chars - MOST_SHOWN);
        let part: String = self.text.chars().skip(from).take(MOST_SHOWN).map(shown).collect();
        let head = if from > 0 { "…" } else { "" };
        let tail = if from + MOST_SHOWN < n_chars { "…" } else { "" };
        (format!("{head}{part}{tail}"), before - from + head.chars().count())
    }
}
