//! Text from journals, made fit for a terminal.
//!
//! INVARIANT: nothing that came from a payload reaches a terminal but through here. A
//! command line may hold escape sequences that repaint the screen, or characters that
//! turn the reading direction around.

/// Returns the text on one line, with everything a terminal would act on made visible.
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

/// Returns the text with its lines and indentation, and everything a terminal would act on made visible.
pub(crate) fn visible(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' | '\t' => Some(c),
        '\r' => None,
        c if is_treacherous(c) => Some('\u{FFFD}'),
        c => Some(c),
    };
    text.chars().filter_map(shown).collect()
}

/// Returns how many columns a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

/// Cuts a text that takes more columns than this; the last column then is an ellipsis.
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

/// Fills a text up with blanks.
pub(crate) fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// Breaks a text into lines of at most this many columns, where it has blanks.
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

fn is_treacherous(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}')
}

/// WHY by hand: the ranges that matter are few, and a table of all of Unicode is not
/// worth a dependency for a column that is a little off.
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

/// Says how many of something there are: `1 file was`, `3 files were`.
pub(crate) fn counted(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_a_terminal_acts_on_is_left() {
        assert_eq!(one_line("a\u{1b}[2Jb\r\n\tc\u{202e}d\u{7}"), "a\u{FFFD}[2Jb↵ c\u{FFFD}d\u{FFFD}");
    }

    #[test]
    fn what_an_agent_says_keeps_its_lines_but_cannot_paint() {
        assert_eq!(visible("  a\r\n\tb\u{1b}[2J\u{202e}"), "  a\n\tb\u{FFFD}[2J\u{FFFD}");
    }

    #[test]
    fn a_text_is_cut_by_columns_not_by_bytes() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdef", 5), "abcd…");
        assert_eq!(cut("漢字漢字", 5), "漢字…");
        assert_eq!(width("漢字e\u{301}"), 5);
    }

    #[test]
    fn lines_break_at_blanks() {
        assert_eq!(wrap("one two three\n\nfour", 8), ["one two", "three", "four"]);
        assert_eq!(wrap("averylongword x", 4), ["averylongword", "x"]);
    }
}
