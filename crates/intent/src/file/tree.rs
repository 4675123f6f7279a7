//! Turns the text of a YAML file into nodes with places.
//!
//! WHY by events instead of by types: a type stops at its first mistake and forgets where
//! things stood. Here every mistake is told at once, and an edit knows the bytes it replaces.

use granit_parser::{Event, Parser, ScalarStyle, Span, StructureStyle, options};

use super::node::{At, Kind, Node};
use super::problem::Problem;

/// No file of intents nests deeper; what does is an attack on the reader's stack.
const MAX_LEVELS: usize = 64;

/// Reads the first document of a text; an empty one has no node.
pub(super) fn parse(text: &str) -> Result<Option<Node>, Problem> {
    let limits = options! {
        flow_nesting_limit: MAX_LEVELS,
        block_nesting_limit: MAX_LEVELS,
        // Another crate may have switched them on for all.
        emit_comments: false,
    };
    let mut reader = Reader { parser: Parser::new_from_str_with_options(text, limits) };
    let mut root = None;
    while let Some((event, span)) = reader.next()? {
        match event {
            Event::StreamStart | Event::DocumentStart(..) | Event::DocumentEnd => {}
            Event::StreamEnd => break,
            _ if root.is_some() => {
                return Err(Problem::error(place(&span), "a second document begins here")
                    .hint("keep all intents in one document, without `---` between them"));
            }
            _ => root = Some(reader.node(&event, &span)?),
        }
    }
    Ok(root)
}

struct Reader<'a> {
    parser: Parser<'a, granit_parser::StrInput<'a>>,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<Option<(Event<'a>, Span)>, Problem> {
        match self.parser.next_event() {
            None => Ok(None),
            Some(Ok(found)) => Ok(Some(found)),
            Some(Err(error)) => {
                let mark = error.marker();
                let at = At { line: mark.line().max(1), column: mark.col() + 1 };
                let what = error.kind().to_string();
                Err(Problem::error(at, what)
                    .hint("mind the indentation, and quote texts with `:`, `#`, `*` or `&`"))
            }
        }
    }

    fn node(&mut self, event: &Event<'a>, span: &Span) -> Result<Node, Problem> {
        let at = place(span);
        let mut bytes = span.byte_range().unwrap_or_default();
        let kind = match event {
            Event::Scalar(text, style, ..) => {
                Kind::Scalar { text: text.to_string(), plain: *style == ScalarStyle::Plain }
            }
            Event::SequenceStart(style, ..) => {
                let mut items = Vec::new();
                while let Some((event, span)) = self.next()? {
                    if matches!(event, Event::SequenceEnd) {
                        break;
                    }
                    items.push(self.node(&event, &span)?);
                }
                bytes.end = items.last().map_or(bytes.end, |last| last.bytes.end);
                Kind::List { items, block: *style == StructureStyle::Block }
            }
            Event::MappingStart(..) => {
                let mut entries = Vec::new();
                while let Some((event, span)) = self.next()? {
                    if matches!(event, Event::MappingEnd) {
                        break;
                    }
                    let key = self.node(&event, &span)?;
                    let Some((event, span)) = self.next()? else { break };
                    entries.push((key, self.node(&event, &span)?));
                }
                bytes.end = entries.last().map_or(bytes.end, |(_, last)| last.bytes.end);
                Kind::Map { entries }
            }
            _ => Kind::Alias,
        };
        Ok(Node { at, bytes, kind })
    }
}

fn place(span: &Span) -> At {
    At { line: span.start.line().max(1), column: span.start.col() + 1 }
}
