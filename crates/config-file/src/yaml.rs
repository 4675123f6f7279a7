//! Parses YAML within limits and records the bytes of every value.
//!
//! WHY by events instead of by types: deserializing into a type stops at the first mistake and loses
//! positions. Here a reader reports every mistake at once, and an edit knows the bytes it replaces.
//!
//! INVARIANT: parsing takes at most a fixed number of values and a fixed depth for any text: an alias
//! counts as all the values it repeats.

use std::borrow::Cow;
use std::collections::HashMap;

use granit_parser::{Event, Parser, ScalarStyle, StrInput, StructureStyle, options};

use crate::node::{Entry, Kind, Node, Span};
use crate::report::SyntaxError;

/// The limits of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The deepest nesting of arrays and mappings; errors call it `MAX_DEPTH`.
    pub depth: usize,
    /// The most values, including each repetition by an alias; errors call it `MAX_NODES`.
    pub nodes: usize,
}

/// Parses the only document of a string. Returns `None` if the text is empty.
pub fn parse(text: &str, limits: Limits) -> Result<Option<Node<'_>>, SyntaxError> {
    parse_part(text, 0, limits)
}

/// Parses a part of a string that begins at byte `start`; spans count from the beginning of the text.
pub fn parse_part(part: &str, start: usize, limits: Limits) -> Result<Option<Node<'_>>, SyntaxError> {
    let limits_of_parser = options! {
        // One more than the builder allows, so that the builder names the limit.
        flow_nesting_limit: limits.depth + 1,
        block_nesting_limit: limits.depth + 1,
        // Cargo may have enabled them for another crate.
        emit_comments: false,
    };
    let parser = Parser::new_from_str_with_options(part, limits_of_parser);
    Builder { limits, start, ..Builder::default() }.build(part, parser)
}

#[derive(Default)]
struct Builder<'t> {
    limits: Limits,
    /// The byte at which the part begins.
    start: usize,
    open: Vec<Open<'t>>,
    /// The value of each anchor, and the number of values in it.
    anchors: HashMap<usize, (Node<'t>, usize)>,
    root: Option<Node<'t>>,
    n_nodes: usize,
    n_documents: usize,
}

/// An array or mapping that is not complete yet.
struct Open<'t> {
    node: Node<'t>,
    anchor: usize,
    key: Option<(Cow<'t, str>, Span)>,
    /// The number of values before it.
    counted: usize,
}

