//! Holds a file of ours against its JSON Schema, with the place of every mistake.
//!
//! Only the part of JSON Schema that our generated schemas use. It is enough to say where
//! a mistake is and what was meant; whether the file can be used at all is for the code
//! that reads it, which the caller asks too.

use config_file::nearest;
use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::{Range, Ranged};
use serde_json::Value as Json;

use super::finding::{Finding, Mark};
use crate::output::Snippet;

/// A file that is being checked.
pub(super) struct Check<'a> {
    /// The file, as people are shown it.
    pub(super) file: &'a str,
    /// What it says.
    pub(super) text: &'a str,
    /// The whole schema, for references into it.
    pub(super) schema: &'a Json,
    /// What was found so far.
    pub(super) findings: Vec<Finding>,
}

impl Check<'_> {
    /// Checks a value; `name` is what it is called in sentences.
    pub(super) fn value(&mut self, schema: &Json, value: &Value<'_>, name: &str) {
        let schema = self.resolve(schema).clone();
        if let Some(variants) = ["anyOf", "oneOf"].iter().find_map(|key| schema[*key].as_array()) {
            return self.one_of(variants, value, name);
        }
        if !has_type(&schema, value) {
            return self.wrong_type(&expected(&schema), value, name);
        }
        if let (Some(least), Value::NumberLit(number)) = (schema["minimum"].as_i64(), value)
            && number.value.parse().is_ok_and(|found: f64| found < 0.0)
        {
            self.wrong(value.range(), format!("`{name}` has to be {least} or more"), None);
        }
        match value {
            Value::Object(object) => self.object(&schema, object, name),
            Value::Array(array) if schema["items"].is_object() => {
                for (index, element) in array.elements.iter().enumerate() {
                    self.value(&schema["items"], element, &format!("{name}[{index}]"));
                }
            }
            _ => {}
        }
    }

    fn object(&mut self, schema: &Json, object: &Object<'_>, name: &str) {
        let known = schema["properties"].as_object();
        for (index, property) in object.properties.iter().enumerate() {
            let key = property.name.as_str();
            let inner = if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") };
            if object.properties[..index].iter().any(|earlier| earlier.name.as_str() == key) {
                self.wrong(property.name.range(), format!("`{inner}` is there twice"), None);
            }
            match (known.and_then(|known| known.get(key)), &schema["additionalProperties"]) {
                (Some(schema), _) => self.value(schema, &property.value, &inner),
                (None, rest @ Json::Object(_)) => {
                    self.key(schema, property);
                    self.value(rest, &property.value, &inner);
                }
                (None, _) => {
                    let known = known.into_iter().flat_map(|known| known.keys().map(String::as_str));
                    self.unknown(property, &known.collect::<Vec<_>>(), None);
                }
            }
        }
        for key in schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str) {
            if object.get(key).is_none() {
                let whose = if name.is_empty() { "the file".to_owned() } else { format!("`{name}`") };
                let start = object.range.start;
                self.wrong(Range { start, end: start + 1 }, format!("{whose} has no `{key}`"), None);
            }
        }
    }

    /// Checks a key of an object whose keys are a closed set.
    fn key(&mut self, schema: &Json, property: &ObjectProp<'_>) {
        let names = &schema["propertyNames"];
        let Some(known) = names["enum"].as_array() else { return };
        let known: Vec<&str> = known.iter().filter_map(Json::as_str).collect();
        if !known.contains(&property.name.as_str()) {
            self.unknown(property, &known, names["description"].as_str());
        }
    }

    /// Tells of a key that is not known; `where_listed` says how to find those that are.
    fn unknown(&mut self, property: &ObjectProp<'_>, known: &[&str], where_listed: Option<&str>) {
        // An object that names no keys takes any.
        if known.is_empty() {
            return;
        }
        let key = property.name.as_str();
        let hint = match nearest(key, known.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => where_listed.map_or_else(|| format!("known here: {}", known.join(", ")), str::to_owned),
        };
        let place = self.place(property.name.range());
        let text = format!("nobody reads the key `{key}`");
        self.findings.push(Finding::new(Mark::Warning, text).at(place).hint(hint));
    }

    fn one_of(&mut self, variants: &[Json], value: &Value<'_>, name: &str) {
        let variants: Vec<Json> = variants.iter().map(|variant| self.resolve(variant).clone()).collect();
        let words: Vec<&str> = variants.iter().filter_map(|variant| variant["const"].as_str()).collect();
        if words.len() == variants.len() {
            return self.word(&words, value, name);
        }
        let fitting: Vec<&Json> = variants.iter().filter(|variant| has_type(variant, value)).collect();
        match (fitting[..].len(), value) {
            (0, _) => {
                let all: Vec<String> = variants.iter().map(expected).collect();
                self.wrong_type(&all.join(" or "), value, name);
            }
            (1, _) => self.value(fitting[0], value, name),
            (_, Value::Object(object)) => self.tagged(&fitting, object, name),
            _ => {}
        }
    }

    /// Checks an object whose variant is told by a key with a fixed word in it.
    fn tagged(&mut self, variants: &[&Json], object: &Object<'_>, name: &str) {
        let tag_of = |variant: &Json| {
            let mut properties = variant["properties"].as_object()?.iter();
            properties.find_map(|(key, schema)| Some((key.clone(), schema["const"].as_str()?.to_owned())))
        };
        let tags: Vec<(String, String)> = variants.iter().filter_map(|variant| tag_of(variant)).collect();
        let Some((key, _)) = tags.first() else { return };
        let Some(property) = object.get(key) else {
            let start = object.range.start;
            return self.wrong(Range { start, end: start + 1 }, format!("`{name}` has no `{key}`"), None);
        };
        let said = property.value.as_string_lit().map(|text| text.value.as_ref());
        if let Some(index) = tags.iter().position(|(_, word)| said == Some(word.as_str())) {
            self.object(variants[index], object, name);
        } else {
            let words: Vec<&str> = tags.iter().map(|(_, word)| word.as_str()).collect();
            self.word(&words, &property.value, &format!("{name}.{key}"));
        }
    }

    /// Checks a value that has to be one of a few words.
    fn word(&mut self, words: &[&str], value: &Value<'_>, name: &str) {
        let Value::StringLit(text) = value else {
            return self.wrong_type(&one_of_words(words), value, name);
        };
        if !words.contains(&text.value.as_ref()) {
            let meant = nearest(&text.value, words.iter().copied());
            let hint = meant.map(|meant| format!("did you mean `{meant}`?"));
            let problem = format!("`{name}` is `{}`, expected {}", text.value, one_of_words(words));
            self.wrong(value.range(), problem, hint);
        }
    }

    fn wrong_type(&mut self, expected: &str, value: &Value<'_>, name: &str) {
        let name = if name.is_empty() { "the file".to_owned() } else { format!("`{name}`") };
        self.wrong(value.range(), format!("{name} is {}, expected {expected}", kind(value)), None);
    }

    fn wrong(&mut self, range: Range, text: String, hint: Option<String>) {
        let place = self.place(range);
        self.findings.push(Finding { hint, ..Finding::new(Mark::Wrong, text).at(place) });
    }

    fn place(&self, range: Range) -> Snippet {
        Snippet::of(self.file, self.text, range.start, range.end)
    }

    fn resolve<'s>(&'s self, schema: &'s Json) -> &'s Json {
        let target =
            schema["$ref"].as_str().and_then(|target| self.schema.pointer(target.strip_prefix('#')?));
        target.unwrap_or(schema)
    }
}

