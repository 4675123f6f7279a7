//! Colours by meaning. They only repeat what the words beside them state.

use anstyle::{AnsiColor, Style};

/// Denied or failed.
pub(crate) const BAD: Style = AnsiColor::Red.on_default();
/// An ask or a warning.
pub(crate) const CAREFUL: Style = AnsiColor::Yellow.on_default();
/// Allowed or passed.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// Names and headings.
pub(crate) const STRONG: Style = Style::new().bold();
/// Section titles.
pub(crate) const TITLE: Style = Style::new().bold().underline();
/// Hints.
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
