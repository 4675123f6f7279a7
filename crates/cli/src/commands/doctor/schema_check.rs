//! Checks a configuration file against its JSON Schema and reports the place of every mistake.
//!
//! Supports the part of JSON Schema that the generated schemas use, which suffices to report a mistake and
//! what was probably meant. Whether the file is usable at all is decided by the code that reads it, which the
//! caller runs too.

use config_file::{Entry, Node, Span, Syntax, nearest};
use serde_json::Value as Json;

use super::finding::{Finding, Mark};
use crate::output::Snippet;

/// A file under examination.
pub(super) struct Check<'a> {
    /// The file's name in messages.
    pub(super) file: &'a str,
    /// Its text.
    pub(super) text: &'a str,
    /// The whole schema, for references into it.
    pub(super) schema: &'a Json,
    /// The findings so far.
    pub(super) findings: Vec<Finding>,
}

impl Check<'_> {
    /// Checks a value; `name` is its name in messages.
    pub(super) fn value(&mut self, schema: &Json, value: &Node<'_>, name: &str) {
        let schema = self.resolve(schema).clone();
        if let Some(variants) = ["anyOf", "oneOf"].iter().find_map(|key| schema[*key].as_array()) {
            return self.one_of(variants, value, name);
        }
        if !has_type(&schema, value) {
            return self.wrong_type(&expected(&schema), value, name);
        }
        if let (Some(least), Some(number)) = (schema["minimum"].as_i64(), value.as_number())
            && number < 0.0
        {
            self.wrong(value.span, format!("`{name}` must be at least {least}"), None);
        }
        if value.entries().is_some() {
            self.object(&schema, value, name);
        }
        if schema["items"].is_object() {
            for (index, item) in value.items().unwrap_or_default().iter().enumerate() {
                self.value(&schema["items"], item, &format!("{name}[{index}]"));
            }
        }
    }

    fn object(&mut self, schema: &Json, object: &Node<'_>, name: &str) {
        let known = schema["properties"].as_object();
        let entries = object.entries().unwrap_or_default();
        for (index, entry) in entries.iter().enumerate() {
            let key = entry.key.as_ref();
            let inner = if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
            if entries[..index].iter().any(|earlier| earlier.key == entry.key) {
                self.wrong(entry.at, format!("duplicate key `{inner}`"), None);
            }
            match (known.and_then(|known| known.get(key)), &schema["additionalProperties"]) {
                (Some(schema), _) => self.value(schema, &entry.value, &inner),
                (None, rest @ Json::Object(_)) => {
                    self.key(schema, entry);
                    self.value(rest, &entry.value, &inner);
                }
                (None, _) => {
                    let known = known.into_iter().flat_map(|known| known.keys().map(String::as_str));
                    self.unknown(entry, &known.collect::<Vec<_>>(), None);
                }
            }
        }
        for key in schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str) {
            if object.get(key).is_none() {
                let whose = if name.is_empty() { "the file".to_owned() } else { format!("`{name}`") };
                self.wrong(object.span.first(), format!("{whose} lacks the key `{key}`"), None);
            }
        }
    }

    /// Checks a key of an object whose keys are a closed set.
    fn key(&mut self, schema: &Json, entry: &Entry<'_>) {
        let names = &schema["propertyNames"];
        let Some(known) = names["enum"].as_array() else { return };
        let known: Vec<&str> = known.iter().filter_map(Json::as_str).collect();
        if !known.contains(&entry.key.as_ref()) {
            self.unknown(entry, &known, names["description"].as_str());
        }
    }

    /// Reports an unknown key; `where_listed` names the place that lists the known ones.
    fn unknown(&mut self, entry: &Entry<'_>, known: &[&str], where_listed: Option<&str>) {
        // A schema without keys accepts any.
        if known.is_empty() {
            return;
        }
        let key = entry.key.as_ref();
        let hint = match nearest(key, known.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => where_listed.map_or_else(|| format!("valid keys: {}", known.join(", ")), str::to_owned),
        };
        let place = self.place(entry.at);
        let text = format!("unknown key `{key}`");
        self.findings.push(Finding::new(Mark::Warning, text).at(place).hint(hint));
    }

    fn one_of(&mut self, variants: &[Json], value: &Node<'_>, name: &str) {
        let variants: Vec<Json> = variants.iter().map(|variant| self.resolve(variant).clone()).collect();
        let words: Vec<&str> = variants.iter().filter_map(|variant| variant["const"].as_str()).collect();
        if words.len() == variants.len() {
            return self.word(&words, value, name);
        }
        let fitting: Vec<&Json> = variants.iter().filter(|variant| has_type(variant, value)).collect();
        match fitting[..] {
            [] => {
                let all: Vec<String> = variants.iter().map(expected).collect();
                self.wrong_type(&all.join(" or "), value, name);
            }
            [only] => self.value(only, value, name),
            _ if value.entries().is_some() => self.tagged(&fitting, value, name),
            _ => {}
        }
    }

    /// Checks an object whose variant is selected by a key with a constant.
    fn tagged(&mut self, variants: &[&Json], object: &Node<'_>, name: &str) {
        let tag_of = |variant: &Json| {
            let mut properties = variant["properties"].as_object()?.iter();
            properties.find_map(|(key, schema)| Some((key.clone(), schema["const"].as_str()?.to_owned())))
        };
        let tags: Vec<(String, String)> = variants.iter().filter_map(|variant| tag_of(variant)).collect();
        let Some((key, _)) = tags.first() else { return };
        let Some(word) = object.get(key) else {
            return self.wrong(object.span.first(), format!("`{name}` lacks the key `{key}`"), None);
        };
        let written = word.as_string();
        if let Some(index) = tags.iter().position(|(_, word)| written == Some(word.as_str())) {
            self.object(variants[index], object, name);
        } else {
            let words: Vec<&str> = tags.iter().map(|(_, word)| word.as_str()).collect();
            self.word(&words, word, &format!("{name}.{key}"));
        }
    }

    /// Checks a value that must be one of a few words.
    fn word(&mut self, words: &[&str], value: &Node<'_>, name: &str) {
        let Some(text) = value.as_string() else {
            return self.wrong_type(&one_of_words(words), value, name);
        };
        if !words.contains(&text) {
            let meant = nearest(text, words.iter().copied());
            let hint = meant.map(|meant| format!("did you mean `{meant}`?"));
            let problem = format!("`{name}` is `{text}`, expected {}", one_of_words(words));
            self.wrong(value.span, problem, hint);
        }
    }

    fn wrong_type(&mut self, expected: &str, value: &Node<'_>, name: &str) {
        let name = if name.is_empty() { "the file".to_owned() } else { format!("`{name}`") };
        self.wrong(value.span, format!("{name} is {}, expected {expected}", value.what(Syntax::Json)), None);
    }

    fn wrong(&mut self, at: Span, text: String, hint: Option<String>) {
        let place = self.place(at);
        self.findings.push(Finding { hint, ..Finding::new(Mark::Wrong, text).at(place) });
    }

    fn place(&self, at: Span) -> Snippet {
        Snippet::of(self.file, self.text, at.start, at.end)
    }

    fn resolve<'s>(&'s self, schema: &'s Json) -> &'s Json {
        let target =
            schema["$ref"].as_str().and_then(|target| self.schema.pointer(target.strip_prefix('#')?));
        target.unwrap_or(schema)
    }
}

