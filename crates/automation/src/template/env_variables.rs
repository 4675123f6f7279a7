//! Environment variables in the texts of a file: `${env:NAME}`.
//!
//! WHY not `{env}`: values of templates are data of an occurrence and are redacted and stored; these are secrets of
//! the user, and only the started program or the server gets them.

/// A part of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnvPart<'t> {
    /// Text, with the variables of templates.
    Text(&'t str),
    /// The name of an environment variable.
    Variable(&'t str),
}

const OPEN: &str = "${env:";

/// Splits a string at its environment variables.
pub fn env_parts(text: &str) -> Vec<EnvPart<'_>> {
    let mut parts = Vec::new();
    let mut rest = text;
    let mut from = 0;
    while let Some(at) = rest[from..].find(OPEN).map(|at| from + at) {
        let name = rest[at + OPEN.len()..].split('}').next().unwrap_or_default();
        let end = at + OPEN.len() + name.len();
        let is_name = !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
        if !is_name || !rest[end..].starts_with('}') {
            from = at + OPEN.len();
            continue;
        }
        if at > 0 {
            parts.push(EnvPart::Text(&rest[..at]));
        }
        parts.push(EnvPart::Variable(name));
        rest = &rest[end + 1..];
        from = 0;
    }
    if !rest.is_empty() {
        parts.push(EnvPart::Text(rest));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_reference_is_a_variable() {
        use EnvPart::{Text, Variable};
        for (text, parts) in [
            ("Bearer ${env:TOKEN}!", &[Text("Bearer "), Variable("TOKEN"), Text("!")][..]),
            ("${env:A}${env:B_1}", &[Variable("A"), Variable("B_1")]),
            ("$HOME ${HOME} {env:X} ${env:} ${env:a-b}", &[Text("$HOME ${HOME} {env:X} ${env:} ${env:a-b}")]),
            ("${env:OPEN", &[Text("${env:OPEN")]),
            ("${env:x ${env:Y}", &[Text("${env:x "), Variable("Y")]),
            ("", &[]),
        ] {
            assert_eq!(env_parts(text), parts, "{text}");
        }
    }
}
