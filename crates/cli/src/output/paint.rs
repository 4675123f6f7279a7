//! The colours, by what they mean. They only say again what the words beside them say.

use anstyle::{AnsiColor, Style};

/// Refused or failed.
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
/// Asked about, or worth a look.
pub(crate) const CAREFUL: Style = AnsiColor::Yellow.on_default();
/// Passed.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// Names and headings.
pub(crate) const STRONG: Style = Style::new().bold();
/// What begins a part.
pub(crate) const TITLE: Style = Style::new().bold().underline();
/// A way to go on.
pub(crate) const HINT: Style = AnsiColor::Cyan.on_default().bold();
/// Times, hashes, rules.
pub(crate) const FAINT: Style = Style::new().dimmed();
/// Neither good nor bad.
pub(crate) const PLAIN: Style = Style::new();

/// Returns the text in a colour.
pub(crate) fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// Returns the colour of a decision.
pub(crate) fn of_decision(decision: &str) -> Style {
    match decision {
        "deny" => BAD,
        "ask" => CAREFUL,
        "allow" => GOOD,
        _ => PLAIN,
    }
}
