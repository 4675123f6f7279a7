//! From words to fields: tilde, parameters, substitutions, splitting, braces, globs.

use super::Walker;
use super::arithmetic::NUMBER;
use super::brace;
use crate::reading::{Origin, Outlet, Span};
use crate::syntax::{Piece, Script, Word};
use crate::text::{Taint, Text};

/// A part of an expanded word.
#[derive(Debug, Clone)]
pub(super) enum Part {
    /// Written without quotes: braces, globs and a leading tilde are alive.
    Bare(String),
    /// Quoted, or the result of a quoted expansion.
    Fixed(Text),
    /// Result of an unquoted expansion: is split and may glob.
    Loose(Text),
    /// `"$@"`: the next part begins a new field.
    Break,
}

impl Walker<'_> {
    /// Expands a word to the fields it becomes.
    pub(super) fn fields(&mut self, word: &Word) -> Vec<Text> {
        // Most words are one plain run of text.
        if let [Piece::Bare(text)] = word.pieces.as_slice()
            && !text.contains(['{', '~', '*', '?', '['])
        {
            return vec![Text::known(text.as_str())];
        }
        let mut parts = Vec::with_capacity(word.pieces.len());
        self.parts(&word.pieces, false, word.span, &mut parts);
        let mut fields = Vec::new();
        for alternative in brace::expand(parts) {
            self.join(alternative, &mut fields);
        }
        fields
    }

    /// Expands a word to one value without splitting, as an assignment does.
    pub(super) fn value(&mut self, word: &Word) -> Text {
        let mut parts = Vec::new();
        self.parts(&word.pieces, false, word.span, &mut parts);
        self.one(parts)
    }

    /// Expands pieces to one value, as quotes and here-documents do.
    pub(super) fn value_of(&mut self, pieces: &[Piece], span: Span) -> Text {
        let mut parts = Vec::new();
        self.parts(pieces, true, span, &mut parts);
        self.one(parts)
    }

    fn one(&mut self, parts: Vec<Part>) -> Text {
        let mut value = Text::default();
        for (index, part) in parts.into_iter().enumerate() {
            match part {
                Part::Bare(text) => {
                    let text = if index == 0 { self.tilde(&text) } else { Text::known(text) };
                    value.push(&text);
                }
                Part::Fixed(text) | Part::Loose(text) => value.push(&text),
                Part::Break => value.push_str(" "),
            }
        }
        value
    }

    /// Joins parts to fields, splitting where the shell would.
    fn join(&mut self, parts: Vec<Part>, fields: &mut Vec<Text>) {
        let mut current: Option<Text> = None;
        for (index, part) in parts.into_iter().enumerate() {
            match part {
                Part::Bare(text) => {
                    let mut text = if index == 0 { self.tilde(&text) } else { Text::known(text) };
                    text.glob = text.text.contains(['*', '?', '[']);
                    current.get_or_insert_default().push(&text);
                }
                Part::Fixed(text) => current.get_or_insert_default().push(&text),
                Part::Break => {
                    if let Some(field) = current.take() {
                        fields.push(field);
                    }
                }
                Part::Loose(mut text) => {
                    text.glob |= text.text.contains(['*', '?']) && text.is_known();
                    let separators = self.separators();
                    let starts_apart = text.text.starts_with(|character| separators.contains(character));
                    let ends_apart = text.text.ends_with(|character| separators.contains(character));
                    let split = text.split(&separators);
                    if starts_apart && let Some(field) = current.take() {
                        fields.push(field);
                    }
                    let n_split = split.len();
                    for (position, field) in split.into_iter().enumerate() {
                        current.get_or_insert_default().push(&field);
                        if (position + 1 < n_split || ends_apart)
                            && let Some(field) = current.take()
                        {
                            fields.push(field);
                        }
                    }
                }
            }
        }
        fields.extend(current);
    }

    fn separators(&self) -> String {
        match self.state.variable("IFS").and_then(|variable| variable.values.last()) {
            Some(value) if value.is_known() => value.text.clone(),
            _ => " \t\n".to_owned(),
        }
    }

    /// Expands a leading `~`, `~/`, `~+`, `~-`; also behind `=` and `:` of an assignment-like word.
    fn tilde(&self, text: &str) -> Text {
        if let Some(rest) = text.strip_prefix('~') {
            let (user, tail) = rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash));
            let home = match user {
                "" => Some(self.reading.home.clone()),
                "+" => self.state.cwd.clone(),
                "-" => self.state.previous.clone(),
                "root" => Some("/root".to_owned()),
                name if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte)) => {
                    Some(format!("/home/{name}"))
                }
                _ => None,
            };
            if let Some(home) = home {
                return Text::known(format!("{home}{tail}"));
            }
        } else if let Some((name, value)) = text.split_once("=~/") {
            return Text::known(format!("{name}={}/{value}", self.reading.home));
        }
        Text::known(text)
    }

    /// Expands pieces to parts.
    pub(super) fn parts(&mut self, pieces: &[Piece], quoted: bool, span: Span, parts: &mut Vec<Part>) {
        for piece in pieces {
            match piece {
                Piece::Bare(text) if quoted => parts.push(Part::Fixed(Text::known(text.as_str()))),
                Piece::Bare(text) => parts.push(Part::Bare(text.clone())),
                Piece::Quoted(text) => parts.push(Part::Fixed(Text::known(text.as_str()))),
                Piece::Double(inner) => {
                    if inner.is_empty() {
                        parts.push(Part::Fixed(Text::default()));
                    }
                    self.parts(inner, true, span, parts);
                }
                Piece::Param(param) => self.param(param, quoted, span, parts),
                Piece::Command(script) => {
                    let text = self.substitution(script).trim_line_ends();
                    parts.push(if quoted { Part::Fixed(text) } else { Part::Loose(text) });
                }
                Piece::Process { body, reads } => parts.push(Part::Fixed(self.process(body, *reads))),
                Piece::Arithmetic(inner) => {
                    let mut ignored = Vec::new();
                    self.parts(inner, true, span, &mut ignored);
                    let expression = self.one(ignored);
                    self.arithmetic(&expression, span);
                    let value = expression.value().and_then(|text| text.trim().parse::<i64>().ok());
                    parts.push(Part::Fixed(match value {
                        Some(number) => Text::known(number.to_string()),
                        None => Text::unknown(NUMBER, Taint::PRINTED),
                    }));
                }
            }
        }
    }

    /// Follows `$(…)` and returns its output.
    pub(super) fn substitution(&mut self, script: &Script) -> Text {
        let origin = std::mem::replace(&mut self.origin, Origin::Substitution);
        let first = self.n_commands();
        let output = self
            .enter(|walker| walker.subshell(|walker| walker.script(script)))
            .unwrap_or_else(|| Text::unknown("$(…)", Taint::NONE));
        self.lead(first, Outlet::Kept);
        self.origin = origin;
        output
    }

    /// Follows `<(…)` or `>(…)`; returns the name of a file with the output.
    fn process(&mut self, body: &Script, reads: bool) -> Text {
        let output = self.substitution(body);
        let path = format!("/dev/fd/{}", 63 - self.state.written.len().min(50));
        if reads {
            let taint = output.taint;
            self.state.write(&path, output, false);
            return Text { taint, ..Text::known(path) };
        }
        Text::known(path)
    }
}
