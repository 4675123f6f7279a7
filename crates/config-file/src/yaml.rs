//! YAML with the bytes of every value, within limits.
//!
//! WHY by events instead of by types: a type stops at its first mistake and forgets where
//! things stood. Here a reader reports every mistake at once, and an edit knows the bytes it
//! replaces.
//!
//! INVARIANT: reading costs at most a fixed number of values and a fixed depth, whatever the
//! text says: aliases count as what they repeat.

use std::borrow::Cow;
use std::collections::HashMap;

use granit_parser::{Event, Parser, ScalarStyle, StrInput, StructureStyle, options};

use crate::node::{Entry, Kind, Node, Span};
use crate::report::Fault;

/// How much a text may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The deepest nesting of lists and mappings; errors call it `MAX_DEPTH`.
    pub depth: usize,
    /// The most values, those that aliases repeat counted each time; errors call it `MAX_NODES`.
    pub nodes: usize,
}

/// Reads the one document of a text; `None` if there is nothing in it.
pub fn parse(text: &str, limits: Limits) -> Result<Option<Node<'_>>, Fault> {
    parse_part(text, 0, limits)
}

/// Reads a part of a text that begins at this byte of it; spans count from the text's begin.
pub fn parse_part(part: &str, start: usize, limits: Limits) -> Result<Option<Node<'_>>, Fault> {
    let limits_of_parser = options! {
        // One more than the builder takes, so that the builder names the limit.
        flow_nesting_limit: limits.depth + 1,
        block_nesting_limit: limits.depth + 1,
        // Another crate may have switched them on for all.
        emit_comments: false,
    };
    let parser = Parser::new_from_str_with_options(part, limits_of_parser);
    Builder { limits, start, ..Builder::default() }.build(part, parser)
}

#[derive(Default)]
struct Builder<'t> {
    limits: Limits,
    /// The byte at which the text begins.
    start: usize,
    open: Vec<Open<'t>>,
    /// What an anchor stands for, and how many values that is.
    anchors: HashMap<usize, (Node<'t>, usize)>,
    root: Option<Node<'t>>,
    n_nodes: usize,
    n_documents: usize,
}

/// A list or mapping whose end has not come yet.
struct Open<'t> {
    node: Node<'t>,
    anchor: usize,
    key: Option<(Cow<'t, str>, Span)>,
    /// How many values came before it.
    counted: usize,
}

impl<'t> Builder<'t> {
    fn build(
        mut self,
        text: &'t str,
        mut parser: Parser<'t, StrInput<'t>>,
    ) -> Result<Option<Node<'t>>, Fault> {
        while let Some(event) = parser.next_event() {
            let (event, span) = event.map_err(|error| self.refusal(text, &error))?;
            // Spans of a parser that reads a whole text always have bytes.
            let range = span.byte_range().unwrap_or_default();
            self.take(event, Span::new(range.start, range.end).behind(self.start))?;
        }
        Ok(self.root)
    }

    fn take(&mut self, event: Event<'t>, span: Span) -> Result<(), Fault> {
        match event {
            Event::DocumentStart(..) => self.n_documents += 1,
            // A last `---` with nothing behind it begins no document worth a complaint.
            _ if self.n_documents > 1 && is_value(&event) => {
                let hint = Some("keep everything in one document: remove the `---` above");
                return Err(Fault { hint, ..Fault::new(span, "a second document begins here") });
            }
            Event::Scalar(text, style, anchor, _) => {
                self.count(span, 1)?;
                let node = Node { span, kind: Kind::Scalar { text, plain: style == ScalarStyle::Plain } };
                self.close(node, anchor, self.n_nodes - 1)?;
            }
            Event::SequenceStart(style, anchor, _) => {
                let block = style == StructureStyle::Block;
                self.open(span, Kind::List { items: Vec::new(), block }, anchor)?;
            }
            Event::MappingStart(_, anchor, _) => self.open(span, Kind::Map(Vec::new()), anchor)?,
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(Open { node, anchor, counted, .. }) = self.open.pop() {
                    self.close(node, anchor, counted)?;
                }
            }
            Event::Alias(anchor) => {
                let Some(n_nodes) = self.anchors.get(&anchor).map(|(_, n_nodes)| *n_nodes) else {
                    return Err(Fault::new(span, "the alias is part of the value it repeats"));
                };
                // Counted before it is copied, so that a bomb of aliases never unfolds.
                self.count(span, n_nodes)?;
                let Some((node, _)) = self.anchors.get(&anchor) else { return Ok(()) };
                let node = Node { span, ..node.clone() };
                self.close(node, 0, self.n_nodes - n_nodes)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn open(&mut self, span: Span, kind: Kind<'t>, anchor: usize) -> Result<(), Fault> {
        self.count(span, 1)?;
        if self.open.len() >= self.limits.depth {
            return Err(self.too_deep(span));
        }
        self.open.push(Open { node: Node { span, kind }, anchor, key: None, counted: self.n_nodes - 1 });
        Ok(())
    }

    fn close(&mut self, node: Node<'t>, anchor: usize, counted: usize) -> Result<(), Fault> {
        if anchor > 0 {
            self.anchors.insert(anchor, (node.clone(), self.n_nodes - counted));
        }
        let Some(parent) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        let end = node.span.end;
        match &mut parent.node.kind {
            Kind::List { items, .. } => items.push(node),
            Kind::Map(entries) => match parent.key.take() {
                None => {
                    let Kind::Scalar { text, .. } = node.kind else {
                        return Err(Fault::new(node.at(), "a key must be a string"));
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

    fn count(&mut self, span: Span, n_more: usize) -> Result<(), Fault> {
        self.n_nodes += n_more;
        if self.n_nodes > self.limits.nodes {
            let message = format!("more than the {} values of MAX_NODES", self.limits.nodes);
            let hint = Some("keep data elsewhere; an alias counts as all the values it repeats");
            return Err(Fault { hint, is_limit: true, ..Fault::new(span, message) });
        }
        Ok(())
    }

    fn too_deep(&self, span: Span) -> Fault {
        let message = format!("nested deeper than the {} levels of MAX_DEPTH", self.limits.depth);
        Fault { is_limit: true, ..Fault::new(span, message) }
    }

    /// Says what the parser refused.
    fn refusal(&self, text: &str, error: &granit_parser::ScanError) -> Fault {
        let marker = error.marker();
        let start = marker.byte_offset().unwrap_or_else(|| byte_of(text, marker.line(), marker.col()));
        let span = Span::new(start, start + 1).behind(self.start);
        let message = error.kind().to_string();
        if message.contains("limit") {
            return self.too_deep(span);
        }
        let hint = Some(advice(&message));
        Fault { hint, ..Fault::new(span, format!("cannot parse YAML: {message}")) }
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

/// Returns what helps with the mistakes people make most.
fn advice(message: &str) -> &'static str {
    if message.contains("mapping values are not allowed") {
        "quote the text, or write it below a `|`: it has a colon in it"
    } else if message.contains("tab") {
        "indent with spaces"
    } else if message.contains("quote") {
        "close the quote"
    } else if message.contains("unknown anchor") {
        "quote a text that begins with `*`, such as `\"**/*.rs\"`"
    } else {
        "check the indentation, and quote texts with `:`, `#`, `*` or `&`"
    }
}
