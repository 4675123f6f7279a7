//! Builds the values of a text from the parser's events, counting as it goes.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

use super::node::{Data, Entry, Node};
use crate::limits::{MAX_DEPTH, MAX_NODES};
use crate::source::Mark;

/// Why a text is no YAML we take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) at: Mark,
    pub(crate) message: String,
    pub(crate) hint: Option<&'static str>,
    /// Whether a limit was reached, rather than a rule of the language broken.
    pub(crate) is_limit: bool,
}

/// Reads the one document of a text. `lines_before` is how many lines of the file come before it.
///
/// A text with nothing in it is an empty mapping. Keys that are there twice are reported in `faults`,
/// so that the rest can be checked too; the first one counts.
pub(crate) fn read(text: &str, lines_before: usize, faults: &mut Vec<Fault>) -> Option<Node> {
    let mut builder = Builder { lines_before, ..Builder::default() };
    match builder.build(text) {
        Ok(root) => {
            faults.append(&mut builder.faults);
            Some(root)
        }
        Err(fault) => {
            faults.append(&mut builder.faults);
            faults.push(fault);
            None
        }
    }
}

#[derive(Default)]
struct Builder {
    lines_before: usize,
    open: Vec<Open>,
    anchors: HashMap<usize, (Node, usize)>,
    root: Option<Node>,
    n_nodes: usize,
    n_documents: usize,
    faults: Vec<Fault>,
}

/// A list or mapping whose end has not come yet.
struct Open {
    node: Node,
    anchor: usize,
    key: Option<(String, Mark)>,
    /// How many values had been counted before it.
    counted: usize,
}

impl Builder {
    fn build(&mut self, text: &str) -> Result<Node, Fault> {
        let mut parser = Parser::new_from_str(text);
        while let Some(event) = parser.next_event() {
            let (event, span) = event.map_err(|error| {
                let marker = error.marker();
                Fault {
                    at: Mark { line: marker.line() + self.lines_before, column: marker.col() + 1, width: 1 },
                    message: error.info().to_owned(),
                    hint: advice(error.info()),
                    is_limit: error.info().contains("limit"),
                }
            })?;
            self.take(event, span)?;
        }
        let start = Mark { line: self.lines_before + 1, column: 1, width: 1 };
        Ok(self.root.take().unwrap_or(Node { at: start, data: Data::Map(Vec::new()) }))
    }

    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), Fault> {
        let at = self.mark(span);
        match event {
            Event::DocumentStart(_) => {
                self.n_documents += 1;
                if self.n_documents > 1 {
                    return Err(fault(at, "a second document begins here", Some("one file is one document")));
                }
            }
            Event::Scalar(text, style, anchor, _) => {
                self.count(at, 1)?;
                let plain = style == ScalarStyle::Plain;
                let node = Node { at, data: Data::Scalar { text: text.into_owned(), plain } };
                self.close(node, anchor, self.n_nodes - 1)?;
            }
            Event::SequenceStart(anchor, _) => self.open(at, Data::List(Vec::new()), anchor)?,
            Event::MappingStart(anchor, _) => self.open(at, Data::Map(Vec::new()), anchor)?,
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(Open { node, anchor, counted, .. }) = self.open.pop() {
                    self.close(node, anchor, counted)?;
                }
            }
            Event::Alias(anchor) => {
                let Some(n_nodes) = self.anchors.get(&anchor).map(|(_, n_nodes)| *n_nodes) else {
                    return Err(fault(at, "the alias stands inside of what it repeats", None));
                };
                // Counted before it is copied: a bomb goes off here, unlit.
                self.count(at, n_nodes)?;
                let Some((node, _)) = self.anchors.get(&anchor) else { return Ok(()) };
                let mut node = node.clone();
                node.at = at;
                self.close(node, 0, self.n_nodes - n_nodes)?;
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
        }
        Ok(())
    }

    fn open(&mut self, at: Mark, data: Data, anchor: usize) -> Result<(), Fault> {
        self.count(at, 1)?;
        if self.open.len() >= MAX_DEPTH {
            let message = format!("nested deeper than the {MAX_DEPTH} levels of MAX_DEPTH");
            return Err(Fault { at, message, hint: None, is_limit: true });
        }
        self.open.push(Open { node: Node { at, data }, anchor, key: None, counted: self.n_nodes - 1 });
        Ok(())
    }

    fn close(&mut self, node: Node, anchor: usize, counted: usize) -> Result<(), Fault> {
        if anchor > 0 {
            self.anchors.insert(anchor, (node.clone(), self.n_nodes - counted));
        }
        let Some(parent) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        match &mut parent.node.data {
            Data::List(items) => items.push(node),
            Data::Map(entries) => match parent.key.take() {
                None => {
                    let Data::Scalar { text, .. } = node.data else {
                        return Err(fault(node.at, "a key has to be a text", None));
                    };
                    if let Some(first) = entries.iter().find(|it| it.key == text) {
                        let message = format!("`{text}` is there twice, first in line {}", first.at.line);
                        let hint = Some("remove one of them");
                        self.faults.push(Fault { at: node.at, message, hint, is_limit: false });
                    }
                    parent.key = Some((text, node.at));
                }
                // Of a key that is there twice the first one counts; both are kept for that.
                Some((key, at)) => entries.push(Entry { key, at, value: node }),
            },
            Data::Scalar { .. } => {}
        }
        Ok(())
    }

    fn count(&mut self, at: Mark, n_more: usize) -> Result<(), Fault> {
        self.n_nodes += n_more;
        if self.n_nodes > MAX_NODES {
            let message = format!("more than the {MAX_NODES} values of MAX_NODES");
            return Err(Fault {
                at,
                message,
                hint: Some("aliases count as what they repeat"),
                is_limit: true,
            });
        }
        Ok(())
    }

    fn mark(&self, span: Span) -> Mark {
        let width = if span.start.line() == span.end.line() { span.len() } else { 1 };
        Mark {
            line: span.start.line() + self.lines_before,
            column: span.start.col() + 1,
            width: width.max(1),
        }
    }
}

fn fault(at: Mark, message: &str, hint: Option<&'static str>) -> Fault {
    Fault { at, message: message.to_owned(), hint, is_limit: false }
}

/// Returns what helps with the mistakes people make most.
fn advice(info: &str) -> Option<&'static str> {
    if info.contains("mapping values are not allowed") {
        Some("put the text in quotes, or below a `|`: it has a colon in it")
    } else if info.contains("tab") {
        Some("indent with blanks")
    } else if info.contains("quoted scalar") {
        Some("a quote is opened and never closed")
    } else {
        None
    }
}
