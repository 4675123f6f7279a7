//! The JSON Schema of a table, for editors.

use serde_json::{Map, Value, json};

use crate::table::{DefaultValue, Field, Object, Shape, Text, Union, Words};

/// Returns the schema of a file with this shape. `title` is the name of its type.
pub fn of(shape: &Shape, title: &str, description: &str) -> Value {
    let mut definitions = Map::new();
    let mut root = match shape {
        Shape::Object(object) => object_schema(object, &mut definitions),
        Shape::Choice(choice) => choice_schema(choice.options, &mut definitions),
        other => subschema(other, &mut definitions),
    };
    if let Some(root) = root.as_object_mut() {
        root.shift_remove("description");
        root.insert("description".to_owned(), description.into());
        root.insert("title".to_owned(), title.into());
        root.insert("$schema".to_owned(), "https://json-schema.org/draft/2020-12/schema".into());
        if !definitions.is_empty() {
            root.insert("$defs".to_owned(), definitions.into());
        }
    }
    root
}

/// Returns the schema of a value; a named shape becomes a definition and a reference to it.
pub fn subschema(shape: &Shape, definitions: &mut Map<String, Value>) -> Value {
    let (name, doc) = match shape {
        Shape::Word(words) => (words.name, words.doc),
        Shape::Object(object) => (object.name, object.doc),
        Shape::Choice(choice) => (choice.name, choice.doc),
        Shape::Union(union) => (union.name, union.doc),
        _ => return plain(shape, definitions),
    };
    if !definitions.contains_key(name) {
        // Reserves the place before the definitions that this one needs.
        definitions.insert(name.to_owned(), Value::Null);
        let mut schema = match shape {
            Shape::Word(words) => words_schema(words),
            Shape::Object(object) => object_schema(object, definitions),
            Shape::Choice(choice) => choice_schema(choice.options, definitions),
            Shape::Union(union) => union_schema(union, definitions),
            _ => Value::Null,
        };
        describe(&mut schema, doc);
        definitions.insert(name.to_owned(), schema);
    }
    json!({ "$ref": format!("#/$defs/{name}") })
}

fn plain(shape: &Shape, definitions: &mut Map<String, Value>) -> Value {
    match shape {
        Shape::Text(_) => json!({ "type": "string" }),
        Shape::Boolean => json!({ "type": "boolean" }),
        Shape::Integer(least, _) => json!({ "type": "integer", "format": "uint64", "minimum": least }),
        Shape::Number(_) => json!({ "type": "number", "format": "double" }),
        Shape::Array { item: Shape::Any, .. } => json!({ "type": "array", "items": true }),
        Shape::Array { item, .. } => json!({ "type": "array", "items": subschema(item, definitions) }),
        Shape::Values(Shape::Any) => json!({ "type": "object", "additionalProperties": true }),
        Shape::Values(shape) => {
            json!({ "type": "object", "additionalProperties": subschema(shape, definitions) })
        }
        _ => json!({}),
    }
}

fn object_schema(object: &Object, definitions: &mut Map<String, Value>) -> Value {
    let mut schema = json!({ "type": "object" });
    if !object.open {
        schema["additionalProperties"] = false.into();
    }
    let mut properties = Map::new();
    for field in object.fields {
        properties.insert(field.key.to_owned(), field_schema(field, field.doc, definitions));
        for alias in field.aliases {
            let doc = format!("Another spelling of `{}`.", field.key);
            properties.insert((*alias).to_owned(), field_schema(field, &doc, definitions));
        }
    }
    schema["properties"] = properties.into();
    let required: Vec<&str> = object.fields.iter().filter(|it| is_demanded(it)).map(|it| it.key).collect();
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    describe(&mut schema, object.doc);
    schema
}

/// Returns whether the schema requires a key. It cannot require a key with two spellings.
fn is_demanded(field: &Field) -> bool {
    field.required && field.aliases.is_empty()
}

