//! A string with variables, such as `Review {filePath}`.
//!
//! INVARIANT: values are inserted as data. Braces within a value are not expanded, and no shell
//! ever reads the result.

mod check;
mod env_variables;
mod variables;

pub use check::{TemplateCode, TemplateProblem};
pub use env_variables::{EnvPart, env_parts};
pub use variables::{Availability, Variable, available, context, feature_of, plain};

use std::collections::BTreeMap;

use crate::limits::MAX_TEMPLATE_VARIABLE_NAME_LENGTH;

/// A string with variables that are filled in at use.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Template(String);

/// A string with its variables filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// The text.
    pub text: String,
    /// The variables without a value, each once; they were replaced with nothing.
    pub missing: Vec<String>,
}

/// A part of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part<'t> {
    Text(&'t str),
    Variable(&'t str),
}

impl Template {
    /// Makes a template of the text in a file.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns the text with its variables.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns its variables, in order, each once.
    pub fn variables(&self) -> Vec<&str> {
        let mut found = Vec::new();
        for part in parts(&self.0) {
            if let Part::Variable(name) = part
                && !found.contains(&name)
            {
                found.push(name);
            }
        }
        found
    }

    /// Returns the first position of a variable, in characters from 0, its braces included.
    pub fn position(&self, variable: &str) -> Option<usize> {
        let byte = self.0.find(&format!("{{{variable}}}"))?;
        Some(self.0[..byte].chars().count())
    }

    /// Returns the mistakes in its braces, in order. A template with mistakes is usable: text that is
    /// not a variable stays as it is.
    pub fn problems(&self) -> Vec<TemplateProblem> {
        check::problems(&self.0)
    }

    /// Fills in the variables. Variables without a value are replaced with nothing.
    pub fn fill(&self, values: &BTreeMap<String, String>) -> Filled {
        let mut filled = Filled { text: String::with_capacity(self.0.len()), missing: Vec::new() };
        for part in parts(&self.0) {
            match part {
                Part::Text(text) => filled.text.push_str(text),
                Part::Variable(name) => match values.get(name) {
                    Some(value) if !value.is_empty() => filled.text.push_str(value),
                    _ if filled.missing.iter().any(|known| known == name) => {}
                    _ => filled.missing.push(name.to_owned()),
                },
            }
        }
        filled
    }
}

/// Returns whether this is a valid variable name.
fn is_name(text: &str) -> bool {
    (1..=MAX_TEMPLATE_VARIABLE_NAME_LENGTH).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Splits a template into parts. Only a name directly between two braces is a variable.
fn parts(mut rest: &str) -> impl Iterator<Item = Part<'_>> {
    std::iter::from_fn(move || {
        let mut from = 0;
        while let Some(open) = rest[from..].find('{').map(|at| from + at) {
            let name = rest[open + 1..].split(['{', '}']).next().unwrap_or_default();
            let is_closed = rest[open + 1 + name.len()..].starts_with('}');
            if !(is_closed && is_name(name)) {
                from = open + 1;
                continue;
            }
            let part;
            if open == 0 {
                part = Part::Variable(name);
                rest = &rest[name.len() + 2..];
            } else {
                part = Part::Text(&rest[..open]);
                rest = &rest[open..];
            }
            return Some(part);
        }
        (!rest.is_empty()).then(|| Part::Text(std::mem::take(&mut rest)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(template: &str, values: &[(&str, &str)]) -> Filled {
        let values = values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Template::new(template).fill(&values)
    }

    #[test]
    fn variables_are_filled_in_and_everything_else_stays() {
        for (template, text) in [
            ("Review {filePath} now", "Review src/a.rs now"),
            ("{filePath}{filePath}", "src/a.rssrc/a.rs"),
            ("{{filePath}}", "{src/a.rs}"),
            ("{\"a\": {\"b\": 1}}", "{\"a\": {\"b\": 1}}"),
            ("{ filePath }", "{ filePath }"),
            ("{file-path}", "{file-path}"),
            ("{", "{"),
            ("}{", "}{"),
            ("{}", "{}"),
            ("", ""),
            ("é{filePath}漢", "ésrc/a.rs漢"),
        ] {
            let filled = fill(template, &[("filePath", "src/a.rs")]);
            assert_eq!(filled, Filled { text: text.to_owned(), missing: vec![] }, "{template}");
        }
    }

    #[test]
    fn a_value_is_data_and_never_expanded_again() {
        let filled = fill("{a} {b}", &[("a", "{b}"), ("b", "$(rm -rf ~) `x` {a}")]);
        assert_eq!(filled.text, "{b} $(rm -rf ~) `x` {a}");
    }

    #[test]
    fn what_has_no_value_leaves_nothing_and_is_told_once() {
        let filled = fill("a{gone}b{gone}c{there}", &[("there", "!"), ("gone", "")]);
        assert_eq!(filled, Filled { text: "abc!".to_owned(), missing: vec!["gone".to_owned()] });
    }

    #[test]
    fn a_position_is_counted_in_characters() {
        assert_eq!(Template::new("é {x}").position("x"), Some(2));
        assert_eq!(Template::new("é {x}").position("y"), None);
    }
}
