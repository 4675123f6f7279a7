//! A long text without its middle.

/// Head and tail of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cut<'a> {
    head: &'a str,
    tail: &'a str,
    n_bytes_between: usize,
}

impl<'a> Cut<'a> {
    /// Cuts a text to `limit` bytes, at ends of lines where they are near. Returns `None` if it is not longer.
    pub(super) fn of(text: &'a str, limit: usize) -> Option<Self> {
        if text.len() <= limit {
            return None;
        }
        // Errors are at the end, the command's own words at the beginning.
        let head_end = text.floor_char_boundary(limit * 2 / 5);
        let tail_start = text.ceil_char_boundary(text.len() - (limit - limit * 2 / 5));
        let head_end =
            text[..head_end].rfind('\n').filter(|at| head_end - at < 400).map_or(head_end, |at| at + 1);
        let tail_start =
            text[tail_start..].find('\n').filter(|at| *at < 400).map_or(tail_start, |at| tail_start + at + 1);
        let (head, tail) = (&text[..head_end], &text[tail_start..]);
        Some(Self { head, tail, n_bytes_between: tail_start - head_end })
    }

    /// Returns the text with a line about the file that has the whole.
    pub(super) fn shown_with(&self, file: &str) -> String {
        let break_before = if self.head.is_empty() || self.head.ends_with('\n') { "" } else { "\n" };
        let kb = self.n_bytes_between.div_ceil(1024);
        format!(
            "{}{break_before}[steersman cut {kb} KB here; the whole output is in {file}]\n{}",
            self.head, self.tail
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_and_tail_stay_whole_lines() {
        assert_eq!(Cut::of("short", 5), None);
        let lines: Vec<String> = (0..1000).map(|n| format!("line {n}\n")).collect();
        let text = lines.concat();
        let cut = Cut::of(&text, 1000).unwrap();
        let shown = cut.shown_with("f.txt");
        assert!(shown.starts_with("line 0\n") && shown.ends_with("line 999\n"), "{shown}");
        assert!(
            shown.contains("\n[steersman cut 8 KB here; the whole output is in f.txt]\nline "),
            "{shown}"
        );
        assert!(shown.len() < 1100);
    }

    #[test]
    fn a_line_without_end_is_cut_between_characters() {
        let text = "ä".repeat(2000);
        let cut = Cut::of(&text, 1000).unwrap();
        assert!(cut.head.len() + cut.tail.len() <= 1000);
        assert_eq!(cut.head.len() + cut.tail.len() + cut.n_bytes_between, text.len());
    }
}
