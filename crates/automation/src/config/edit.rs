//! Changes or removes one automation in its file and keeps comments, order and layout.

use config_file::jsonc::{self, CstArray, CstNode, CstObject, CstRootNode, Object, ParseError, Ranged};
use config_file::{JsonDialect, Node, parse_json};
use serde_json::{Map, Value};

use super::append::input;

/// Why an automation cannot be changed.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    /// The file is not JSON.
    #[error("the file is not JSON")]
    Syntax(#[source] ParseError),
    /// The file does not declare it.
    #[error("the file does not declare the automation `{0}`")]
    Absent(String),
}

/// The effect of a change on the keys that it does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherKeys {
    /// They stay, and `null` removes a key, as in RFC 7396.
    Kept,
    /// They are removed: the change is the whole definition.
    Removed,
}

/// One change of a key.
struct Step {
    /// The keys that lead to it, the last one included.
    path: Vec<String>,
    /// Its new value; `None` removes it.
    value: Option<Value>,
}

/// Returns the definition of an automation as the file spells it. Returns `None` if the file does not declare it.
pub fn definition(text: &str, id: &str) -> Option<Value> {
    let root = parse_json(body(text), JsonDialect::WithComments).ok()??;
    list(&root)?.iter().find(|hook| id_of(hook) == Some(id)).map(Node::to_json)
}

/// Returns the ids of the automations in the file, in their order; empty strings for those without one.
pub fn declared_ids(text: &str) -> Vec<String> {
    let root = parse_json(body(text), JsonDialect::WithComments).ok().flatten();
    let all = root.as_ref().and_then(list).unwrap_or_default();
    all.iter().map(|hook| id_of(hook).unwrap_or_default().to_owned()).collect()
}

/// Returns the text of the file with a changed automation.
pub fn edit(text: &str, id: &str, change: &Map<String, Value>, rest: OtherKeys) -> Result<String, EditError> {
    let now = definition(text, id);
    let index = index_of(text, id)?;
    let Some(Value::Object(now)) = now else { return Err(EditError::Absent(id.to_owned())) };
    let mut steps = Vec::new();
    collect_steps(&now, change, rest, &[], &mut steps);
    let mark = &text[..text.len() - body(text).len()];
    let mut edited = body(text).to_owned();
    for step in &steps {
        edited = apply(&edited, index, step)?;
    }
    Ok(format!("{mark}{edited}"))
}

/// Returns the text of the file without an automation.
pub fn remove(text: &str, id: &str) -> Result<String, EditError> {
    let index = index_of(text, id)?;
    let mark = &text[..text.len() - body(text).len()];
    let root = tree(body(text))?;
    if let Some(hook) = hooks(&root).and_then(|list| list.elements().into_iter().nth(index)) {
        hook.remove();
    }
    Ok(format!("{mark}{root}"))
}

/// Returns the index of the automation at a position of the file, counted in characters from 1, and the path of the
/// key there: `runner.command[0]`, or an empty string for the whole automation.
pub fn key_at(text: &str, line: usize, column: usize) -> Option<(usize, String)> {
    let text = body(text);
    let start = text.split_inclusive('\n').take(line.checked_sub(1)?).map(str::len).sum::<usize>();
    let in_line = text.get(start..)?.chars().take(column.checked_sub(1)?).map(char::len_utf8).sum::<usize>();
    let byte = start + in_line;
    let root = parse_json(text, JsonDialect::WithComments).ok()??;
    let covers = |node: &Node<'_>| node.span.start <= byte && byte < node.span.end;
    let index = list(&root)?.iter().position(covers)?;
    let mut node = &list(&root)?[index];
    let mut path = String::new();
    loop {
        if let Some(entry) = node
            .entries()
            .and_then(|all| all.iter().find(|it| it.at.start <= byte && byte < it.value.span.end))
        {
            let dot = if path.is_empty() { "" } else { "." };
            path = format!("{path}{dot}{}", entry.key);
            node = &entry.value;
        } else if let Some((n, item)) =
            node.items().and_then(|all| all.iter().enumerate().find(|(_, item)| covers(item)))
        {
            path = format!("{path}[{n}]");
            node = item;
        } else {
            return Some((index, path));
        }
    }
}

/// Returns the text without its byte-order mark.
fn body(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

fn list<'n, 't>(root: &'n Node<'t>) -> Option<&'n [Node<'t>]> {
    root.items().or_else(|| root.get("hooks")?.items())
}

fn id_of<'n>(hook: &'n Node<'_>) -> Option<&'n str> {
    hook.get("id")?.as_string()
}

fn index_of(text: &str, id: &str) -> Result<usize, EditError> {
    let body = body(text);
    jsonc::parse(body).map_err(EditError::Syntax)?;
    let index = declared_ids(text).iter().position(|it| it == id);
    index.ok_or_else(|| EditError::Absent(id.to_owned()))
}

