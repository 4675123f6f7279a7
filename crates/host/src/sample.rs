//! Payloads of a made-up session and the decision in their answers, for commands that run the
//! dispatcher themselves: the demo and the doctor.
//!
//! They live here because only this crate knows the field names of payloads and answers.

use serde_json::{Value, json};

/// A call of the contract's own host `raw`, as an example for a command line.
pub const RAW_CALL: &str = r#"{"tool_name":"Bash","tool_input":{"command":"rm -rf /"}}"#;

/// A session whose payloads have Claude Code's shape, which Codex reads too.
#[derive(Debug, Clone, Copy)]
pub struct SampleSession<'a> {
    /// The session id of the host.
    pub id: &'a str,
    /// The folder the host works in.
    pub cwd: &'a str,
}

impl SampleSession<'_> {
    /// Returns the payload of `SessionStart`.
    pub fn start(&self) -> Value {
        self.payload("SessionStart", json!({"source": "startup"}))
    }

    /// Returns the payload of `UserPromptSubmit`.
    pub fn prompt(&self, text: &str) -> Value {
        self.payload("UserPromptSubmit", json!({"prompt": text}))
    }

    /// Returns the payload of `PreToolUse`.
    pub fn call(&self, tool: &str, input: &Value) -> Value {
        self.payload("PreToolUse", json!({"tool_name": tool, "tool_input": input}))
    }

    /// Returns the payload of `PostToolUse` for a call that printed this.
    pub fn result(&self, tool: &str, input: &Value, stdout: &str) -> Value {
        let response = json!({"stdout": stdout});
        self.payload(
            "PostToolUse",
            json!({"tool_name": tool, "tool_input": input, "tool_response": response}),
        )
    }

    /// Returns the payload of `Stop`.
    pub fn stop(&self) -> Value {
        self.payload("Stop", json!({"stop_hook_active": false}))
    }

    fn payload(&self, event: &str, fields: Value) -> Value {
        let mut payload = json!({
            "session_id": self.id,
            "cwd": self.cwd,
            "hook_event_name": event,
            "permission_mode": "default",
            "turn_id": "1",
            "model": "sample",
        });
        if let (Value::Object(payload), Value::Object(fields)) = (&mut payload, fields) {
            payload.extend(fields);
        }
        payload
    }
}

/// The decision on a tool call in an answer of Claude Code's shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SampleAnswer<'a> {
    /// The answer has no decision.
    NoObjection,
    /// The call is denied.
    Deny {
        /// Why.
        reason: &'a str,
    },
    /// The host asks the user.
    Ask {
        /// Why.
        reason: &'a str,
    },
    /// The call runs with another input.
    Rewrite {
        /// The complete new input.
        input: &'a Value,
    },
}

impl<'a> SampleAnswer<'a> {
    /// Reads the decision of an answer.
    pub fn of(answer: &'a Value) -> Self {
        let own = &answer["hookSpecificOutput"];
        let reason = own["permissionDecisionReason"].as_str().unwrap_or_default();
        match own["permissionDecision"].as_str() {
            Some("deny") => Self::Deny { reason },
            Some("ask") => Self::Ask { reason },
            _ if own["updatedInput"].is_null() => Self::NoObjection,
            _ => Self::Rewrite { input: &own["updatedInput"] },
        }
    }
}

#[cfg(test)]
mod tests {
    use event::{Decision, Verdict};

    use super::*;
    use crate::{Host, parse, render};

    const SESSION: SampleSession<'_> = SampleSession { id: "one", cwd: "/w" };

    #[test]
    fn claude_code_and_codex_parse_every_sample() {
        let input = json!({"command": "ls"});
        let samples = [
            (SESSION.start(), "SessionStart"),
            (SESSION.prompt("hello"), "UserPromptSubmit"),
            (SESSION.call("Bash", &input), "PreToolUse"),
            (SESSION.result("Bash", &input, "a"), "PostToolUse"),
            (SESSION.stop(), "Stop"),
        ];
        for host in [Host::ClaudeCode, Host::Codex] {
            for (payload, event) in &samples {
                assert_eq!(parse(host, None, payload).unwrap().target.spelling(), *event, "{host:?}");
            }
        }
        let raw = serde_json::from_str(RAW_CALL).unwrap();
        assert!(parse(Host::Raw, Some("PreToolUse"), &raw).is_ok());
    }

    #[test]
    fn a_rendered_decision_is_read_back() {
        let call = SESSION.call("Bash", &json!({"command": "ls"}));
        let target = parse(Host::ClaudeCode, None, &call).unwrap().target;
        let answer =
            |verdict: &Verdict| serde_json::from_str::<Value>(&render(&target, verdict).stdout).unwrap();
        let decided = |decision| answer(&Verdict { decision, ..Verdict::default() });
        let input = json!({"command": "ls -l"});
        let rewrite = input.as_object().cloned();

        assert_eq!(SampleAnswer::of(&decided(Decision::Abstain)), SampleAnswer::NoObjection);
        assert_eq!(
            SampleAnswer::of(&decided(Decision::Deny { reason: "no".into() })),
            SampleAnswer::Deny { reason: "no" }
        );
        assert_eq!(
            SampleAnswer::of(&decided(Decision::Ask { reason: "sure?".into() })),
            SampleAnswer::Ask { reason: "sure?" }
        );
        assert_eq!(
            SampleAnswer::of(&answer(&Verdict { rewrite, ..Verdict::default() })),
            SampleAnswer::Rewrite { input: &input }
        );
    }
}
