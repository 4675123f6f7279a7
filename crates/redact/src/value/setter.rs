//! Values that a method sets: `password.assign("…", 17)`, `secret.set "…";`.

use super::{Value, quoted, skip_blanks};
use crate::judge::Setting;
use crate::text::Text;

/// Methods whose first argument becomes the value.
const METHODS: [&str; 7] = ["assign", "set", "put", "setValue", "SetValue", "setText", "replace"];

/// Returns where the literal behind the method at `at` begins, if there is a method and a literal.
fn literal(text: &Text<'_>, at: usize) -> Option<usize> {
    let rest = text.from(at).strip_prefix(b".")?;
    let first = rest.first()?;
    let method = METHODS.iter().find(|method| {
        method.as_bytes()[0] == *first
            && rest.starts_with(method.as_bytes())
            && rest.get(method.len()).is_some_and(|byte| b" (".contains(byte))
    })?;
    let end = skip_blanks(text, at + 1 + method.len());
    let start = if text.byte(end) == Some(b'(') { skip_blanks(text, end + 1) } else { end };
    text.byte(start).is_some_and(|byte| b"\"'`".contains(&byte)).then_some(start)
}

/// Returns whether a method that sets a literal begins at `at`.
pub(super) fn is_here(text: &Text<'_>, at: usize) -> bool {
    literal(text, at).is_some()
}

/// Returns the value that the method at `at` sets.
pub(super) fn value(text: &Text<'_>, at: usize) -> Option<Value> {
    Some(Value { setting: Setting::Assigned, ..quoted(text, literal(text, at)?)? })
}

/// Returns whether the name at `start` is declared with a value in brackets: `std::string key("…")`.
pub(super) fn is_declared(text: &Text<'_>, start: usize) -> bool {
    let before = text.before(start, 24);
    ["string ", "String ", "string_view ", "QString ", "const char* ", "string& "]
        .iter()
        .any(|kind| before.ends_with(kind.as_bytes()))
}
