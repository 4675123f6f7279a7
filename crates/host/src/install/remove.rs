//! Removes an item from brackets; the exact inverse of [`super::insert`].

use super::document::Container;
use super::gap::Gap;

/// Returns whether the brackets around the only item have the layout of brackets that we create, so
/// that they are removed with it.
pub(super) fn came_with_their_only_item(text: &str, container: &Container) -> bool {
    let [only] = container.items[..] else { return false };
    let before = Gap::new(text, container.inside..only.start);
    let after = Gap::new(text, only.end..container.close);
    before.blank_lines() == Some(1) && after.blank_lines().is_some_and(|n_lines| n_lines > 0)
}

/// Returns the text without one of the items; the brackets stay.
pub(super) fn remove(text: &str, container: &Container, index: usize) -> String {
    let Container { inside, close, ref items } = *container;
    let Some(item) = items.get(index) else { return text.to_owned() };
    let previous = index.checked_sub(1).and_then(|previous| items.get(previous));
    let before = Gap::new(text, previous.map_or(inside, |previous| previous.end)..item.start);
    let after = Gap::new(text, item.end..items.get(index + 1).map_or(close, |next| next.start));

    if items.len() == 1
        && before.blank_lines().is_some_and(|n_lines| n_lines > 0)
        && after.blank_lines().is_some_and(|n_lines| n_lines > 0)
    {
        return format!("{}{}", &text[..inside], &text[close..]);
    }

    let start = start_of_addition(text, container, index);
    match (before.comma(), after.comma()) {
        (_, Some(comma)) => {
            format!("{}{}{}", &text[..start], &text[item.end..comma], &text[comma + 1..])
        }
        (Some(comma), None) => {
            format!("{}{}{}", &text[..comma], &text[comma + 1..start], &text[item.end..])
        }
        (None, None) => format!("{}{}", &text[..start], &text[item.end..]),
    }
}

/// Returns the start of the item, including the white space and the line break before it.
fn start_of_addition(text: &str, container: &Container, index: usize) -> usize {
    let item = container.items[index];
    let blanks = text[..item.start].trim_end_matches([' ', '\t']).len();
    let Some(line) = text[..blanks].strip_suffix('\n') else {
        return blanks;
    };
    let start = line.strip_suffix('\r').unwrap_or(line).len();

    // A line comment before it must not swallow the text after it.
    let previous = index.checked_sub(1).map_or(container.inside, |previous| container.items[previous].end);
    let line_goes_on = !text[item.end..].trim_start_matches([' ', '\t', ',']).starts_with(['\n', '\r']);
    if line_goes_on && Gap::new(text, previous..start).ends_in_line_comment() { blanks } else { start }
}
