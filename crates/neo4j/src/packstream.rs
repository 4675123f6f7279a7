//! `PackStream`, the encoding of values in Bolt: the part that one query with one value needs.

use serde_json::{Map, Value};

/// A message to the server.
pub(crate) struct Message {
    signature: u8,
    n_fields: u8,
    fields: Vec<u8>,
}

impl Message {
    pub(crate) const fn new(signature: u8) -> Self {
        Self { signature, n_fields: 0, fields: Vec::new() }
    }

    /// Adds a string.
    pub(crate) fn text(mut self, text: &str) -> Self {
        self.n_fields += 1;
        put_text(&mut self.fields, text);
        self
    }

    /// Adds a map of strings; at most fifteen.
    pub(crate) fn map(self, entries: &[(&str, &str)]) -> Self {
        self.map_with(entries, None)
    }

    /// Adds a map of strings that may contain another such map; at most fifteen entries each.
    pub(crate) fn map_with(
        mut self,
        entries: &[(&str, &str)],
        inner: Option<(&str, &[(&str, &str)])>,
    ) -> Self {
        self.n_fields += 1;
        self.fields.push(map_of(entries.len() + usize::from(inner.is_some())));
        put_entries(&mut self.fields, entries);
        if let Some((key, entries)) = inner {
            put_text(&mut self.fields, key);
            self.fields.push(map_of(entries.len()));
            put_entries(&mut self.fields, entries);
        }
        self
    }

    /// Adds a map with one small number.
    pub(crate) fn number(mut self, key: &str, value: u8) -> Self {
        self.n_fields += 1;
        self.fields.push(0xA1);
        put_text(&mut self.fields, key);
        self.fields.push(value & 0x7F);
        self
    }

    /// Returns the message in chunks, ended by an empty one.
    pub(crate) fn chunks(&self) -> Vec<u8> {
        let whole = [&[0xB0 | self.n_fields, self.signature], self.fields.as_slice()].concat();
        let mut bytes = Vec::with_capacity(whole.len() + 4);
        for chunk in whole.chunks(usize::from(u16::MAX)) {
            bytes.extend(u16::try_from(chunk.len()).unwrap_or(u16::MAX).to_be_bytes());
            bytes.extend(chunk);
        }
        bytes.extend([0, 0]);
        bytes
    }
}

/// Returns the first byte of a map with this many entries.
fn map_of(n_entries: usize) -> u8 {
    0xA0 | u8::try_from(n_entries).unwrap_or(0)
}

fn put_entries(bytes: &mut Vec<u8>, entries: &[(&str, &str)]) {
    for (key, value) in entries {
        put_text(bytes, key);
        put_text(bytes, value);
    }
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    match text.len() {
        length @ 0..16 => bytes.push(0x80 | u8::try_from(length).unwrap_or(0)),
        length => {
            bytes.push(0xD2);
            bytes.extend(u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes());
        }
    }
    bytes.extend(text.as_bytes());
}

/// Parses a message into its signature and its fields. Returns `None` if the bytes are malformed.
pub(crate) fn read_message(bytes: &[u8]) -> Option<(u8, Vec<Value>)> {
    let mut reader = Reader { bytes, at: 0, level: 0 };
    let marker = reader.byte()?;
    let signature = reader.byte()?;
    (marker & 0xF0 == 0xB0).then_some(())?;
    let fields = (0..marker & 0x0F).map(|_| reader.value()).collect::<Option<_>>()?;
    Some((signature, fields))
}

/// Returns the items of an array. Returns `None` for any other value.
pub(crate) fn list(value: Option<Value>) -> Option<Vec<Value>> {
    match value? {
        Value::Array(items) => Some(items),
        _ => None,
    }
}

/// Returns the content of a string. Returns `None` for any other value.
pub(crate) fn text(value: &Value) -> Option<&str> {
    value.as_str()
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    level: usize,
}

