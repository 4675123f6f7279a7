//! JSON strings, flat objects of strings, and a writer of objects, for lines of which a batch has thousands.
//!
//! WHY by hand: the code of a serializer is generated in the crate that calls it, and the commands are compiled without
//! optimization in a quick release build and for size in the shipped one. There, writing an answer took longer than
//! finding it.

/// Appends `text` as the content of a JSON string, without the quotes around it.
pub fn escape(mut text: &[u8], out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    loop {
        let n = n_plain(text);
        out.extend_from_slice(&text[..n]);
        let Some(&byte) = text.get(n) else { return };
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\r' => out.extend_from_slice(b"\\r"),
            8 => out.extend_from_slice(b"\\b"),
            12 => out.extend_from_slice(b"\\f"),
            _ => {
                out.extend_from_slice(b"\\u00");
                out.extend_from_slice(&[DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]);
            }
        }
        text = &text[n + 1..];
    }
}

/// Returns the bytes that the content of a JSON string stands for. Returns `None` for a quote, a control character or
/// an escape that only a complete parser can judge, such as half of a surrogate pair.
pub fn unescape(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::with_capacity(rest.len());
    loop {
        let n = n_plain(rest);
        text.extend_from_slice(&rest[..n]);
        let [b'\\', kind, after @ ..] = &rest[n..] else {
            // A quote here ends the text too early, and a control character is not allowed.
            return (n == rest.len()).then_some(text);
        };
        rest = after;
        match kind {
            b'"' | b'\\' | b'/' => text.push(*kind),
            b'n' => text.push(b'\n'),
            b't' => text.push(b'\t'),
            b'r' => text.push(b'\r'),
            b'b' => text.push(8),
            b'f' => text.push(12),
            b'u' => {
                let (digits, after) = rest.split_at_checked(4)?;
                let digits =
                    digits.iter().all(u8::is_ascii_hexdigit).then(|| str::from_utf8(digits).ok())??;
                // Half of a pair is no character: the complete parser reads the pair.
                let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
                text.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                rest = after;
            }
            _ => return None,
        }
    }
}

/// Returns the names and values of an object whose values are all strings. Returns `None` for every other text, for a
/// repeated name, and for escapes that only a complete parser can judge.
pub fn string_members(text: &[u8]) -> Option<Vec<(String, String)>> {
    let mut members: Vec<(String, String)> = Vec::new();
    let mut rest = str::from_utf8(text).ok()?.as_bytes().trim_ascii().strip_prefix(b"{")?.trim_ascii_start();
    loop {
        let (name, behind) = string(rest)?;
        let behind = behind.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
        let (value, behind) = string(behind)?;
        if members.iter().any(|(known, _)| *known == name) {
            return None;
        }
        members.push((name, value));
        let behind = behind.trim_ascii_start();
        if let Some(behind) = behind.strip_prefix(b",") {
            rest = behind.trim_ascii_start();
        } else {
            return (behind == b"}").then_some(members);
        }
    }
}

/// Reads one string with its quotes; returns it with the text behind it.
fn string(text: &[u8]) -> Option<(String, &[u8])> {
    let content = text.strip_prefix(b"\"")?;
    let mut end = 0;
    loop {
        end += n_plain(&content[end..]);
        match content.get(end)? {
            b'"' => break,
            b'\\' => end += 2,
            _ => return None,
        }
        if end > content.len() {
            return None;
        }
    }
    let text = String::from_utf8(unescape(&content[..end])?).ok()?;
    Some((text, &content[end + 1..]))
}

/// Writes one object, a member at a time. Without [`Object::close`] it stays open.
#[derive(Debug)]
pub struct Object<'o> {
    out: &'o mut Vec<u8>,
    has_members: bool,
}

impl<'o> Object<'o> {
    /// Appends the begin of an object.
    pub fn open(out: &'o mut Vec<u8>) -> Self {
        out.push(b'{');
        Self { out, has_members: false }
    }

    /// Appends the end of the object.
    pub fn close(self) {
        self.out.push(b'}');
    }

    /// Appends the name of a member; its value follows.
    fn name(&mut self, name: &str) {
        if self.has_members {
            self.out.push(b',');
        }
        self.has_members = true;
        quoted(name, self.out);
        self.out.push(b':');
    }

    /// Appends a member that is a string.
    pub fn string(&mut self, name: &str, value: &str) {
        self.name(name);
        quoted(value, self.out);
    }

    /// Appends a member that is a boolean.
    pub fn boolean(&mut self, name: &str, value: bool) {
        self.name(name);
        self.out.extend_from_slice(if value { b"true" } else { b"false" });
    }

    /// Appends a member that is a number.
    pub fn number(&mut self, name: &str, value: usize) {
        self.name(name);
        digits(value, self.out);
    }

