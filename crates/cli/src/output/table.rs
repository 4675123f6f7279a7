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
    is_extra: bool,
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
    rows: Vec<Row>,
}

/// The cells of a row, and a sentence below them.
#[derive(Debug)]
struct Row {
    cells: Vec<Cell>,
    detail: String,
}

/// The space between two columns.
const GAP: &str = "  ";

/// The space before the sentence below a row.
const INDENT: &str = "  ";

/// Columns are not truncated below this width.
const NARROWEST: usize = 6;

impl Column {
    /// A column of words.
    pub(crate) const fn left(title: &'static str) -> Self {
        Self { title, align: Align::Left, whole: false, is_extra: false }
    }

    /// A column of numbers.
    pub(crate) const fn right(title: &'static str) -> Self {
        Self { title, align: Align::Right, whole: false, is_extra: false }
    }

    /// A column of names that users copy, never truncated.
    pub(crate) const fn whole(title: &'static str) -> Self {
        Self { title, align: Align::Left, whole: true, is_extra: false }
    }

    /// Leaves the column out where the table would be too wide.
    pub(crate) const fn extra(self) -> Self {
        Self { is_extra: true, ..self }
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
        self.push_with(row, String::new());
    }

    /// Adds a row with a sentence below it. An empty one takes no line.
    pub(crate) fn push_with(&mut self, row: impl IntoIterator<Item = Cell>, detail: String) {
        self.rows.push(Row { cells: row.into_iter().collect(), detail });
    }

    /// Returns the lines, at most `columns` wide if possible.
    pub(crate) fn lines(&self, columns: Option<usize>) -> Vec<String> {
        let widths = self.widths(columns);
        let titles = self.columns.iter().map(|column| Cell::styled(column.title, Style::new().dimmed()));
        let mut lines = vec![self.line(&titles.collect::<Vec<_>>(), &widths)];
        for row in &self.rows {
            lines.push(self.line(&row.cells, &widths));
            if !row.detail.is_empty() {
                let room = columns.unwrap_or(usize::MAX).saturating_sub(INDENT.len());
                lines.push(format!("{INDENT}{}", cut(&row.detail, room)));
            }
        }
        lines
    }

    /// Returns the width of each column's widest cell; `None` for a column that is left out. If the sum is too wide, leaves
    /// extra columns out, the last one first, then narrows the widest columns. A long name that must stay whole pushes
    /// out the columns at the end.
    fn widths(&self, columns: Option<usize>) -> Vec<Option<usize>> {
        let widest = |(index, column): (usize, &Column)| {
            let cells = self.rows.iter().filter_map(|row| row.cells.get(index)).map(|cell| width(&cell.text));
            cells.max().unwrap_or(0).max(width(column.title))
        };
        let mut widths: Vec<Option<usize>> = self.columns.iter().enumerate().map(widest).map(Some).collect();
        let room = columns.unwrap_or(usize::MAX);
        let extra = self.columns.iter().enumerate().filter(|(_, column)| column.is_extra);
        for (index, _) in extra.rev() {
            if total(&widths) > room {
                widths[index] = None;
            }
        }
        while total(&widths) > room {
            let shown = widths.iter_mut().zip(&self.columns);
            let may_shrink = shown
                .filter_map(|(width, column)| Some((width.as_mut()?, column)))
                .filter(|(width, column)| !column.whole && **width > NARROWEST);
            match may_shrink.max_by_key(|(width, _)| **width) {
                Some((widest, _)) => *widest -= 1,
                None => break,
            }
        }
        for (index, column) in self.columns.iter().enumerate().rev() {
            if total(&widths) > room && !column.whole {
                widths[index] = None;
            }
        }
        widths
    }

    fn line(&self, row: &[Cell], widths: &[Option<usize>]) -> String {
        let mut line = String::new();
        let cells = row.iter().zip(widths).zip(&self.columns);
        let shown: Vec<_> =
            cells.filter_map(|((cell, width), column)| Some((cell, (*width)?, column))).collect();
        for (index, (cell, columns, column)) in shown.iter().enumerate() {
            let text = cut(&cell.text, *columns);
            let spaces = " ".repeat(columns - width(&text).min(*columns));
            let is_last = index + 1 == shown.len();
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
        // An empty last cell leaves the gap before it.
        line.truncate(line.trim_end().len());
        line
    }
}

/// Returns the width of a line with columns of these widths.
fn total(widths: &[Option<usize>]) -> usize {
    let shown = widths.iter().flatten();
    shown.clone().sum::<usize>() + GAP.len() * shown.count().saturating_sub(1)
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

    #[test]
    fn a_long_name_pushes_out_the_last_columns() {
        check(
            Some(16),
            &expect![[r"
                sid       what
                a3f0c812  a lon…
                b3f0c812  漢字"]],
        );
    }

    #[test]
    fn an_extra_column_is_left_out_before_another_is_truncated() {
        let mut table = Table::new([Column::left("ID"), Column::left("WORK").extra(), Column::right("N")]);
        table.push(["abcdefgh".into(), "w001".into(), "7".into()]);
        assert_eq!(anstream::adapter::strip_str(&table.lines(Some(17))[1]).to_string(), "abcdefgh  w001  7");
        assert_eq!(anstream::adapter::strip_str(&table.lines(Some(16))[1]).to_string(), "abcdefgh  7");
    }

    #[test]
    fn a_sentence_below_a_row_does_not_widen_the_columns() {
        let mut table = Table::new([Column::whole("sid"), Column::left("what")]);
        table.push_with(["a3f0c812".into(), "one".into()], "a sentence that goes on and on".into());
        table.push_with(["b3f0c812".into(), "two".into()], String::new());
        let plain = anstream::adapter::strip_str(&table.lines(Some(20)).join("\n")).to_string();
        expect![[r"
            sid       what
            a3f0c812  one
              a sentence that g…
            b3f0c812  two"]]
        .assert_eq(&plain);
    }
}
