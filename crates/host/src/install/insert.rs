//! Inserts an item into brackets, so that [`super::remove`] can remove exactly the same bytes.
//!
//! An insertion is recognisable only by its layout, since these files have no room for a marker.
//! Brackets that we create for a single item are always spread over lines. Empty brackets that
//! existed before are filled in a different layout:
//!
//! | before | after | recognised by |
//! |---|---|---|
//! | (nothing) | `[` newline, item, newline `]` | the plain block |
//! | `[]` | `[` empty line, item, newline `]` | the empty line |
//! | `[` newline `]` | `[`item, newline `]` | no white space before the item |
//! | `[ ]`, `[ /* x */ ]` | `[ /* x */` newline, item ` ]` | the other content |
//!
//! A formatter may change this layout. Then [`super::unregister`] removes an empty array that existed
//! before us, which makes no difference to any host.

use config_file::jsonc::{Range, on_one_line};
use serde_json::Value;

use super::document::Container;
use super::gap::Gap;
use super::layout::{Layout, begins_line, indent_at};

/// An item to insert into brackets.
#[derive(Debug, Clone, Copy)]
pub(super) enum Item<'a> {
    Property(&'a str, &'a Value),
    Element(&'a Value),
}

/// Whether the brackets may be ours and be removed when they are empty again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// The file's own braces: they always stay.
    File,
    /// `hooks`, or the array of an event.
    Inner,
}

impl Item<'_> {
    fn block(self, layout: &Layout, indent: &str) -> String {
        match self {
            Self::Property(key, value) => layout.property(key, value, indent),
            Self::Element(value) => layout.block(value, indent),
        }
    }
}

/// Returns the text with the item as the last one in the brackets.
pub(super) fn append(
    text: &str,
    container: &Container,
    item: Item<'_>,
    layout: &Layout,
    level: Level,
) -> String {
    match container.items.last() {
        Some(last) => append_behind(text, container, *last, item, layout),
        None => fill(text, container, item, layout, level),
    }
}

fn append_behind(text: &str, container: &Container, last: Range, item: Item<'_>, layout: &Layout) -> String {
    let &Container { inside, close, .. } = container;
    let comma = Gap::new(text, last.end..close).comma();
    let behind_comma = comma.map_or(last.end, |comma| comma + 1);
    let point = Gap::new(text, behind_comma..close).behind_comments_of_the_line();
    let (first_comma, last_comma) = if comma.is_some() { ("", ",") } else { (",", "") };

    let one_line =
        !text[inside..point].contains('\n') && !Gap::new(text, behind_comma..point).ends_in_line_comment();
    let addition = match item {
        Item::Element(value) if one_line => format!(" {}", on_one_line(value, &text[last.start..])),
        _ => {
            let indent = if begins_line(text, last.start) {
                indent_at(text, last.start).to_owned()
            } else {
                layout.deeper(indent_at(text, inside))
            };
            format!("{}{indent}{}", layout.newline, item.block(layout, &indent))
        }
    };
    let (before, between, after) = (&text[..last.end], &text[last.end..point], &text[point..]);
    format!("{before}{first_comma}{between}{addition}{last_comma}{after}")
}

fn fill(text: &str, container: &Container, item: Item<'_>, layout: &Layout, level: Level) -> String {
    let &Container { inside, close, .. } = container;
    let outer = indent_at(text, inside);
    let indent = layout.deeper(outer);
    let newline = layout.newline;
    let gap = Gap::new(text, inside..close);
    if inside == close {
        let blank_line = if level == Level::Inner { newline } else { "" };
        let block = item.block(layout, &indent);
        format!("{}{blank_line}{newline}{indent}{block}{newline}{outer}{}", &text[..inside], &text[close..])
    } else if gap.blank_lines().is_some_and(|n_lines| n_lines > 0) {
        format!("{}{}{}", &text[..inside], item.block(layout, outer), &text[inside..])
    } else {
        let point = gap.behind_comments_of_the_line();
        format!("{}{newline}{indent}{}{}", &text[..point], item.block(layout, &indent), &text[point..])
    }
}
