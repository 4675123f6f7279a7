//! Checks the braces of a template.

use super::is_name;

/// One mistake in a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TemplateProblem {
    /// Its kind.
    pub code: TemplateCode,
    /// Its position, in characters from 0.
    pub at: usize,
    /// Its width in characters.
    pub width: usize,
}

/// The five kinds of mistakes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TemplateCode {
    /// A `{` without its `}`.
    UnclosedBrace,
    /// A `}` without its `{`.
    UnopenedBrace,
    /// `{}`
    EmptyVariable,
    /// An invalid name between the braces.
    InvalidVariableName,
    /// A `{` within braces.
    NestedBraces,
}

impl TemplateCode {
    /// Returns the constant for programs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UnclosedBrace => "UNCLOSED_BRACE",
            Self::UnopenedBrace => "UNOPENED_BRACE",
            Self::EmptyVariable => "EMPTY_VARIABLE",
            Self::InvalidVariableName => "INVALID_VARIABLE_NAME",
            Self::NestedBraces => "NESTED_BRACES",
        }
    }

    /// Returns the sentence for people.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::UnclosedBrace => "this `{` is never closed",
            Self::UnopenedBrace => "this `}` has no matching `{`",
            Self::EmptyVariable => "missing variable name between these braces",
            Self::InvalidVariableName => {
                "not a valid variable name, so the text stays as it is; names have letters, digits and `_`"
            }
            Self::NestedBraces => "nested `{` within braces",
        }
    }
}

/// An open brace.
struct Open {
    at: usize,
    /// The start of its content, in bytes.
    inside: usize,
    has_nested: bool,
}

/// Returns the mistakes in text order. Environment variables are no mistakes: `${env:NAME}`.
pub(super) fn problems(text: &str) -> Vec<TemplateProblem> {
    let text = &text.replace("${env:", "$_env_");
    let text = &without_closing(text);
    let mut found = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    for (at, (byte, character)) in text.char_indices().enumerate() {
        let mut tell = |code, from: usize| {
            found.push(TemplateProblem { code, at: from, width: at + 1 - from });
        };
        match character {
            '{' => {
                if let Some(outer) = open.last_mut() {
                    outer.has_nested = true;
                    tell(TemplateCode::NestedBraces, at);
                }
                open.push(Open { at, inside: byte + 1, has_nested: false });
            }
            '}' => match open.pop() {
                None => tell(TemplateCode::UnopenedBrace, at),
                Some(closed) if closed.has_nested => {}
                Some(closed) if closed.inside == byte => tell(TemplateCode::EmptyVariable, closed.at),
                Some(closed) if !is_name(&text[closed.inside..byte]) => {
                    tell(TemplateCode::InvalidVariableName, closed.at);
                }
                Some(_) => {}
            },
            _ => {}
        }
    }
    found.extend(open.iter().map(|open| TemplateProblem {
        code: TemplateCode::UnclosedBrace,
        at: open.at,
        width: 1,
    }));
    found.sort_by_key(|problem| problem.at);
    found
}

/// Replaces the brace that ends each `$_env_NAME}`.
fn without_closing(text: &str) -> String {
    let mut parts = text.split("$_env_");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str("$_env_");
        plain.push_str(&part.replacen('}', "_", 1));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mistake_is_told_with_its_place() {
        use TemplateCode::{EmptyVariable, InvalidVariableName, NestedBraces, UnclosedBrace, UnopenedBrace};
        for (text, expected) in [
            ("Review {filePath}", vec![]),
            ("no braces", vec![]),
            ("{", vec![(UnclosedBrace, 0, 1)]),
            ("é {a", vec![(UnclosedBrace, 2, 1)]),
            ("a} b", vec![(UnopenedBrace, 1, 1)]),
            ("x {}", vec![(EmptyVariable, 2, 2)]),
            ("{a-b}", vec![(InvalidVariableName, 0, 5)]),
            ("{ a }", vec![(InvalidVariableName, 0, 5)]),
            ("{{a}}", vec![(NestedBraces, 1, 1)]),
            ("{a{b}", vec![(UnclosedBrace, 0, 1), (NestedBraces, 2, 1)]),
            ("}{", vec![(UnopenedBrace, 0, 1), (UnclosedBrace, 1, 1)]),
            ("{} {a b}", vec![(EmptyVariable, 0, 2), (InvalidVariableName, 3, 5)]),
        ] {
            let found: Vec<_> = problems(text).iter().map(|it| (it.code, it.at, it.width)).collect();
            assert_eq!(found, expected, "{text}");
        }
        let long = format!("{{{}}}", "x".repeat(51));
        assert_eq!(problems(&long)[0].code, InvalidVariableName);
    }
}
