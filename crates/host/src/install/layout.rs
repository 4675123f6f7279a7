//! The layout of a file, for formatting new values like the existing ones.

use serde_json::Value;

use super::document::Document;

/// The formatting of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    /// One step of indentation.
    unit: String,
    /// The line break.
    pub(super) newline: &'static str,
}

impl Default for Layout {
    fn default() -> Self {
        Self { unit: "  ".to_owned(), newline: "\n" }
    }
}

impl Layout {
    /// Detects the formatting of a file: the indentation of the first key that begins a line, and the
    /// first line break.
    pub(super) fn of(document: &Document<'_>) -> Self {
        let text = document.text;
        let newline = match text.find('\n') {
            Some(end) if text[..end].ends_with('\r') => "\r\n",
            _ => "\n",
        };
        let indents = document.root.properties.iter().filter(|key| begins_line(text, key.range.start));
        let unit = indents.map(|key| indent_at(text, key.range.start)).find(|indent| !indent.is_empty());
        unit.map_or_else(
            || Self { newline, ..Self::default() },
            |unit| Self { unit: unit.to_owned(), newline },
        )
    }

    /// Returns the indentation one step deeper.
    pub(super) fn deeper(&self, indent: &str) -> String {
        format!("{indent}{}", self.unit)
    }

    /// Formats a value over several lines; the first line is not indented.
    pub(super) fn block(&self, value: &Value, indent: &str) -> String {
        let deeper = self.deeper(indent);
        let (open, close, items): (_, _, Vec<_>) = match value {
            Value::Array(elements) if !elements.is_empty() => {
                ('[', ']', elements.iter().map(|element| self.block(element, &deeper)).collect())
            }
            Value::Object(properties) if !properties.is_empty() => {
                let property = |(key, value): (&String, &Value)| self.property(key, value, &deeper);
                ('{', '}', properties.iter().map(property).collect())
            }
            plain => return plain.to_string(),
        };
        let between = format!(",{}{deeper}", self.newline);
        format!("{open}{0}{deeper}{1}{0}{indent}{close}", self.newline, items.join(&between))
    }

    /// Formats a property, with its value over several lines.
    pub(super) fn property(&self, key: &str, value: &Value, indent: &str) -> String {
        format!("{}: {}", Value::from(key), self.block(value, indent))
    }
}

/// Returns the indentation of the line that contains a byte.
pub(super) fn indent_at(text: &str, offset: usize) -> &str {
    let line = &text[line_start(text, offset)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Returns whether only white space precedes a byte on its line.
pub(super) fn begins_line(text: &str, offset: usize) -> bool {
    text[line_start(text, offset)..offset].trim_start_matches([' ', '\t']).is_empty()
}

fn line_start(text: &str, offset: usize) -> usize {
    text[..offset].rfind('\n').map_or(0, |newline| newline + 1)
}
