//! A text with variables in it, such as `Review {filePath}`.
//!
//! INVARIANT: a value is inserted as data. It is looked at once, when it is put in; braces in
//! it mean nothing, and no shell ever reads the result.

mod check;
mod variables;

pub use check::{TemplateCode, TemplateProblem};
pub use variables::{Availability, Variable, available, context, feature_of};

use std::collections::BTreeMap;

use crate::limits::MAX_TEMPLATE_VARIABLE_NAME_LENGTH;

/// A text in which variables are filled in when it is used.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Template(String);

/// A text with its variables filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filled {
    /// The text.
    pub text: String,
    /// The variables that had no value and left nothing, each once.
    pub missing: Vec<String>,
}

/// A part of a template.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part<'t> {
    Text(&'t str),
    Variable(&'t str),
}

impl Template {
    /// Takes a text as it stands in a file.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Returns it as it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the variables in it, in order, each once.
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

    /// Returns where a variable first stands, in characters from 0, its braces included.
    pub fn position(&self, variable: &str) -> Option<usize> {
        let byte = self.0.find(&format!("{{{variable}}}"))?;
        Some(self.0[..byte].chars().count())
    }

    /// Returns what is wrong with its braces, in order. It can be used all the same: what is
    /// no variable stays as it is.
    pub fn problems(&self) -> Vec<TemplateProblem> {
        check::problems(&self.0)
    }

    /// Fills the variables in. One without a value leaves nothing.
    pub fn fill(&self, values: &BTreeMap<String, String>) -> Filled {
        let mut filled = Filled { text: String::with_capacity(self.0.len()), missing: Vec::new() };
        for part in parts(&self.0) {
            match part {
                Part::Text(text) => filled.text.push_str(text),
                Part::Variable(name) => match values.get(name) {
                    Some(value) => filled.text.push_str(value),
                    None if filled.missing.iter().any(|known| known == name) => {}
                    None => filled.missing.push(name.to_owned()),
                },
            }
        }
        filled
    }
}

/// Returns whether this can be the name of a variable.
fn is_name(text: &str) -> bool {
    (1..=MAX_TEMPLATE_VARIABLE_NAME_LENGTH).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Takes a template apart. Only a name directly between two braces is a variable.
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
        let filled = fill("a{gone}b{gone}c{there}", &[("there", "!")]);
        assert_eq!(filled, Filled { text: "abc!".to_owned(), missing: vec!["gone".to_owned()] });
    }

    #[test]
    fn a_position_is_counted_in_characters() {
        assert_eq!(Template::new("é {x}").position("x"), Some(2));
        assert_eq!(Template::new("é {x}").position("y"), None);
    }
}
