//! Sentences for people, broken at the width of the terminal.
//!
//! Without a terminal nothing is broken: a pipe gets whole lines, which a program can search.

use super::text::width;

/// Words at the start of a line below which its further lines begin.
const MARKS: [&str; 8] = ["error: ", "warning: ", "hint: ", "note: ", "✓ ", "✗ ", "! ", "· "];

/// Further lines begin at most here, so that a narrow terminal keeps room for words.
const MOST_INDENTED: usize = 24;

/// Breaks a line at spaces into lines of at most this many columns. Its further lines are indented below its text.
///
/// Text in backticks stays together if it fits into a line, because users copy it.
pub(crate) fn lay_out(line: &str, columns: Option<usize>) -> Vec<String> {
    let Some(columns) = columns.filter(|columns| shown_width(line) > *columns && !is_excerpt(line)) else {
        return vec![line.to_owned()];
    };
    let text = line.trim_start_matches(' ');
    let lead = line.len() - text.len();
    let plain = anstream::adapter::strip_str(text).to_string();
    let mark = MARKS.iter().find(|mark| plain.starts_with(**mark)).map_or(0, |mark| width(mark));
    let indent = " ".repeat((lead + mark).min(MOST_INDENTED).min(columns / 2));
    let mut lines = Vec::new();
    let mut current = " ".repeat(lead);
    let mut is_empty = true;
    for word in words(text, columns.saturating_sub(indent.len())) {
        if !is_empty && shown_width(&current) + 1 + shown_width(word) > columns {
            lines.push(current.trim_end().to_owned());
            current.clone_from(&indent);
            is_empty = true;
        }
        if is_empty && word.is_empty() && !lines.is_empty() {
            continue;
        }
        if !is_empty {
            current.push(' ');
        }
        current.push_str(word);
        is_empty = false;
    }
    lines.push(current);
    lines
}

/// Breaks the value of a named field into lines; `head` is printed before the first of them.
pub(crate) fn field(head: &str, value: &str, columns: Option<usize>) -> Vec<String> {
    let indent = shown_width(head);
    let room = columns.map(|columns| columns.saturating_sub(indent).max(MOST_INDENTED));
    let lines = lay_out(value, room).into_iter().enumerate();
    lines.map(|(n, line)| if n == 0 { format!("{head}{line}") } else { " ".repeat(indent) + &line }).collect()
}

/// Returns whether the line is part of the excerpt of a file, whose columns a caret below it marks.
fn is_excerpt(line: &str) -> bool {
    let text = line.trim_start();
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    text.starts_with("-->") || rest.trim_start().starts_with('|')
}

/// Splits a line at spaces, but not within backticks unless that part is wider than `room`.
fn words(text: &str, room: usize) -> Vec<&str> {
    let is_balanced = text.matches('`').count().is_multiple_of(2);
    let mut words = Vec::new();
    let (mut start, mut in_code) = (0, false);
    for (at, c) in text.char_indices() {
        match c {
            '`' => in_code = is_balanced && !in_code,
            ' ' if !in_code => {
                words.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    words.push(&text[start..]);
    let split = |word: &'_ str| if shown_width(word) > room { word.split(' ').count() } else { 1 };
    words.into_iter().flat_map(|word| word.splitn(split(word), ' ')).collect()
}

/// Returns the width of a text without its colours.
fn shown_width(text: &str) -> usize {
    width(&anstream::adapter::strip_str(text).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_continues_below_its_text() {
        let hint = "hint: run `steersman intent new NAME` to declare the work, or remove the file";
        assert_eq!(lay_out(hint, None), [hint]);
        assert_eq!(lay_out(hint, Some(80)), [hint]);
        assert_eq!(
            lay_out(hint, Some(40)),
            [
                "hint: run `steersman intent new NAME` to",
                "      declare the work, or remove the",
                "      file"
            ]
        );
        assert_eq!(lay_out("  one two three", Some(9)), ["  one two", "  three"]);
    }

    #[test]
    fn commands_stay_together_if_they_fit() {
        assert_eq!(lay_out("say `a b c` or not", Some(12)), ["say `a b c`", "or not"]);
        assert_eq!(lay_out("to say `a b c d`", Some(12)), ["to say", "`a b c d`"]);
        assert_eq!(lay_out("x `aaaa bbbb cccc`", Some(10)), ["x `aaaa", "bbbb cccc`"]);
        assert_eq!(lay_out("a ` b c d", Some(5)), ["a ` b", "c d"]);
    }

    #[test]
    fn colours_take_no_room_and_excerpts_stay_whole() {
        assert_eq!(lay_out("\u{1b}[1mhint:\u{1b}[0m one two", Some(13)), ["\u{1b}[1mhint:\u{1b}[0m one two"]);
        for excerpt in
            ["  --> a/rather/long/name.json:1:2", "   |   ^^^^^^^^^^^^", " 12 | { \"a\": 1, \"b\": 2 }"]
        {
            assert_eq!(lay_out(excerpt, Some(10)), [excerpt]);
        }
    }

    #[test]
    fn the_value_of_a_field_stays_in_its_column() {
        assert_eq!(
            field("name  ", "one two three four five six seven", Some(30)),
            ["name  one two three four five", "      six seven"]
        );
    }
}