impl<'t> Builder<'t> {
    fn build(
        mut self,
        text: &'t str,
        mut parser: Parser<'t, StrInput<'t>>,
    ) -> Result<Option<Node<'t>>, SyntaxError> {
        while let Some(event) = parser.next_event() {
            let (event, span) = event.map_err(|error| self.refusal(text, &error))?;
            // A parser of a whole text always reports byte ranges.
            let range = span.byte_range().unwrap_or_default();
            self.take(event, Span::new(range.start, range.end).behind(self.start))?;
        }
        Ok(self.root)
    }

    fn take(&mut self, event: Event<'t>, span: Span) -> Result<(), SyntaxError> {
        match event {
            Event::DocumentStart(..) => self.n_documents += 1,
            // A last `---` with nothing after it does not begin a second document.
            _ if self.n_documents > 1 && is_value(&event) => {
                let hint = Some("keep everything in one document: remove the `---` above");
                return Err(SyntaxError { hint, ..SyntaxError::new(span, "a second document begins here") });
            }
            Event::Scalar(text, style, anchor, _) => {
                self.count(span, 1)?;
                let node = Node { span, kind: Kind::Scalar { text, plain: style == ScalarStyle::Plain } };
                self.close(node, anchor, self.n_nodes - 1)?;
            }
            Event::SequenceStart(style, anchor, _) => {
                let block = style == StructureStyle::Block;
                self.open(span, Kind::Array { items: Vec::new(), block }, anchor)?;
            }
            Event::MappingStart(_, anchor, _) => self.open(span, Kind::Map(Vec::new()), anchor)?,
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(Open { node, anchor, counted, .. }) = self.open.pop() {
                    self.close(node, anchor, counted)?;
                }
            }
            Event::Alias(anchor) => {
                let Some(n_nodes) = self.anchors.get(&anchor).map(|(_, n_nodes)| *n_nodes) else {
                    return Err(SyntaxError::new(span, "the alias is part of the value it repeats"));
                };
                // Counted before copying, so that an alias bomb never expands.
                self.count(span, n_nodes)?;
                let Some((node, _)) = self.anchors.get(&anchor) else { return Ok(()) };
                let node = Node { span, ..node.clone() };
                self.close(node, 0, self.n_nodes - n_nodes)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn open(&mut self, span: Span, kind: Kind<'t>, anchor: usize) -> Result<(), SyntaxError> {
        self.count(span, 1)?;
        if self.open.len() >= self.limits.depth {
            return Err(self.too_deep(span));
        }
        self.open.push(Open { node: Node { span, kind }, anchor, key: None, counted: self.n_nodes - 1 });
        Ok(())
    }

    fn close(&mut self, node: Node<'t>, anchor: usize, counted: usize) -> Result<(), SyntaxError> {
        if anchor > 0 {
            self.anchors.insert(anchor, (node.clone(), self.n_nodes - counted));
        }
        let Some(parent) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        let end = node.span.end;
        match &mut parent.node.kind {
            Kind::Array { items, .. } => items.push(node),
            Kind::Map(entries) => match parent.key.take() {
                None => {
                    let Kind::Scalar { text, .. } = node.kind else {
                        return Err(SyntaxError::new(node.at(), "a key must be a string"));
                    };
                    parent.key = Some((text, node.span));
                    return Ok(());
                }
                Some((key, at)) => entries.push(Entry { key, at, value: node }),
            },
            Kind::Scalar { .. } => {}
        }
        parent.node.span.end = parent.node.span.end.max(end);
        Ok(())
    }

    fn count(&mut self, span: Span, n_more: usize) -> Result<(), SyntaxError> {
        self.n_nodes += n_more;
        if self.n_nodes > self.limits.nodes {
            let message = format!("more than the {} values of MAX_NODES", self.limits.nodes);
            let hint = Some("keep data elsewhere; an alias counts as all the values it repeats");
            return Err(SyntaxError { hint, is_limit: true, ..SyntaxError::new(span, message) });
        }
        Ok(())
    }

    fn too_deep(&self, span: Span) -> SyntaxError {
        let message = format!("nested deeper than the {} levels of MAX_DEPTH", self.limits.depth);
        SyntaxError { is_limit: true, ..SyntaxError::new(span, message) }
    }

    /// Describes the parser's error.
    fn refusal(&self, text: &str, error: &granit_parser::ScanError) -> SyntaxError {
        let marker = error.marker();
        let start = marker.byte_offset().unwrap_or_else(|| byte_of(text, marker.line(), marker.col()));
        let span = Span::new(start, start + 1).behind(self.start);
        let message = error.kind().to_string();
        if message.contains("limit") {
            return self.too_deep(span);
        }
        let hint = Some(advice(&message));
        SyntaxError { hint, ..SyntaxError::new(span, format!("cannot parse YAML: {message}")) }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: 64, nodes: 1 << 19 }
    }
}

/// Returns the byte of a line from 1 and a column from 0.
fn byte_of(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = text.get(before..).unwrap_or_default();
    before + rest.char_indices().nth(column).map_or(rest.len(), |(at, _)| at)
}

fn is_value(event: &Event<'_>) -> bool {
    matches!(event, Event::Scalar(..) | Event::SequenceStart(..) | Event::MappingStart(..) | Event::Alias(_))
}

/// Returns a hint for the most frequent mistakes.
fn advice(message: &str) -> &'static str {
    if message.contains("mapping values are not allowed") {
        "quote the string, or write it below a `|`: it contains a colon"
    } else if message.contains("tab") {
        "indent with spaces"
    } else if message.contains("quote") {
        "close the quote"
    } else if message.contains("unknown anchor") {
        "quote a string that begins with `*`, such as `\"**/*.rs\"`"
    } else {
        "check the indentation, and quote strings with `:`, `#`, `*` or `&`"
    }
}