    /// Appends a member that is an array of strings.
    pub fn strings(&mut self, name: &str, values: &[&str]) {
        self.name(name);
        self.out.push(b'[');
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.out.push(b',');
            }
            quoted(value, self.out);
        }
        self.out.push(b']');
    }

    /// Appends a member that is an array of numbers.
    pub fn numbers(&mut self, name: &str, values: &[usize]) {
        self.name(name);
        self.out.push(b'[');
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.out.push(b',');
            }
            digits(*value, self.out);
        }
        self.out.push(b']');
    }

    /// Appends a member that is an object, which `write` fills.
    pub fn object(&mut self, name: &str, write: impl FnOnce(&mut Object<'_>)) {
        self.name(name);
        let mut inner = Object::open(self.out);
        write(&mut inner);
        inner.close();
    }

    /// Appends a member that is an array of objects, one for each item, which `write` fills.
    pub fn objects<T>(
        &mut self,
        name: &str,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Object<'_>, T),
    ) {
        self.name(name);
        self.out.push(b'[');
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.out.push(b',');
            }
            let mut inner = Object::open(self.out);
            write(&mut inner, item);
            inner.close();
        }
        self.out.push(b']');
    }
}

fn quoted(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    escape(text.as_bytes(), out);
    out.push(b'"');
}

fn digits(mut value: usize, out: &mut Vec<u8>) {
    let start = out.len();
    loop {
        out.push(b'0' + u8::try_from(value % 10).unwrap_or_default());
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out[start..].reverse();
}

/// Returns the number of bytes before the first that a JSON string escapes.
fn n_plain(text: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const TOPS: u64 = ONES << 7;
    // The top bit of each byte that is zero; a byte after such a one may have it too, so a hit is checked again.
    let zeros = |eight: u64| eight.wrapping_sub(ONES) & !eight & TOPS;
    let mut at = 0;
    while let Some(eight) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let eight = u64::from_le_bytes(*eight);
        let controls = eight.wrapping_sub(ONES * 32) & !eight & TOPS;
        let quotes = zeros(eight ^ (ONES * u64::from(b'"')));
        let escapes = zeros(eight ^ (ONES * u64::from(b'\\')));
        if controls | quotes | escapes != 0 {
            break;
        }
        at += 8;
    }
    let n_more = text[at..].iter().position(|byte| IS_SPECIAL[usize::from(*byte)]);
    n_more.map_or(text.len(), |n| at + n)
}

/// The bytes that a JSON string escapes.
static IS_SPECIAL: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 32 {
        table[byte] = true;
        byte += 1;
    }
    table[b'"' as usize] = true;
    table[b'\\' as usize] = true;
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn members(text: &str) -> Option<Vec<(String, String)>> {
        string_members(text.as_bytes())
    }

    #[test]
    fn objects_of_strings_are_read_and_everything_else_is_left_to_a_parser() {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        for (text, expected) in [
            (r#"{"a":"b"}"#, vec![pair("a", "b")]),
            (
                r#"  { "a" : "b\n\"c\" \\" , "d":"é\u00e9" }  "#,
                vec![pair("a", "b\n\"c\" \\"), pair("d", "éé")],
            ),
            (r#"{"a\\":"","":"\\"}"#, vec![pair("a\\", ""), pair("", "\\")]),
        ] {
            assert_eq!(members(text), Some(expected), "{text}");
        }
        for text in [
            "",
            "{}",
            "{",
            r#"{"a":5}"#,
            r#"{"a":"b","a":"c"}"#,
            r#"{"a":"b",}"#,
            r#"{"a":"b"} x"#,
            r#"{"a":"b\"}"#,
            r#"{"a":"b"#,
            r#"{"a":"\ud83d\ude42"}"#,
            "{\"a\":\"\u{1}\"}",
            r#"{"a":{"b":"c"}}"#,
            r#"{"a":"b\"#,
        ] {
            assert_eq!(members(text), None, "{text}");
        }
    }

    #[test]
    fn an_object_has_its_members_in_order() {
        let mut out = Vec::new();
        let mut object = Object::open(&mut out);
        object.string("text", "a\"b\\\n\u{1}é");
        object.boolean("yes", true);
        object.boolean("no", false);
        object.number("n", 0);
        object.number("m", 1204);
        object.strings("list", &["x", ""]);
        object.strings("none", &[]);
        object.numbers("span", &[3, 14]);
        object.object("inner", |inner| inner.number("at", 7));
        object.objects("rows", ["p", "q"], |row, name| row.string("name", name));
        object.close();
        let expected = concat!(
            r#"{"text":"a\"b\\\n\u0001é","yes":true,"no":false,"n":0,"m":1204,"list":["x",""],"none":[],"#,
            r#""span":[3,14],"inner":{"at":7},"rows":[{"name":"p"},{"name":"q"}]}"#
        );
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