fn has_type(schema: &Json, value: &Node<'_>) -> bool {
    let fits = |name: &str| match name {
        "object" => value.entries().is_some(),
        "array" => value.items().is_some(),
        "string" => value.as_string().is_some(),
        "number" => value.as_number().is_some(),
        "integer" => {
            value.as_number().is_some() && value.as_written().is_some_and(|it| !it.contains(['.', 'e', 'E']))
        }
        "boolean" => value.as_boolean().is_some(),
        "null" => value.is_null(),
        _ => false,
    };
    match &schema["type"] {
        Json::String(name) => fits(name),
        Json::Array(names) => names.iter().filter_map(Json::as_str).any(fits),
        _ => words_of(schema).is_none() || value.as_string().is_some(),
    }
}

/// Returns the words of a schema that permits only a few words.
fn words_of(schema: &Json) -> Option<Vec<&str>> {
    schema["oneOf"].as_array()?.iter().map(|variant| variant["const"].as_str()).collect()
}

/// Returns the expected type, for a message; omits that the value is optional.
fn expected(schema: &Json) -> String {
    if let Some(words) = words_of(schema) {
        return one_of_words(&words);
    }
    let names: Vec<&str> = match &schema["type"] {
        Json::String(name) => vec![name],
        Json::Array(names) => names.iter().filter_map(Json::as_str).filter(|name| *name != "null").collect(),
        _ => Vec::new(),
    };
    let phrase = |name: &str| match name {
        "object" => "an object",
        "array" => "an array",
        "string" => "a string",
        "integer" => "a whole number",
        "number" => "a number",
        "boolean" => "a boolean",
        _ => "null",
    };
    names.into_iter().map(phrase).collect::<Vec<_>>().join(" or ")
}

fn one_of_words(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" or ")
}
