//! Words in colour. What is printed to no terminal loses the colour on the way.

use anstyle::{AnsiColor, Style};

/// Something that is fine.
pub(crate) fn good(text: &str) -> String {
    styled(AnsiColor::Green.on_default().bold(), text)
}

/// Something a person has to look at.
pub(crate) fn careful(text: &str) -> String {
    styled(AnsiColor::Yellow.on_default().bold(), text)
}

/// Something that is refused or broken.
pub(crate) fn bad(text: &str) -> String {
    styled(AnsiColor::Red.on_default().bold(), text)
}

/// Something of less weight.
pub(crate) fn dim(text: &str) -> String {
    styled(Style::new().dimmed(), text)
}

/// A way to go on.
pub(crate) fn hint(text: &str) -> String {
    let style = AnsiColor::Cyan.on_default().bold();
    format!("{style}hint:{style:#} {text}")
}

fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}
