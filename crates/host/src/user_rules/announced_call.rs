//! The announcements of commands in Codex's transcript: the only place of their working folder and of their rights.

use serde_json::{Map, Value};

/// The announcement of a command that is about to run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Announced {
    /// The folder in which it runs; `None` for the session's own.
    pub folder: Option<String>,
    /// Whether it asks for more rights, or may: then nothing vouches for it.
    pub is_escalated: bool,
}

/// Fields of an announcement that change nothing about a command's rights.
const PLAIN: [&str; 8] =
    ["cmd", "command", "workdir", "yield_time_ms", "max_output_tokens", "timeout_ms", "timeout", "login"];

/// Shells that read a line as steersman does.
const SHELLS: [&str; 3] = ["sh", "bash", "zsh"];

/// Returns what the last lines of a transcript tell about a command. Returns `None` if no announcement of it waits for its
/// result.
///
/// INVARIANT: of several announcements with the same text each may be the one, so all of them count; and code that calls
/// tools may call this one with any rights.
pub fn announced(lines: &str, command: &str) -> Option<Announced> {
    let mut finished: Vec<String> = Vec::new();
    let mut found: Option<Announced> = None;
    let mut runs_code = false;
    let is_call = |line: &&str| line.contains("_call");
    for line in lines.lines().rev().filter(is_call) {
        let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
        let Some(payload) = line.get("payload") else { continue };
        let text = |name: &str| payload.get(name).and_then(Value::as_str).unwrap_or_default();
        let kind = text("type");
        let id = text("call_id");
        if kind.ends_with("_call_output") {
            finished.push(id.to_owned());
            continue;
        }
        if !id.is_empty() && finished.iter().any(|done| done == id) {
            continue;
        }
        match kind {
            "custom_tool_call" => runs_code |= !text("name").contains("apply_patch"),
            "function_call" | "local_shell_call" => {
                let Some(one) = of_call(payload, command) else { continue };
                found = Some(match found {
                    None => one,
                    Some(other) => Announced {
                        is_escalated: other.is_escalated || one.is_escalated || other.folder != one.folder,
                        ..other
                    },
                });
            }
            _ => {}
        }
    }
    if runs_code {
        let folder = found.and_then(|found| found.folder);
        return Some(Announced { folder, is_escalated: true });
    }
    found
}

/// Returns whether the input of a call says why it needs more rights.
pub fn gives_reasons(input: &Value) -> bool {
    let reasons = ["description", "justification"];
    reasons.iter().any(|name| input.get(name).is_some_and(|value| !is_nothing(value)))
}

fn of_call(payload: &Value, command: &str) -> Option<Announced> {
    let given = payload.get("arguments").or_else(|| payload.get("action"))?;
    let parsed: Value = match given {
        Value::String(text) => serde_json::from_str(text).ok()?,
        value => value.clone(),
    };
    let arguments = parsed.as_object()?;
    let own = arguments.get("cmd").or_else(|| arguments.get("command"))?;
    let is_own = match own {
        Value::String(text) => text == command,
        Value::Array(words) => words.last().and_then(Value::as_str) == Some(command),
        _ => false,
    };
    let folder = arguments.get("workdir").and_then(Value::as_str).filter(|folder| !folder.is_empty());
    is_own.then(|| Announced { folder: folder.map(str::to_owned), is_escalated: asks_for_more(arguments) })
}

fn asks_for_more(arguments: &Map<String, Value>) -> bool {
    arguments.iter().any(|(name, value)| match name.as_str() {
        "sandbox_permissions" => !is_nothing(value) && value.as_str() != Some("use_default"),
        "shell" => {
            let shell = value.as_str().unwrap_or("?");
            let (folder, name) = shell.rsplit_once('/').unwrap_or(("", shell));
            !SHELLS.contains(&name)
                || !matches!(folder, "" | "/bin" | "/usr/bin" | "/usr/local/bin" | "/opt/homebrew/bin")
        }
        name if PLAIN.contains(&name) => false,
        _ => !is_nothing(value),
    })
}

fn is_nothing(value: &Value) -> bool {
    matches!(value, Value::Null | Value::Bool(false)) || value.as_str() == Some("")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(id: &str, arguments: &Value) -> String {
        let payload = json!({"type": "function_call", "name": "exec_command",
            "arguments": arguments.to_string(), "call_id": id});
        json!({"type": "response_item", "payload": payload}).to_string()
    }

    fn other(kind: &str, id: &str) -> String {
        json!({"type": "response_item", "payload": {"type": kind, "name": "exec", "call_id": id, "input": "x"}}).to_string()
    }

    #[test]
    fn every_waiting_announcement_of_a_command_counts() {
        let plain = || call("a", &json!({"cmd": "ls"}));
        let escalated = || call("b", &json!({"cmd": "ls", "sandbox_permissions": "require_escalated"}));
        for (lines, expected) in [
            (vec![plain()], Some(false)),
            (vec![plain(), call("c", &json!({"cmd": "pwd", "justification": "x"}))], Some(false)),
            (vec![escalated()], Some(true)),
            (vec![escalated(), plain()], Some(true)),
            (vec![plain(), escalated()], Some(true)),
            (vec![escalated(), other("function_call_output", "b"), plain()], Some(false)),
            (vec![plain(), other("function_call_output", "a")], None),
            (vec![plain(), other("custom_tool_call", "z")], Some(true)),
            (
                vec![plain(), other("custom_tool_call", "z"), other("custom_tool_call_output", "z")],
                Some(false),
            ),
            (vec![call("a", &json!({"cmd": "ls", "additional_permissions": {"network": true}}))], Some(true)),
            (vec![call("a", &json!({"cmd": "ls", "tty": true}))], Some(true)),
            (vec![call("a", &json!({"cmd": "ls", "shell": "/tmp/bash"}))], Some(true)),
            (vec![call("a", &json!({"cmd": "ls", "shell": "/bin/bash", "login": true}))], Some(false)),
            (vec![call("a", &json!({"cmd": "ls", "workdir": "a"})), plain()], Some(true)),
            (vec![call("a", &json!({"command": ["bash", "-lc", "ls"]}))], Some(false)),
            (vec![], None),
        ] {
            let found = announced(&lines.join("\n"), "ls").map(|found| found.is_escalated);
            assert_eq!(found, expected, "{lines:?}");
        }
        let moved = call("a", &json!({"cmd": "ls", "workdir": "/etc"}));
        assert_eq!(announced(&moved, "ls").unwrap().folder.as_deref(), Some("/etc"));
    }
}
