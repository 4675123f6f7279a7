//! A text on one line.

/// Returns a text with every run of white space as one space, so that it fits a line.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
