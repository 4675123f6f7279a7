//! Reads typed fields of a mapping by its table, and reports wrong, missing, unknown and duplicate
//! keys.

mod messages;

use serde_json::{Map, Value};

use crate::located_string::LocatedString;
use crate::nearest::did_you_mean;
use crate::node::{Entry, Node, Span, Syntax};
use crate::report::Report;
use crate::table::{Field, Object, Shape, Text, Union, Words};

/// A mapping whose fields are read by its table.
///
/// Every reading method returns `None` for a missing or invalid key. It adds an error to the report
/// if the value is invalid or a required key is missing.
pub struct Fields<'n, 't> {
    /// The path of the mapping in the file: `transitions.custom[0]`.
    path: String,
    at: Span,
    entries: &'n [Entry<'t>],
    object: &'static Object,
}

/// Stands in for a key that the table does not declare.
const UNDECLARED: Field = Field::new("", Shape::Any, "");

impl<'n, 't> Fields<'n, 't> {
    /// Reads a value as a mapping. Reports unknown keys as warnings and duplicate keys as errors.
    pub fn of(
        node: &'n Node<'t>,
        path: impl Into<String>,
        object: &'static Object,
        report: &mut Report<'_>,
    ) -> Option<Self> {
        Self::with_tag(node, path.into(), object, None, report)
    }

    /// Reads a value as one of several objects, and returns the word that selects it.
    pub fn of_union(
        node: &'n Node<'t>,
        path: impl Into<String>,
        union: &'static Union,
        report: &mut Report<'_>,
    ) -> Option<(&'static str, Self)> {
        let path = path.into();
        let Some(entries) = node.entries() else {
            messages::wrong_type(node, &path, report.syntax().a_mapping(), None, report);
            return None;
        };
        let outer = Self { path, at: node.at(), entries, object: &FRAME };
        let words: Vec<&str> = union.variants.iter().map(|it| it.word).collect();
        if let Some(content) = union.content {
            outer.check_keys(&[union.tag, content], report);
        }
        let mut missing = false;
        for key in std::iter::once(union.tag).chain(union.content) {
            if outer.get(key).is_none() {
                outer.missing(key, None, report);
                missing = true;
            }
        }
        if missing {
            return None;
        }
        let written = outer.word(outer.get(union.tag)?, union.tag, &words, report)?;
        let variant = union.variants.iter().find(|it| it.word == written.text)?;
        let inner = match union.content {
            Some(content) => {
                Self::with_tag(outer.get(content)?, outer.name(content), variant.object, None, report)?
            }
            None => Self::with_tag(node, outer.path, variant.object, Some(union.tag), report)?,
        };
        Some((variant.word, inner))
    }

    fn with_tag(
        node: &'n Node<'t>,
        path: String,
        object: &'static Object,
        tag: Option<&'static str>,
        report: &mut Report<'_>,
    ) -> Option<Self> {
        let Some(entries) = node.entries() else {
            messages::wrong_type(node, &path, report.syntax().a_mapping(), None, report);
            return None;
        };
        let fields = Self { path, at: node.at(), entries, object };
        let known: Vec<&str> = if object.open { Vec::new() } else { object.keys().chain(tag).collect() };
        fields.check_keys(&known, report);
        Some(fields)
    }

    /// Returns the start of the mapping.
    pub fn at(&self) -> Span {
        self.at
    }

    /// Returns the full name of a key.
    pub fn name(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Returns the keys with their values.
    pub fn entries(&self) -> &'n [Entry<'t>] {
        self.entries
    }

    /// Returns the entry of a key, in any spelling.
    pub fn entry(&self, key: &str) -> Option<&'n Entry<'t>> {
        let field = self.object.field(key);
        self.entries.iter().find(|it| it.key == key || field.is_some_and(|field| field.is(&it.key)))
    }

    /// Returns the value of a key. Returns `None` for null, as for a missing key.
    pub fn get(&self, key: &str) -> Option<&'n Node<'t>> {
        self.entry(key).map(|it| &it.value).filter(|it| !it.is_null())
    }

    /// Returns the string of a key. An empty string or only spaces are an error if the key is
    /// required.
    pub fn string(&self, key: &str, report: &mut Report<'_>) -> Option<LocatedString> {
        let (field, node) = self.value(key, report)?;
        let text = match field.shape {
            Shape::Text(text) => text,
            _ => Text::ANY,
        };
        let written = messages::text(node, || self.spelled(key), text, field.hint, report)?;
        if field.required && written.text.trim().is_empty() {
            let problem = report.error(written.at, format!("`{}` must not be empty", self.name(key)));
            problem.hint = field.hint.map(str::to_owned);
            return None;
        }
        Some(written)
    }

