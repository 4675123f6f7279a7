//! Shows where two texts differ, as lines with `-` and `+`.

use std::fmt::Write;

/// Lines of a side shown at most; a stale file is regenerated, not mended by hand.
const MOST_LINES: usize = 30;

/// Lines shown before and after, so that the place can be found.
const CONTEXT: usize = 2;

/// Returns the lines between the common beginning and the common end, with some context.
pub(crate) fn show(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let n_before = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old[n_before..].iter().rev().zip(new[n_before..].iter().rev());
    let n_after = rest.take_while(|(a, b)| a == b).count();
    let mut shown = format!("@@ line {}\n", n_before + 1);
    let mut put = |mark: char, lines: &[&str]| {
        for line in lines.iter().take(MOST_LINES) {
            let _ = writeln!(shown, "{mark}{line}");
        }
        if lines.len() > MOST_LINES {
            let _ = writeln!(shown, "{mark}… and {} more lines", lines.len() - MOST_LINES);
        }
    };
    put(' ', &old[n_before.saturating_sub(CONTEXT)..n_before]);
    put('-', &old[n_before..old.len() - n_after]);
    put('+', &new[n_before..new.len() - n_after]);
    put(' ', &old[old.len() - n_after..][..n_after.min(CONTEXT)]);
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_shown_with_two_lines_around_it() {
        let old = "1\n2\n3\nold\n5\n6\n7\n";
        let new = "1\n2\n3\nnew\nnewer\n5\n6\n7\n";
        assert_eq!(show(old, new), "@@ line 4\n 2\n 3\n-old\n+new\n+newer\n 5\n 6\n");
    }

    #[test]
    fn a_line_that_is_only_added_or_removed_is_shown_alone() {
        assert_eq!(show("a\na\n", "a\na\na\n"), "@@ line 3\n a\n a\n+a\n");
        assert_eq!(show("a\nb\n", "b\n"), "@@ line 1\n-a\n b\n");
    }

    #[test]
    fn a_long_difference_is_cut() {
        let shown = show("", &"x\n".repeat(100));
        assert_eq!(shown.lines().count(), 1 + 30 + 1);
        assert!(shown.ends_with("+… and 70 more lines\n"), "{shown}");
    }
}
