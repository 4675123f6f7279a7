//! The word of a decision, the same on every page.

use maud::{Markup, html};

/// Renders a decision as the record names it.
pub(super) fn decision(name: &str) -> Markup {
    html! { span class={ "chip " (name) } { (word(name)) } }
}

/// Returns the word of a decision for people. A module that abstains lets the call pass.
fn word(name: &str) -> &str {
    match name {
        "deny" => "denied",
        "ask" => "asked",
        "allow" => "allowed",
        "abstain" => "passed",
        "none" => "no decision",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_decision_has_one_word_and_its_own_style() {
        for (name, expected) in
            [("deny", "denied"), ("ask", "asked"), ("allow", "allowed"), ("abstain", "passed")]
        {
            assert_eq!(
                decision(name).into_string(),
                format!("<span class=\"chip {name}\">{expected}</span>")
            );
        }
    }
}
