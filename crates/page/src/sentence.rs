//! A sentence of steersman as markup: text in backticks becomes code, each line a line.

use maud::{Markup, html};

/// Renders a text. A backtick without a partner stays as it is. A line that begins with `hint:` is less prominent.
pub(crate) fn sentence(text: &str) -> Markup {
    html! {
        @for (index, line) in text.trim_end().lines().enumerate() {
            @if index > 0 { br; }
            @if line.starts_with("hint:") { span.hint { (quoted(line)) } } @else { (quoted(line)) }
        }
    }
}

fn quoted(line: &str) -> Markup {
    let parts: Vec<&str> = line.split('`').collect();
    // An even number of parts means an odd number of backticks: the last one has no partner.
    let n_paired = if parts.len().is_multiple_of(2) { parts.len() - 1 } else { parts.len() };
    html! {
        @for (index, part) in parts.iter().enumerate() {
            @if index >= n_paired { "`" (part) }
            @else if index % 2 == 1 { code.quoted { (part) } }
            @else { (part) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_backticks_become_code_and_everything_is_escaped() {
        for (text, expected) in [
            ("plain <b>", "plain &lt;b&gt;"),
            ("run `a <b>` now", "run <code class=\"quoted\">a &lt;b&gt;</code> now"),
            ("`a` and `b", "<code class=\"quoted\">a</code> and `b"),
            ("", ""),
        ] {
            assert_eq!(sentence(text).into_string(), expected);
        }
    }

    #[test]
    fn each_line_stays_a_line_and_hints_are_marked() {
        assert_eq!(
            sentence("it is out of scope\nhint: run `a`\n").into_string(),
            "it is out of scope<br><span class=\"hint\">hint: run <code class=\"quoted\">a</code></span>"
        );
    }
}
