//! A position in a file together with its line, shown with a caret below it.
//!
//! WHY by hand: `annotate-snippets` does it too, with four more crates and options for many marks in
//! many lines; here it is always one mark.

use std::fmt;

/// The most characters shown of a long line.
const WINDOW: usize = 100;

/// A position in a file, with its line.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Excerpt {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The number of marked characters; at least one.
    pub width: usize,
    /// The text of the line.
    pub text: String,
}

impl Excerpt {
    /// Creates the position of a line and column, both from 1.
    pub fn at(text: &str, line: usize, column: usize, width: usize) -> Self {
        let text = text.lines().nth(line.saturating_sub(1)).unwrap_or_default().to_owned();
        Self { line, column, width, text }
    }

    /// Returns the position in the style of compilers, with the file's name above the line.
    pub fn in_file(&self, file: &str) -> impl fmt::Display {
        fmt::from_fn(move |out| self.write(file, out))
    }

    fn write(&self, file: &str, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        writeln!(out, " {margin}--> {file}:{}:{}", self.line, self.column)?;
        let (shown, before, room) = self.window();
        let carets = "^".repeat(self.width.clamp(1, room.max(1)));
        writeln!(out, " {margin} |")?;
        writeln!(out, "{}", format!(" {number} | {shown}").trim_end())?;
        write!(out, " {margin} | {}{carets}", " ".repeat(before))
    }

    /// Returns the visible part of the line, the number of characters in it before the position, and
    /// the number of characters from there on.
    fn window(&self) -> (String, usize, usize) {
        // A file must not send control characters to the terminal, and the caret must be below its
        // character, so one character is one cell.
        let plain = |it: char| match it {
            '\t' => ' ',
            _ if it.is_control() => '\u{fffd}',
            _ => it,
        };
        let characters: Vec<char> = self.text.chars().map(plain).collect();
        let caret = self.column.saturating_sub(1).min(characters.len());
        let first = if caret < WINDOW { 0 } else { caret - WINDOW / 2 };
        let last = (first + WINDOW).min(characters.len());
        let head = if first > 0 { "…" } else { "" };
        let tail = if last < characters.len() { "…" } else { "" };
        let part: String = characters[first..last].iter().collect();
        (format!("{head}{part}{tail}"), caret - first + head.chars().count(), last - caret)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::{Source, Span};

    fn check(excerpt: &Excerpt, expected: &Expect) {
        expected.assert_eq(&format!("error: …\n{}\n", excerpt.in_file("a.json")));
    }

    #[test]
    fn a_place_is_shown_with_its_line() {
        let text = "{\n  \"model\": \"opus\"\n  \"hooks\": {}\n}\n";
        check(
            &Excerpt::at(text, 3, 3, 7),
            &expect![[r#"
                error: …
                  --> a.json:3:3
                   |
                 3 |   "hooks": {}
                   |   ^^^^^^^
            "#]],
        );
        check(
            &Source::new("a.json", text).excerpt(Span::new(4, 11)),
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
            &Excerpt::at("{", 1, 2, 1),
            &expect![[r"
                error: …
                  --> a.json:1:2
                   |
                 1 | {
                   |  ^
            "]],
        );
        check(
            &Excerpt::at("", 7, 9, 1),
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
        let shown = Excerpt::at(&text, 1, 501, 6).in_file("a.json").to_string();
        let lines: Vec<Vec<char>> = shown.lines().map(|line| line.chars().collect()).collect();
        assert!(lines[2].len() <= WINDOW + 7, "{shown}");
        let found = |line: usize, wanted: char| lines[line].iter().position(|it| *it == wanted);
        assert_eq!(found(2, '"'), found(3, '^'));
    }
}