/// Lists the keys that differ from the wanted ones.
fn collect_steps(
    now: &Map<String, Value>,
    wanted: &Map<String, Value>,
    rest: OtherKeys,
    path: &[String],
    steps: &mut Vec<Step>,
) {
    let at = |key: &str| path.iter().cloned().chain([key.to_owned()]).collect::<Vec<_>>();
    for (key, value) in wanted {
        match (now.get(key), value) {
            (Some(old), new) if old == new => {}
            (Some(Value::Object(old)), Value::Object(new)) => {
                collect_steps(old, new, rest, &at(key), steps);
            }
            (old, Value::Null) if rest == OtherKeys::Kept => {
                if old.is_some() {
                    steps.push(Step { path: at(key), value: None });
                }
            }
            (_, new) => {
                let new = if rest == OtherKeys::Kept { without_nulls(new) } else { new.clone() };
                steps.push(Step { path: at(key), value: Some(new) });
            }
        }
    }
    if rest == OtherKeys::Removed {
        let gone = now.keys().filter(|key| !wanted.contains_key(*key));
        steps.extend(gone.map(|key| Step { path: at(key), value: None }));
    }
}

fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Object(entries) => {
            let kept = entries.iter().filter(|(_, value)| !value.is_null());
            Value::Object(kept.map(|(key, value)| (key.clone(), without_nulls(value))).collect())
        }
        other => other.clone(),
    }
}

/// Carries out one change of a key.
///
/// WHY two ways: the tree spreads every object over lines that gains a key or an object. An automation on one line
/// stays on one line, so it is changed in the text.
fn apply(text: &str, index: usize, step: &Step) -> Result<String, EditError> {
    let Some((key, folders)) = step.path.split_last() else { return Ok(text.to_owned()) };
    if let Some(value) = &step.value
        && let Some(edited) = in_its_line(text, index, folders, key, value)?
    {
        return Ok(edited);
    }
    let root = tree(text)?;
    let hook = hooks(&root).and_then(|list| list.elements().get(index).and_then(CstNode::as_object));
    let parent = folders.iter().try_fold(hook, |at, key| Some(at?.object_value(key))).flatten();
    let Some(parent) = parent else { return Ok(text.to_owned()) };
    match (property(&parent, key), &step.value) {
        (Some(property), Some(value)) => property.set_value(input(value)),
        (None, Some(value)) => drop(parent.append(key, input(value))),
        (Some(property), None) => property.remove(),
        (None, None) => {}
    }
    Ok(root.to_string())
}

/// Returns the text with the value set within its line. Returns `None` if the object or the value spans lines.
fn in_its_line(
    text: &str,
    index: usize,
    folders: &[String],
    key: &str,
    value: &Value,
) -> Result<Option<String>, EditError> {
    let Some(root) = jsonc::parse(text).map_err(EditError::Syntax)? else { return Ok(None) };
    let declared = match &root {
        jsonc::Value::Array(list) => Some(list),
        jsonc::Value::Object(frame) => match value_of(frame, "hooks") {
            Some(jsonc::Value::Array(list)) => Some(list),
            _ => None,
        },
        _ => None,
    };
    let Some(jsonc::Value::Object(hook)) = declared.and_then(|it| it.elements.get(index)) else {
        return Ok(None);
    };
    let mut parent: &Object<'_> = hook;
    for folder in folders {
        let Some(jsonc::Value::Object(inner)) = value_of(parent, folder) else { return Ok(None) };
        parent = inner;
    }
    let whole = &text[parent.range.start..parent.range.end];
    let is_line = |part: &str| !part.contains('\n');
    let written = jsonc::on_one_line(value, whole);
    let replaced = |start: usize, end: usize, new: &str| format!("{}{new}{}", &text[..start], &text[end..]);
    if let Some(old) = value_of(parent, key) {
        let range = old.range();
        let is_bracketed = matches!(old, jsonc::Value::Object(_) | jsonc::Value::Array(_));
        let fits = is_line(whole)
            || !matches!(value, Value::Object(_) | Value::Array(_))
            || (is_bracketed && is_line(&text[range.start..range.end]));
        return Ok(fits.then(|| replaced(range.start, range.end, &written)));
    }
    if !is_line(whole) {
        return Ok(None);
    }
    let name = Value::from(key);
    Ok(Some(match parent.properties.last() {
        Some(last) => replaced(last.range.end, last.range.end, &format!(", {name}: {written}")),
        None => replaced(parent.range.start + 1, parent.range.start + 1, &format!("{name}: {written}")),
    }))
}

fn value_of<'o, 'a>(object: &'o Object<'a>, key: &str) -> Option<&'o jsonc::Value<'a>> {
    object.properties.iter().find(|it| it.name.as_str() == key).map(|it| &it.value)
}

