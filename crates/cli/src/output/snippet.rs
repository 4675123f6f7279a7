//! A place in a file, shown with its line and a caret.
//!
//! WHY by hand: `annotate-snippets` would do it too, with four crates and options for
//! many marks in many lines; here it is always one.

use std::fmt;

/// How much of a long line is shown, in characters.
const WINDOW: usize = 100;

/// A place in a file, with the line it is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Snippet {
    /// The file, as people are shown it.
    pub(crate) file: String,
    /// Counted from 1.
    pub(crate) line: usize,
    /// Counted in characters, from 1.
    pub(crate) column: usize,
    /// How many characters it is about.
    width: usize,
    source: String,
}

impl Snippet {
    /// Takes a place by line and column, both from 1, and how many characters it is about.
    pub(crate) fn at(file: &str, text: &str, line: usize, column: usize, width: usize) -> Self {
        let source = text.lines().nth(line.saturating_sub(1)).unwrap_or_default().to_owned();
        Self { file: file.to_owned(), line, column, width, source }
    }

    /// Takes a place in a line that is at hand.
    pub(crate) fn of_line(file: &str, source: &str, line: usize, column: usize, width: usize) -> Self {
        Self { file: file.to_owned(), line, column, width, source: source.to_owned() }
    }

    /// Takes a range of bytes of the text; only its first line is marked.
    pub(crate) fn of(file: &str, text: &str, start: usize, end: usize) -> Self {
        let before = text.get(..start).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.matches('\n').count() + 1;
        let column = before[line_start..].chars().count() + 1;
        let marked = text.get(start..end).unwrap_or_default();
        Self::at(file, text, line, column, marked.lines().next().unwrap_or_default().chars().count())
    }
}

impl fmt::Display for Snippet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, .. } = self;
        let number = line.to_string();
        let margin = " ".repeat(number.len());
        writeln!(f, " {margin}--> {file}:{line}:{column}")?;

        // A caret has to stand below its character, so one character is one cell.
        let characters: Vec<char> =
            self.source.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let caret = column.saturating_sub(1).min(characters.len());
        let first = if caret < WINDOW { 0 } else { caret - WINDOW / 2 };
        let shown: String = characters.iter().skip(first).take(WINDOW).collect();
        let room = (first + WINDOW).min(characters.len()).saturating_sub(caret);
        let carets = "^".repeat(self.width.clamp(1, room.max(1)));

        writeln!(f, " {margin} |")?;
        writeln!(f, "{}", format!(" {number} | {shown}").trim_end())?;
        write!(f, " {margin} | {}{carets}", " ".repeat(caret - first))
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(snippet: &Snippet, expected: &Expect) {
        expected.assert_eq(&format!("error: …\n{snippet}\n"));
    }

    #[test]
    fn a_place_is_shown_with_its_line() {
        let text = "{\n  \"model\": \"opus\"\n  \"hooks\": {}\n}\n";
        check(
            &Snippet::at(".claude/settings.json", text, 3, 3, 7),
            &expect![[r#"
                error: …
                  --> .claude/settings.json:3:3
                   |
                 3 |   "hooks": {}
                   |   ^^^^^^^
            "#]],
        );
        check(
            &Snippet::of("a.json", text, 4, 11),
            &expect![[r#"
                error: …
                  --> a.json:2:3
                   |
                 2 |   "model": "opus"
                   |   ^^^^^^^
            "#]],
        );
    }

    #[test]
    fn the_end_of_a_file_is_a_place_too() {
        check(
            &Snippet::at("a.json", "{", 1, 2, 1),
            &expect![[r"
                error: …
                  --> a.json:1:2
                   |
                 1 | {
                   |  ^
            "]],
        );
        check(
            &Snippet::at("a.json", "", 7, 9, 1),
            &expect![[r"
                error: …
                  --> a.json:7:9
                   |
                 7 |
                   | ^
            "]],
        );
    }

    #[test]
    fn of_a_long_line_only_the_neighbourhood_is_shown() {
        let text = format!("{}\"here\"{}", "x".repeat(500), "y".repeat(500));
        let shown = Snippet::at("a.json", &text, 1, 501, 6).to_string();
        let lines: Vec<_> = shown.lines().collect();
        assert!(lines[2].chars().count() <= WINDOW + 5, "{shown}");
        assert_eq!(lines[2].find('"'), lines[3].find('^'));
    }
}