    /// Returns the strings in the array of a key, without items of another type, which are reported.
    pub fn strings(&self, key: &str, report: &mut Report<'_>) -> Option<Vec<LocatedString>> {
        let (field, node) = self.value(key, report)?;
        let items = self.array(node, field, report)?;
        let text = match field.shape {
            Shape::Array { item: Shape::Text(text), .. } => *text,
            _ => Text::ANY,
        };
        let read = |(index, item)| {
            let name = || format!("{}[{index}]", self.spelled(key));
            messages::text(item, name, text, None, report)
        };
        Some(items.iter().enumerate().filter_map(read).collect())
    }

    /// Returns the items in the array of a key.
    pub fn items(&self, key: &str, report: &mut Report<'_>) -> Option<&'n [Node<'t>]> {
        let (field, node) = self.value(key, report)?;
        self.array(node, field, report)
    }

    /// Returns the integer of a key.
    pub fn integer(&self, key: &str, report: &mut Report<'_>) -> Option<u64> {
        let (field, node) = self.value(key, report)?;
        let (least, most) = match field.shape {
            Shape::Integer(least, most) => (least, most),
            _ => (0, u64::MAX),
        };
        let number = node.as_integer().and_then(|it| u64::try_from(it).ok());
        if let Some(number) = number.filter(|it| (least..=most).contains(it)) {
            return Some(number);
        }
        let wanted = match (least, most) {
            (0, u64::MAX) => "a whole number".to_owned(),
            (1, u64::MAX) => "a whole number above zero".to_owned(),
            (_, u64::MAX) => format!("a whole number of at least {least}"),
            _ => format!("a whole number from {least} to {most}"),
        };
        messages::wrong_value(node, &self.name(key), &wanted, field.hint, report);
        None
    }

    /// Returns the number of a key.
    pub fn number(&self, key: &str, report: &mut Report<'_>) -> Option<f64> {
        let (field, node) = self.value(key, report)?;
        let least = if let Shape::Number(least) = field.shape { least } else { f64::MIN };
        let number = node.as_number().filter(|it| it.is_finite() && *it >= least);
        if number.is_none() {
            let wanted = format!("a number of at least {least}");
            messages::wrong_value(node, &self.name(key), &wanted, field.hint, report);
        }
        number
    }

    /// Returns the boolean of a key.
    pub fn boolean(&self, key: &str, report: &mut Report<'_>) -> Option<bool> {
        let (field, node) = self.value(key, report)?;
        let boolean = node.as_boolean();
        if boolean.is_none() {
            messages::wrong_type(node, &self.name(key), "true or false", field.hint, report);
        }
        boolean
    }

    /// Returns the word of a key.
    pub fn one_of(&self, key: &str, report: &mut Report<'_>) -> Option<LocatedString> {
        let (field, node) = self.value(key, report)?;
        let words: &Words = if let Shape::Word(words) = field.shape { words } else { &NO_WORDS };
        self.word(node, key, &words.iter().collect::<Vec<_>>(), report)
    }

    /// Returns the allowed words of a key.
    pub fn words(&self, key: &str) -> impl Iterator<Item = &'static str> + Clone {
        let words = match self.object.field(key).map(|it| it.shape) {
            Some(Shape::Word(words)) => words,
            _ => &NO_WORDS,
        };
        words.iter()
    }

    /// Returns the string of a key whose allowed words the caller passes.
    pub fn one_of_these(&self, key: &str, words: &[&str], report: &mut Report<'_>) -> Option<LocatedString> {
        let (_, node) = self.value(key, report)?;
        self.word(node, key, words, report)
    }

    /// Returns the mapping of a key.
    pub fn object(&self, key: &str, report: &mut Report<'_>) -> Option<Fields<'n, 't>> {
        let (field, node) = self.value(key, report)?;
        let object = if let Shape::Object(object) = field.shape { object } else { &FRAME };
        Fields::of(node, self.name(key), object, report)
    }

    /// Returns the object of a key with the word that selects it.
    pub fn union(&self, key: &str, report: &mut Report<'_>) -> Option<(&'static str, Fields<'n, 't>)> {
        let (field, node) = self.value(key, report)?;
        let Shape::Union(union) = field.shape else { return None };
        Fields::of_union(node, self.name(key), union, report)
    }

    /// Returns the mappings in the array of a key, without items of another type, which are reported.
    pub fn objects(&self, key: &str, report: &mut Report<'_>) -> Vec<Fields<'n, 't>> {
        let Some((field, node)) = self.value(key, report) else { return Vec::new() };
        let object = match field.shape {
            Shape::Array { item: Shape::Object(object), .. } => object,
            _ => &FRAME,
        };
        let Some(items) = self.array(node, field, report) else { return Vec::new() };
        let name = self.name(key);
        let read = |(index, item)| Fields::of(item, format!("{name}[{index}]"), object, report);
        items.iter().enumerate().filter_map(read).collect()
    }