fn property(object: &CstObject, key: &str) -> Option<jsonc::CstObjectProp> {
    object.properties().into_iter().find(|it| it.decoded_name().as_deref() == Some(key))
}

fn tree(text: &str) -> Result<CstRootNode, EditError> {
    jsonc::parse_editable(text).map_err(EditError::Syntax)
}

fn hooks(root: &CstRootNode) -> Option<CstArray> {
    root.array_value().or_else(|| root.object_value()?.array_value("hooks"))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::json;

    use super::*;

    const FILE: &str = "{\n  // ours\n  \"hooks\": [\n    {\"id\": \"a\", \"trigger\": \"x\", \"runner\": {\"type\": \"command\", \"command\": [\"cat\"]}}, // first\n    {\n      \"id\": \"b\", // second\n      \"prompt\": \"p\",\n      /* limits */ \"retry\": { \"count\": 1 } // once\n    }\n  ]\n}\n";

    fn check(id: &str, change: &Value, rest: OtherKeys, expected: &Expect) {
        let edited = edit(FILE, id, change.as_object().unwrap(), rest).unwrap();
        expected.assert_eq(&edited);
    }

    #[test]
    fn an_automation_on_one_line_stays_on_one_line() {
        check(
            "a",
            &json!({"timeoutMs": 2000, "pattern": ["*.rs"], "runner": {"command": ["tee", "x"]}}),
            OtherKeys::Kept,
            &expect![[r#"
                {
                  // ours
                  "hooks": [
                    {"id": "a", "trigger": "x", "runner": {"type": "command", "command": ["tee", "x"]}, "timeoutMs": 2000, "pattern": ["*.rs"]}, // first
                    {
                      "id": "b", // second
                      "prompt": "p",
                      /* limits */ "retry": { "count": 1 } // once
                    }
                  ]
                }
            "#]],
        );
    }

    #[test]
    fn comments_and_order_stay_where_keys_change() {
        check(
            "b",
            &json!({"prompt": null, "retry": {"count": 2}, "runner": {"type": "claude"}, "enabled": false}),
            OtherKeys::Kept,
            &expect![[r#"
                {
                  // ours
                  "hooks": [
                    {"id": "a", "trigger": "x", "runner": {"type": "command", "command": ["cat"]}}, // first
                    {
                      "id": "b", // second
                      /* limits */ "retry": { "count": 2 }, // once
                      "runner": {
                        "type": "claude"
                      },
                      "enabled": false
                    }
                  ]
                }
            "#]],
        );
    }

    #[test]
    fn a_whole_definition_removes_the_other_keys() {
        check(
            "a",
            &json!({"id": "c", "trigger": "x"}),
            OtherKeys::Removed,
            &expect![[r#"
                {
                  // ours
                  "hooks": [
                    {"id": "c", "trigger": "x"}, // first
                    {
                      "id": "b", // second
                      "prompt": "p",
                      /* limits */ "retry": { "count": 1 } // once
                    }
                  ]
                }
            "#]],
        );
    }

    #[test]
    fn a_removed_automation_leaves_the_others_as_they_were() {
        expect![[r#"
            {
              // ours
              "hooks": [
                {"id": "a", "trigger": "x", "runner": {"type": "command", "command": ["cat"]}} // first
              ]
            }
        "#]]
        .assert_eq(&remove(FILE, "b").unwrap());
        expect![[r#"
            {
              // ours
              "hooks": [
                {
                  "id": "b", // second
                  "prompt": "p",
                  /* limits */ "retry": { "count": 1 } // once
                }
              ]
            }
        "#]]
        .assert_eq(&remove(FILE, "a").unwrap());
        assert!(matches!(remove(FILE, "c"), Err(EditError::Absent(_))));
    }

    #[test]
    fn a_position_leads_to_its_key() {
        for (line, column, expected) in [
            (4, 5, (0, "")),
            (4, 30, (0, "trigger")),
            (4, 76, (0, "runner.command[0]")),
            (8, 33, (1, "retry.count")),
        ] {
            assert_eq!(
                key_at(FILE, line, column),
                Some((expected.0, expected.1.to_owned())),
                "{line}:{column}"
            );
        }
        assert_eq!(key_at(FILE, 2, 3), None);
    }

    #[test]
    fn a_byte_order_mark_and_windows_line_breaks_stay() {
        let text = format!("\u{feff}{}", FILE.replace('\n', "\r\n"));
        let edited = edit(&text, "b", json!({"name": "n"}).as_object().unwrap(), OtherKeys::Kept).unwrap();
        assert!(edited.starts_with('\u{feff}') && edited.contains("\"name\": \"n\"\r\n    }"), "{edited:?}");
        assert_eq!(edited.matches('\n').count(), edited.matches("\r\n").count());
        assert_eq!(definition(&edited, "b").unwrap()["name"], "n");
    }
}
