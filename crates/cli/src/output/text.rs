//! Makes text from journals safe for a terminal.
//!
//! INVARIANT: text from a payload reaches a terminal only through these functions. A command line may contain
//! escape sequences that repaint the screen, or characters that reverse the reading direction.

/// Returns the text on one line, with control characters made visible.
pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.trim().chars() {
        match c {
            '\n' => line.push('↵'),
            '\r' => {}
            '\t' => line.push(' '),
            c if is_treacherous(c) => line.push('\u{FFFD}'),
            c => line.push(c),
        }
    }
    line
}

/// Returns the text with its line breaks and indentation, and with other control characters made visible.
pub(crate) fn visible(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' => Some(c),
        '\r' => None,
        c if is_treacherous(c) => Some('\u{FFFD}'),
        c => Some(c),
    };
    text.chars().filter_map(shown).collect()
}

/// Returns the width of a string in columns.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

/// Truncates a string to this many columns; the last column then is an ellipsis.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut left = columns.saturating_sub(1);
    let fits = text.chars().take_while(|c| {
        let fits = char_width(*c) <= left;
        left = left.saturating_sub(char_width(*c));
        fits
    });
    let mut kept: String = fits.collect();
    kept.truncate(kept.trim_end().len());
    kept.push('…');
    kept
}

/// Cuts a string to this many columns. Keeps its end, by which the names of one server's tools differ.
pub(crate) fn cut_middle(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let room = columns.saturating_sub(1);
    let (head, tail) = (room / 3, room - room / 3);
    let end: Vec<char> = text.chars().rev().scan(tail, fitting).collect();
    let begin: String = text.chars().scan(head, fitting).collect();
    begin + "…" + &end.into_iter().rev().collect::<String>()
}

/// Yields a character as long as it fits into the room that is left.
fn fitting(room: &mut usize, char: char) -> Option<char> {
    *room = room.checked_sub(char_width(char))?;
    Some(char)
}

/// Pads a string with spaces.
pub(crate) fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Breaks a string at spaces into lines of at most this many columns.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines().map(one_line).filter(|line| !line.is_empty()) {
        let mut line = String::new();
        for word in paragraph.split(' ') {
            if !line.is_empty() && width(&line) + 1 + width(word) > columns {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

/// Like [`wrap`], and breaks a word that is longer than a line anywhere, so that nothing is cut.
pub(crate) fn fold(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(2);
    let mut lines = Vec::new();
    for line in wrap(text, columns) {
        let mut rest = line.as_str();
        while width(rest) > columns {
            let part: String = rest.chars().scan(columns, fitting).collect();
            rest = &rest[part.len()..];
            lines.push(part);
        }
        lines.push(rest.to_owned());
    }
    lines
}

fn is_treacherous(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

/// WHY no table of all of Unicode: it is not worth a dependency; a column that is slightly off does no harm.
fn char_width(c: char) -> usize {
    match c {
        '\u{0300}'..='\u{036F}' | '\u{FE00}'..='\u{FE0F}' => 0,
        '\u{1100}'..='\u{115F}'
        | '\u{2E80}'..='\u{A4CF}'
        | '\u{AC00}'..='\u{D7A3}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FF00}'..='\u{FF60}'
        | '\u{FFE0}'..='\u{FFE6}'
        | '\u{1F300}'..='\u{1FAFF}'
        | '\u{20000}'..='\u{3FFFD}' => 2,
        _ => 1,
    }
}

/// Returns a count with its noun: `1 file was`, `3 files were`.
pub(crate) fn counted(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_made_visible() {
        assert_eq!(one_line("a\u{1b}[2Jb\r\n\tc\u{202e}d\u{7}"), "a\u{FFFD}[2Jb↵ c\u{FFFD}d\u{FFFD}");
    }

    #[test]
    fn a_long_name_keeps_its_end() {
        for (columns, expected) in
            [(36, "mcp__steersman__select_active_intent"), (18, "mcp__…ctive_intent"), (1, "…")]
        {
            assert_eq!(cut_middle("mcp__steersman__select_active_intent", columns), expected);
        }
        assert_eq!(width(&cut_middle("日本語日本語日本語", 9)), 9);
    }

    #[test]
    fn agent_output_keeps_its_lines_but_no_escape_sequences() {
        assert_eq!(visible("  a\r\n\tb\u{1b}[2J\u{202e}"), "  a\n\tb\u{FFFD}[2J\u{FFFD}");
    }

    #[test]
    fn strings_are_truncated_by_columns_not_by_bytes() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdef", 5), "abcd…");
        assert_eq!(cut("漢字漢字", 5), "漢字…");
        assert_eq!(width("漢字e\u{301}"), 5);
    }

    #[test]
    fn lines_break_at_spaces() {
        assert_eq!(wrap("one two three\n\nfour", 8), ["one two", "three", "four"]);
        assert_eq!(wrap("averylongword x", 4), ["averylongword", "x"]);
        assert_eq!(fold("a averylongword x", 4), ["a", "aver", "ylon", "gwor", "d", "x"]);
        assert_eq!(fold("漢字漢字", 5), ["漢字", "漢字"]);
    }
}