/// The deepest nesting of values.
const MOST_LEVELS: usize = 32;

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn take(&mut self, length: usize) -> Option<&[u8]> {
        let end = self.at.checked_add(length)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    /// Reads an unsigned integer of this many bytes, the most significant first.
    fn unsigned(&mut self, length: usize) -> Option<u64> {
        Some(self.take(length)?.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn signed(&mut self, length: usize) -> Option<i64> {
        let unused = 64 - 8 * u32::try_from(length).ok()?;
        Some((self.unsigned(length)?.cast_signed() << unused) >> unused)
    }

    fn size(&mut self, length: usize) -> Option<usize> {
        usize::try_from(self.unsigned(length)?).ok()
    }

    fn value(&mut self) -> Option<Value> {
        self.level += 1;
        (self.level <= MOST_LEVELS).then_some(())?;
        let marker = self.byte()?;
        let small = usize::from(marker & 0x0F);
        let value = match marker {
            0x00..=0x7F => Value::from(marker),
            0xF0..=0xFF => Value::from(i64::from(marker.cast_signed())),
            0xC0 => Value::Null,
            0xC1 => Value::from(f64::from_bits(self.unsigned(8)?)),
            0xC2 => Value::Bool(false),
            0xC3 => Value::Bool(true),
            0xC8 => Value::from(self.signed(1)?),
            0xC9 => Value::from(self.signed(2)?),
            0xCA => Value::from(self.signed(4)?),
            0xCB => Value::from(self.signed(8)?),
            0x80..=0x8F => self.string(small)?,
            0xD0 => self.sized(1, Self::string)?,
            0xD1 => self.sized(2, Self::string)?,
            0xD2 => self.sized(4, Self::string)?,
            0x90..=0x9F => self.items(small)?,
            0xD4 => self.sized(1, Self::items)?,
            0xD5 => self.sized(2, Self::items)?,
            0xD6 => self.sized(4, Self::items)?,
            0xA0..=0xAF => self.entries(small)?,
            0xD8 => self.sized(1, Self::entries)?,
            0xD9 => self.sized(2, Self::entries)?,
            0xDA => self.sized(4, Self::entries)?,
            // A node, a date or a point; a version is never one of these.
            0xB0..=0xBF => {
                self.byte()?;
                self.items(small)?
            }
            _ => return None,
        };
        self.level -= 1;
        Some(value)
    }

    fn sized(&mut self, length: usize, read: fn(&mut Self, usize) -> Option<Value>) -> Option<Value> {
        let size = self.size(length)?;
        read(self, size)
    }

    fn string(&mut self, length: usize) -> Option<Value> {
        Some(Value::from(String::from_utf8_lossy(self.take(length)?).into_owned()))
    }

    fn items(&mut self, length: usize) -> Option<Value> {
        (0..length).map(|_| self.value()).collect::<Option<Vec<_>>>().map(Value::Array)
    }

    fn entries(&mut self, length: usize) -> Option<Value> {
        let mut map = Map::new();
        for _ in 0..length {
            let key = self.value()?;
            map.insert(text(&key)?.to_owned(), self.value()?);
        }
        Some(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn what_a_server_answers_is_read() {
        let record = [0xB1, 0x71, 0x94, 0x85, b'1', b'.', b'2', b'.', b'3', 0x2A, 0xC9, 0xFF, 0x38, 0xC0];
        assert_eq!(read_message(&record), Some((0x71, vec![json!(["1.2.3", 42, -200, null])])));
        let failure = [0xB1, 0x7F, 0xA1, 0x87, b'm', b'e', b's', b's', b'a', b'g', b'e', 0x82, b'n', b'o'];
        assert_eq!(read_message(&failure), Some((0x7F, vec![json!({"message": "no"})])));
    }

    #[test]
    fn what_we_send_is_in_chunks() {
        let bytes = Message::new(0x3F).number("n", 1).chunks();
        assert_eq!(bytes, [0, 6, 0xB1, 0x3F, 0xA1, 0x81, b'n', 1, 0, 0]);
    }

    proptest! {
        #[test]
        fn no_answer_breaks_the_reader(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = read_message(&bytes);
        }

        #[test]
        fn texts_come_back_as_they_went(text in ".{0,400}") {
            let message = Message::new(0x10).text(&text);
            let whole = [&[0xB0 | message.n_fields, 0x10], message.fields.as_slice()].concat();
            prop_assert_eq!(read_message(&whole), Some((0x10, vec![Value::from(text)])));
        }
    }
}