fn has_type(schema: &Json, value: &Value<'_>) -> bool {
    let fits = |name: &str| match (name, value) {
        ("object", Value::Object(_))
        | ("array", Value::Array(_))
        | ("string", Value::StringLit(_))
        | ("number", Value::NumberLit(_))
        | ("boolean", Value::BooleanLit(_))
        | ("null", Value::NullKeyword(_)) => true,
        ("integer", Value::NumberLit(number)) => !number.value.contains(['.', 'e', 'E']),
        _ => false,
    };
    match &schema["type"] {
        Json::String(name) => fits(name),
        Json::Array(names) => names.iter().filter_map(Json::as_str).any(fits),
        _ => true,
    }
}

/// Returns what the schema wants, for a sentence; that a value may be left out is not said.
fn expected(schema: &Json) -> String {
    let names: Vec<&str> = match &schema["type"] {
        Json::String(name) => vec![name],
        Json::Array(names) => names.iter().filter_map(Json::as_str).filter(|name| *name != "null").collect(),
        _ => Vec::new(),
    };
    let phrase = |name: &str| match name {
        "object" => "an object",
        "array" => "a list",
        "string" => "a string",
        "integer" => "a whole number",
        "number" => "a number",
        "boolean" => "true or false",
        _ => "null",
    };
    names.into_iter().map(phrase).collect::<Vec<_>>().join(" or ")
}

fn kind(value: &Value<'_>) -> &'static str {
    match value {
        Value::StringLit(_) => "a string",
        Value::NumberLit(_) => "a number",
        Value::BooleanLit(_) => "true or false",
        Value::Object(_) => "an object",
        Value::Array(_) => "a list",
        Value::NullKeyword(_) => "null",
    }
}

fn one_of_words(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" or ")
}
