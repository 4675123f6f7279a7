//! Reads which runner is wanted, from the files of automations and from `config.json`.

use std::collections::BTreeMap;

use config_file::{Object, nearest};
use serde_json::Value;

use super::table::{COMMAND_RUNNER, HTTP_RUNNER, PROGRAMS};
use crate::{CliRunner, RunnerChoice};

/// Why a value names no runner.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BadRunner {
    /// What is wrong, said of the value.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

const SHAPES: &str = "`\"claude\"`, `\"copilot\"`, `\"codex\"`, `\"gemini\"`, `{\"type\": \"command\", \"command\": [\"prog\", \"arg\"]}` or `{\"type\": \"http\", \"url\": \"https://…\"}`";

impl RunnerChoice {
    /// Reads a runner: the name of an agent program, or an object with its `type`.
    pub fn from_json(value: &Value) -> Result<Self, BadRunner> {
        match value {
            Value::String(word) => named(word),
            Value::Object(object) => match object.get("type").and_then(Value::as_str) {
                Some("command") => {
                    known_keys(object, Some(&COMMAND_RUNNER))?;
                    let argv = object.get("command").and_then(Value::as_array);
                    let argv: Option<Vec<String>> =
                        argv.and_then(|it| it.iter().map(|it| it.as_str().map(str::to_owned)).collect());
                    match argv {
                        Some(argv) if argv.first().is_some_and(|it| !it.trim().is_empty()) => {
                            Ok(Self::Command { argv })
                        }
                        _ => Err(bad(
                            "has no `command`",
                            "a list: the program and its arguments, each a string; no shell reads them",
                        )),
                    }
                }
                Some("http") => {
                    known_keys(object, Some(&HTTP_RUNNER))?;
                    http(object.get("url"), object.get("headers"))
                }
                Some(word) => {
                    known_keys(object, None)?;
                    named(word)
                }
                None => Err(bad("has no `type`", SHAPES)),
            },
            _ => Err(bad("is neither a name nor an object", SHAPES)),
        }
    }
}

fn named(word: &str) -> Result<RunnerChoice, BadRunner> {
    if let Some(runner) = CliRunner::from_word(word) {
        return Ok(RunnerChoice::Cli(runner));
    }
    let hint = nearest(word, PROGRAMS.iter())
        .map_or_else(|| format!("one of {SHAPES}"), |meant| format!("did you mean `{meant}`?"));
    Err(BadRunner { message: format!("is `{word}`, which is no runner"), hint })
}

fn http(url: Option<&Value>, headers: Option<&Value>) -> Result<RunnerChoice, BadRunner> {
    let url = url.and_then(Value::as_str).unwrap_or_default();
    let host = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"));
    if host.is_none_or(|host| host.is_empty() || host.starts_with('/')) {
        return Err(bad("has no `url`", "one that begins with `http://` or `https://`"));
    }
    let headers = match headers {
        None => Some(BTreeMap::new()),
        Some(Value::Object(object)) => {
            object.iter().map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect()
        }
        Some(_) => None,
    };
    let headers = headers.ok_or_else(|| bad("has `headers` that are none", "an object of strings"))?;
    Ok(RunnerChoice::Http { url: url.to_owned(), headers })
}

fn known_keys(
    object: &serde_json::Map<String, Value>,
    table: Option<&'static Object>,
) -> Result<(), BadRunner> {
    let known: Vec<&str> = std::iter::once("type").chain(table.into_iter().flat_map(Object::keys)).collect();
    match object.keys().find(|key| !known.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => Err(BadRunner {
            message: format!("has an unknown key `{key}`"),
            hint: nearest(key, known.iter().copied()).map_or_else(
                || format!("known here: {}", known.join(", ")),
                |it| format!("did you mean `{it}`?"),
            ),
        }),
    }
}

fn bad(message: &str, hint: &str) -> BadRunner {
    BadRunner { message: message.to_owned(), hint: hint.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_runner_is_a_name_or_an_object_with_its_type() {
        for (value, shown) in [
            (json!("claude"), "claude"),
            (json!({"type": "gemini"}), "gemini"),
            (json!({"type": "command", "command": ["sh", "x.sh"]}), "command `sh x.sh`"),
            (
                json!({"type": "http", "url": "http://localhost:1/x", "headers": {"a": "b"}}),
                "http http://localhost:1/x",
            ),
        ] {
            assert_eq!(RunnerChoice::from_json(&value).unwrap().to_string(), shown);
        }
    }

    #[test]
    fn what_is_no_runner_is_told_with_a_hint() {
        for (value, message, hint) in [
            (json!("cluade"), "is `cluade`, which is no runner", "did you mean `claude`?"),
            (json!("command"), "is `command`, which is no runner", "one of"),
            (json!(7), "is neither a name nor an object", "`\"claude\"`"),
            (json!({"command": ["x"]}), "has no `type`", "`\"claude\"`"),
            (json!({"type": "command", "command": "rm -rf"}), "has no `command`", "a list"),
            (json!({"type": "command", "command": []}), "has no `command`", "a list"),
            (
                json!({"type": "command", "comand": ["x"]}),
                "has an unknown key `comand`",
                "did you mean `command`?",
            ),
            (json!({"type": "http", "url": "file:///etc/passwd"}), "has no `url`", "one that begins"),
            (json!({"type": "http", "url": "http://"}), "has no `url`", "one that begins"),
        ] {
            let error = RunnerChoice::from_json(&value).unwrap_err();
            assert_eq!(error.message, message);
            assert!(error.hint.starts_with(hint), "{}", error.hint);
        }
    }
}