fn field_schema(field: &Field, doc: &str, definitions: &mut Map<String, Value>) -> Value {
    let mut schema = subschema(&field.shape, definitions);
    if !is_demanded(field) {
        schema = or_null(schema);
    }
    describe(&mut schema, doc);
    match field.shape {
        Shape::Text(text) => limit_text(text, &mut schema),
        Shape::Integer(_, most) if most < u64::MAX => schema["maximum"] = most.into(),
        Shape::Number(least) => schema["minimum"] = number(least),
        Shape::Array { least, most, .. } => {
            if least > 0 {
                schema["minItems"] = least.into();
            }
            if let Some(most) = most {
                schema["maxItems"] = most.into();
            }
        }
        _ => {}
    }
    if let Some(default) = field.default {
        schema["default"] = match default {
            DefaultValue::Boolean(value) => value.into(),
            DefaultValue::Integer(value) => value.into(),
            DefaultValue::Number(value) => number(value),
        };
    }
    schema
}

fn limit_text(text: Text, schema: &mut Value) {
    if text.least > 0 {
        schema["minLength"] = text.least.into();
    }
    if let Some((most, _)) = text.most {
        schema["maxLength"] = most.into();
    }
    if let Some(pattern) = text.pattern {
        schema["pattern"] = pattern.into();
    }
}

fn or_null(mut schema: Value) -> Value {
    if schema["$ref"].is_string() {
        return json!({ "anyOf": [schema, { "type": "null" }] });
    }
    if let Some(name) = schema.get_mut("type") {
        *name = json!([name.take(), "null"]);
    }
    schema
}

fn words_schema(words: &Words) -> Value {
    if words.words.iter().all(|it| it.doc.is_empty()) {
        return json!({ "type": "string", "enum": words.iter().collect::<Vec<_>>() });
    }
    let each = words.words.iter().map(|it| {
        let mut word = json!({ "type": "string", "const": it.word });
        describe(&mut word, it.doc);
        word
    });
    json!({ "oneOf": each.collect::<Vec<_>>() })
}

fn choice_schema(options: &[(Shape, &str)], definitions: &mut Map<String, Value>) -> Value {
    let each = options.iter().map(|(shape, doc)| {
        let mut schema = subschema(shape, definitions);
        describe(&mut schema, doc);
        schema
    });
    json!({ "anyOf": each.collect::<Vec<_>>() })
}

fn union_schema(union: &Union, definitions: &mut Map<String, Value>) -> Value {
    let mut each = Vec::new();
    for variant in union.variants {
        let word = json!({ "type": "string", "const": variant.word });
        let mut schema = if let Some(content) = union.content {
            let inner = subschema(&Shape::Object(variant.object), definitions);
            json!({
                "type": "object",
                "properties": { union.tag: word, content: inner },
                "required": [union.tag, content],
            })
        } else {
            let inner = object_schema(variant.object, definitions);
            let mut properties = Map::from_iter([(union.tag.to_owned(), word)]);
            properties.extend(inner["properties"].as_object().cloned().unwrap_or_default());
            let mut required = vec![Value::from(union.tag)];
            required.extend(inner["required"].as_array().cloned().unwrap_or_default());
            json!({
                "type": "object",
                "additionalProperties": false,
                "properties": properties,
                "required": required,
            })
        };
        describe(&mut schema, variant.doc);
        each.push(schema);
    }
    json!({ "oneOf": each })
}

/// Returns a number without a fraction if it has none.
#[expect(clippy::cast_possible_truncation, reason = "the numbers in tables are small")]
fn number(value: f64) -> Value {
    if value.fract() == 0.0 { (value as i64).into() } else { value.into() }
}

/// Adds a description unless it is empty.
fn describe(schema: &mut Value, doc: &str) {
    if !doc.is_empty() {
        schema["description"] = doc.into();
    }
}
