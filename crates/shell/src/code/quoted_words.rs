//! Perl's quoted words: `qw(rm -rf /)` is the list `("rm", "-rf", "/")`.

/// Returns the code with each `qw(…)` written as a list of strings. Returns `None` if it has none.
pub(super) fn list_words(code: &str) -> Option<String> {
    let mut listed = String::new();
    let mut rest = code;
    while let Some(at) = rest.find("qw") {
        let behind = rest[at + 2..].trim_start();
        let is_word =
            rest[..at].ends_with(|last: char| last.is_ascii_alphanumeric() || "_$@%".contains(last));
        let close = match behind.chars().next() {
            Some('(') => ')',
            Some('[') => ']',
            Some('{') => '}',
            Some('<') => '>',
            Some(mark @ ('/' | '|' | '!')) => mark,
            _ => '\0',
        };
        let end = behind.get(1..).and_then(|inside| inside.find(close)).filter(|_| !is_word);
        let Some(end) = end else {
            listed.push_str(&rest[..at + 2]);
            rest = &rest[at + 2..];
            continue;
        };
        let words = behind[1..=end].split_whitespace().map(|word| format!("'{word}'"));
        listed.push_str(&rest[..at]);
        listed.push('(');
        listed.push_str(&words.collect::<Vec<_>>().join(", "));
        listed.push(')');
        rest = &behind[end + 2..];
    }
    if listed.is_empty() {
        return None;
    }
    listed.push_str(rest);
    Some(listed)
}

#[cfg(test)]
mod tests {
    use super::list_words;

    #[test]
    fn quoted_words_become_a_list() {
        for (code, expected) in [
            ("system qw(rm -rf /)", Some("system ('rm', '-rf', '/')")),
            ("exec qw/a b/; print 1", Some("exec ('a', 'b'); print 1")),
            ("my @x = qw[ a ];", Some("my @x = ('a');")),
            ("$qw(1)", Some("$qw(1)")),
            ("qw(open", Some("qw(open")),
            ("print 1", None),
        ] {
            assert_eq!(list_words(code).as_deref(), expected, "{code}");
        }
    }
}
