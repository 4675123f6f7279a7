//! Values in XML, HTML and property lists.

use std::ops::Range;

use super::{SAMPLE, Value, quoted, skip_whitespace};
use crate::judge::Setting;
use crate::text::Text;

/// The most bytes between a name and the tag or attribute of its value.
const MAX_BETWEEN: usize = 128;

/// Reads `<name>value</name>`, `<name a="b">value</name>` and `<key>name</key> <string>value</string>`.
pub(super) fn value(text: &Text<'_>, name: &Range<usize>, at: usize) -> Option<Value> {
    if text.byte(at) == Some(b'>') {
        return names_content(text, name).then(|| content(text, at + 1))?;
    }
    let close = text.from(at).strip_prefix(b"</")?.iter().take(32).position(|byte| *byte == b'>')?;
    let open = skip_whitespace(text, at + 2 + close + 1);
    let tag = text.from(open).strip_prefix(b"<")?;
    let n_tag = tag.iter().take(32).position(|byte| *byte == b'>')?;
    (!tag.starts_with(b"/")).then(|| content(text, open + 1 + n_tag + 1))?
}

/// Returns whether `name` opens a tag that has attributes, or is an attribute's value.
pub(super) fn is_attribute(text: &Text<'_>, name: &Range<usize>) -> bool {
    let before = text.before(name.start, 2);
    before.ends_with(b"<") || before.ends_with(b"=\"") || before.ends_with(b"='")
}

/// Returns whether the tag of `name` says that its content is the value: `<password a="b">`, `<entry key="password">`.
fn names_content(text: &Text<'_>, name: &Range<usize>) -> bool {
    let before = text.before(name.start, 6);
    let before = before.strip_suffix(b"'").or_else(|| before.strip_suffix(b"\"")).unwrap_or(before);
    before.ends_with(b"<") || before.ends_with(b"name=") || before.ends_with(b"key=")
}

/// Reads the `value` attribute of the same tag, or the content after it.
pub(super) fn value_attribute(text: &Text<'_>, name: &Range<usize>, at: usize) -> Option<Value> {
    let rest = text.from(at);
    let n_tag = rest.iter().take(MAX_BETWEEN).position(|byte| matches!(byte, b'>' | b'<' | b'{' | b';'))?;
    let tag = &rest[..n_tag];
    let attribute = tag.windows(6).position(|window| window == b"value=");
    if let Some(attribute) = attribute {
        return quoted(text, at + attribute + 6);
    }
    let is_open = rest[n_tag] == b'>' && ![b"/", b"=", b"-"].iter().any(|end| tag.ends_with(*end));
    (is_open && names_content(text, name)).then(|| content(text, at + n_tag + 1))?
}

/// Reads the content of an element, without the white space and the CDATA mark around it.
fn content(text: &Text<'_>, start: usize) -> Option<Value> {
    let start = skip_whitespace(text, start);
    let start = start + if text.from(start).starts_with(b"<![CDATA[") { 9 } else { 0 };
    let rest = text.from(start);
    let n = rest.iter().take(SAMPLE * 4).position(|byte| matches!(byte, b'<' | b']'))?;
    let n = rest[..n].trim_ascii_end().len();
    Some(Value { range: start..start + n, setting: Setting::Element, is_call: false })
}
