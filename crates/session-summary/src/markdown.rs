//! Escapes text from a journal for a Markdown page.
//!
//! INVARIANT: text from a payload cannot start a heading, a link or a table cell: it is on one line and between backticks,
//! or its special characters are escaped.

use store::Timestamp;

/// Returns a string as code on one line, cut to a number of characters.
pub(crate) fn code(text: &str, at_most: usize) -> String {
    let line = plain(text, at_most).replace('|', "\\|");
    if line.is_empty() {
        return "–".to_owned();
    }
    // Code that contains backticks needs a longer row of them around it.
    let longest = line.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if longest > 0 { " " } else { "" };
    format!("{fence}{pad}{line}{pad}{fence}")
}

/// Returns a string as escaped words on one line, cut to a number of characters.
pub(crate) fn words(text: &str, at_most: usize) -> String {
    let mut escaped = String::new();
    for c in plain(text, at_most).chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '!') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Returns day and minute.
pub(crate) fn minute(ts: u64) -> String {
    let text = Timestamp::from_millis(ts).to_string();
    format!("{} {}", &text[..10], &text[11..16])
}

/// Formats a duration.
pub(crate) fn duration(ms: u64) -> String {
    let seconds = ms / 1000;
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7199 => format!("{} min", seconds / 60),
        _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// Formats a count with the singular or plural.
pub(crate) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn plain(text: &str, at_most: usize) -> String {
    let line = event::one_line(text);
    let mut shown: String = line.chars().filter(|c| !c.is_control()).take(at_most).collect();
    if shown.len() < line.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_breaks_out_of_its_place() {
        assert_eq!(code("a\n# b | c", 80), "`a # b \\| c`");
        assert_eq!(code("echo `x`", 80), "`` echo `x` ``");
        assert_eq!(code(&"x".repeat(9), 4), "`xxxx…`");
        assert_eq!(words("[a](b) <c>", 80), "\\[a\\](b) \\<c\\>");
        assert_eq!(code("", 4), "–");
    }

    #[test]
    fn times_read_like_times() {
        assert_eq!(minute(1_740_700_000_123), "2025-02-27 23:46");
        assert_eq!([duration(900), duration(125_000), duration(7_300_000)], ["0 s", "2 min", "2 h 1 min"]);
    }
}
