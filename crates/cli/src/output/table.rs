//! A table for the terminal: aligned columns under dim titles, no borders.

use anstyle::Style;

use super::paint::paint;
use super::text::{cut, width};

/// The alignment of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Align {
    /// For words.
    Left,
    /// For numbers.
    Right,
}

/// One column: its title, its alignment, and whether it may be truncated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    title: &'static str,
    align: Align,
    whole: bool,
}

/// One cell: a string and its style.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cell {
    text: String,
    style: Style,
}

/// Rows below titles.
#[derive(Debug)]
pub(crate) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

/// The space between two columns.
const GAP: &str = "  ";

/// Columns are not truncated below this width.
const NARROWEST: usize = 6;

impl Column {
    /// A column of words.
    pub(crate) const fn left(title: &'static str) -> Self {
        Self { title, align: Align::Left, whole: false }
    }

    /// A column of numbers.
    pub(crate) const fn right(title: &'static str) -> Self {
        Self { title, align: Align::Right, whole: false }
    }

    /// A column of names that users copy, never truncated.
    pub(crate) const fn whole(title: &'static str) -> Self {
        Self { title, align: Align::Left, whole: true }
    }
}

impl Cell {
    /// Makes a styled cell.
    pub(crate) fn styled(text: impl Into<String>, style: Style) -> Self {
        Self { text: text.into(), style }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self { text: text.into(), style: Style::new() }
    }
}

impl Table {
    /// Returns an empty table with these columns.
    pub(crate) fn new(columns: impl IntoIterator<Item = Column>) -> Self {
        Self { columns: columns.into_iter().collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, row: impl IntoIterator<Item = Cell>) {
        self.rows.push(row.into_iter().collect());
    }

    /// Returns the lines, at most `columns` wide if possible.
    pub(crate) fn lines(&self, columns: Option<usize>) -> Vec<String> {
        let widths = self.widths(columns);
        let titles = self.columns.iter().map(|column| Cell::styled(column.title, Style::new().dimmed()));
        let titles = self.line(&titles.collect::<Vec<_>>(), &widths);
        std::iter::once(titles).chain(self.rows.iter().map(|row| self.line(row, &widths))).collect()
    }

    /// Returns the width of each column's widest cell; if the sum is too wide, narrows the widest columns.
    fn widths(&self, columns: Option<usize>) -> Vec<usize> {
        let widest = |(index, column): (usize, &Column)| {
            let cells = self.rows.iter().filter_map(|row| row.get(index)).map(|cell| width(&cell.text));
            cells.max().unwrap_or(0).max(width(column.title))
        };
        let mut widths: Vec<usize> = self.columns.iter().enumerate().map(widest).collect();
        let room = columns.unwrap_or(usize::MAX).saturating_sub(GAP.len() * widths.len().saturating_sub(1));
        while widths.iter().sum::<usize>() > room {
            let may_shrink = widths
                .iter_mut()
                .zip(&self.columns)
                .filter(|(width, column)| !column.whole && **width > NARROWEST);
            match may_shrink.max_by_key(|(width, _)| **width) {
                Some((widest, _)) => *widest -= 1,
                None => break,
            }
        }
        widths
    }

    fn line(&self, row: &[Cell], widths: &[usize]) -> String {
        let mut line = String::new();
        for (index, ((cell, columns), column)) in row.iter().zip(widths).zip(&self.columns).enumerate() {
            let text = cut(&cell.text, *columns);
            let spaces = " ".repeat(columns - width(&text).min(*columns));
            let is_last = index + 1 == row.len();
            if index > 0 {
                line.push_str(GAP);
            }
            let text = paint(cell.style, &text);
            line += &match column.align {
                Align::Right => spaces + &text,
                Align::Left if is_last => text,
                Align::Left => text + &spaces,
            };
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(columns: Option<usize>, expected: &Expect) {
        let mut table = Table::new([Column::whole("sid"), Column::left("what"), Column::right("n")]);
        table.push(["a3f0c812".into(), "a long text that goes on and on".into(), "7".into()]);
        table.push(["b3f0c812".into(), "漢字".into(), "1234".into()]);
        let lines = table.lines(columns).join("\n");
        let plain = anstream::adapter::strip_str(&lines).to_string();
        expected.assert_eq(&plain);
    }

    #[test]
    fn columns_are_aligned() {
        check(
            None,
            &expect![[r"
                sid       what                                n
                a3f0c812  a long text that goes on and on     7
                b3f0c812  漢字                             1234"]],
        );
    }

    #[test]
    fn the_widest_column_is_truncated_first() {
        check(
            Some(30),
            &expect![[r"
                sid       what               n
                a3f0c812  a long text t…     7
                b3f0c812  漢字            1234"]],
        );
    }
}
