//! The payloads that Claude Code sends on stdin, adapted to a temporary workspace.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

/// A payload that the program really sent before it ran a shell command.
const RECORDED: &str = include_str!("../../../bench/pre-tool-use.json");

/// The events a session goes through before it is measured.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Moment<'a> {
    /// The session begins.
    SessionStart,
    /// A person asks for something.
    UserPromptSubmit,
    /// The agent wants to use a tool.
    PreToolUse {
        /// Which, and for what.
        tool: Tool,
        /// The id of the call. A repeated id is answered without being recorded
        /// again, so every run needs its own.
        call: &'a str,
    },
    /// The agent wants to run a command that the sample module denies.
    Forbidden,
}

/// The tool call of the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    /// The command of the recording, which writes a file.
    Recorded,
    /// A command that is run again and again and writes nothing by itself.
    Tests,
    /// A command that only looks, with a pipe and a second command.
    Look,
    /// A file is read: no command at all.
    Read,
}

/// The command in `Moment::Forbidden`.
pub(crate) const FORBIDDEN_COMMAND: &str = "forbidden-by-the-sample-module";

impl Moment<'_> {
    /// Returns the name of the event.
    pub(crate) fn event(self) -> &'static str {
        match self {
            Self::SessionStart => "SessionStart",
            Self::UserPromptSubmit => "UserPromptSubmit",
            Self::PreToolUse { .. } | Self::Forbidden => "PreToolUse",
        }
    }

    /// Returns the payload for a project in `folder`.
    pub(crate) fn payload(self, folder: &Path) -> Result<Vec<u8>> {
        let mut payload: Value =
            serde_json::from_str(RECORDED).context("cannot read the recorded payload")?;
        payload["cwd"] = folder.to_string_lossy().into_owned().into();
        payload["hook_event_name"] = self.event().into();
        match self {
            Self::PreToolUse { tool, call } => {
                payload["tool_use_id"] = call.into();
                match tool {
                    Tool::Recorded => {}
                    Tool::Tests => payload["tool_input"]["command"] = "cargo test 2>&1 | tail -20".into(),
                    Tool::Look => {
                        // Recorded in a mode that asks about nothing, where nothing is approved.
                        payload["permission_mode"] = "default".into();
                        payload["tool_input"]["command"] =
                            "git status --short && git diff --stat | head -20".into();
                    }
                    Tool::Read => {
                        payload["tool_name"] = "Read".into();
                        let file = folder.join("src/lib.rs").to_string_lossy().into_owned();
                        payload["tool_input"] = json!({"file_path": file});
                    }
                }
            }
            Self::Forbidden => {
                payload["tool_use_id"] = "toolu_forbidden".into();
                payload["tool_input"]["command"] = FORBIDDEN_COMMAND.into();
            }
            Self::SessionStart | Self::UserPromptSubmit => {
                let fields = payload.as_object_mut().context("the recorded payload is not an object")?;
                fields.retain(|name, _| !name.starts_with("tool_"));
                let (name, value) = match self {
                    Self::SessionStart => ("source", "startup"),
                    _ => ("prompt", "Write a file and list it."),
                };
                fields.insert(name.to_owned(), value.into());
            }
        }
        serde_json::to_vec(&payload).context("cannot write the payload")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payload(moment: Moment<'_>) -> Value {
        serde_json::from_slice(&moment.payload(Path::new("/p")).unwrap()).unwrap()
    }

    #[test]
    fn a_tool_call_has_its_own_id_and_place() {
        let value = payload(Moment::PreToolUse { tool: Tool::Recorded, call: "toolu_7" });
        assert_eq!(value["hook_event_name"], "PreToolUse");
        assert_eq!(value["tool_name"], "Bash");
        assert_eq!(value["tool_use_id"], "toolu_7");
        assert_eq!(value["cwd"], "/p");
    }

    #[test]
    fn reading_a_file_is_no_command() {
        let value = payload(Moment::PreToolUse { tool: Tool::Read, call: "toolu_7" });
        assert_eq!(value["tool_name"], "Read");
        assert_eq!(value["tool_input"], json!({"file_path": "/p/src/lib.rs"}));
    }

    #[test]
    fn a_prompt_has_no_tool() {
        let value = payload(Moment::UserPromptSubmit);
        assert_eq!(value["prompt"], "Write a file and list it.");
        assert!(value.get("tool_name").is_none() && value.get("tool_input").is_none());
    }
}