    /// Returns the strings in the mapping of a key, by key, without values of another type, which are
    /// reported.
    pub fn string_map(&self, key: &str, report: &mut Report<'_>) -> Option<Vec<(&'n str, LocatedString)>> {
        let (field, node) = self.value(key, report)?;
        let Some(entries) = node.entries() else {
            let wanted = format!("{} of strings", report.syntax().a_mapping());
            messages::wrong_type(node, &self.name(key), &wanted, field.hint, report);
            return None;
        };
        let text = match field.shape {
            Shape::Values(Shape::Text(text)) => *text,
            _ => Text::ANY,
        };
        let read = |entry: &'n Entry<'t>| {
            let name = || format!("{}.{}", self.spelled(key), entry.key);
            let value = messages::text(&entry.value, name, text, field.hint, report)?;
            Some((entry.key.as_ref(), value))
        };
        Some(entries.iter().filter_map(read).collect())
    }

    /// Returns the mapping of a key as JSON, with any keys.
    pub fn json(&self, key: &str, report: &mut Report<'_>) -> Option<Map<String, Value>> {
        let (field, node) = self.value(key, report)?;
        let Value::Object(object) = node.to_json() else {
            let wanted = report.syntax().a_mapping();
            messages::wrong_type(node, &self.name(key), wanted, field.hint, report);
            return None;
        };
        // YAML forbids duplicates at every level; in JSON the last one counts.
        if report.syntax() == Syntax::Yaml {
            messages::duplicates_within(node, &self.name(key), report);
        }
        Some(object)
    }

    /// Reports that a key is missing.
    pub fn missing(&self, key: &str, hint: Option<&str>, report: &mut Report<'_>) {
        let at = self.entry(key).map_or(self.at, |it| it.at);
        messages::missing(key, &self.name(key), at, hint, report);
    }

    /// Returns the declaration and the value of a key, and reports a required key that is missing.
    fn value(&self, key: &str, report: &mut Report<'_>) -> Option<(&'static Field, &'n Node<'t>)> {
        let field = self.object.field(key).unwrap_or_else(|| {
            debug_assert!(false, "the table `{}` does not declare `{key}`", self.object.name);
            &UNDECLARED
        });
        let node = self.get(key);
        if node.is_none() && field.required {
            self.missing(key, field.hint, report);
        }
        node.map(|node| (field, node))
    }

    /// Returns the full name of a key as the file spells it.
    fn spelled(&self, key: &str) -> String {
        self.name(self.entry(key).map_or(key, |it| it.key.as_ref()))
    }

    fn array(&self, node: &'n Node<'t>, field: &Field, report: &mut Report<'_>) -> Option<&'n [Node<'t>]> {
        let items = node.items();
        if items.is_none() {
            let wanted = messages::an_array(&field.shape, report.syntax());
            messages::not_an_array(node, &self.spelled(field.key), wanted, field.hint, report);
        }
        items
    }

    fn word(
        &self,
        node: &Node<'_>,
        key: &str,
        words: &[&str],
        report: &mut Report<'_>,
    ) -> Option<LocatedString> {
        let text = node.as_string();
        if let Some(text) = text.filter(|it| words.contains(it)) {
            return Some(LocatedString { text: text.to_owned(), at: node.span });
        }
        let found = match text {
            Some(text) => format!("`{text}`"),
            None => node.what(report.syntax()).to_owned(),
        };
        let wanted = messages::listed(words);
        let problem = report.error(node.at(), format!("`{}` must be {wanted}, not {found}", self.name(key)));
        problem.hint = text.and_then(|text| did_you_mean(text, words.iter().copied()));
        None
    }

    /// Reports duplicate and unknown keys. An empty `known` accepts every key.
    fn check_keys(&self, known: &[&str], report: &mut Report<'_>) {
        let canonical = |key: &'n str| self.object.field(key).map_or(key, |field| field.key);
        for (index, entry) in self.entries.iter().enumerate() {
            let one = canonical(&entry.key);
            if let Some(first) = self.entries[..index].iter().find(|it| canonical(&it.key) == one) {
                messages::duplicate(&self.name(&entry.key), entry.at, first.at, report);
            } else if !known.is_empty() && !known.contains(&entry.key.as_ref()) {
                messages::unknown(&entry.key, &self.name(&entry.key), entry.at, known, report);
            }
        }
    }
}

/// A mapping without declared keys.
static FRAME: Object = Object { name: "", doc: "", fields: &[], open: true };
static NO_WORDS: Words = Words { name: "", doc: "", words: &[] };
