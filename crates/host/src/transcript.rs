//! Facts that a host writes to its transcript and leaves out of the payload.
//!
//! The functions read lines of a transcript; other crates read the file.

use event::{Detail, Event, Outcome, ToolKind};
use serde_json::Value;

use crate::{Host, exit_code};

/// How many tokens Gemini's models accept. It compresses from half of it.
const GEMINI_CONTEXT: u64 = 1_048_576;

/// A fact that only the transcript of an event has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TranscriptFact {
    /// Whether the command of this call failed.
    Failure,
    /// Whether the host compacts the context or merely checks whether it must.
    Compaction,
}

impl TranscriptFact {
    /// Returns the fact that a payload leaves out. Returns `None` if the payload is complete.
    ///
    /// WHY by host: Codex reports the output of a command without its exit code. Gemini announces an
    /// automatic compression before every call of the model, before it checks whether it needs one.
    pub fn missing_in(host: Host, event: &Event) -> Option<Self> {
        match (host, &event.detail) {
            (Host::Codex, Detail::PostToolUse { call, outcome: Outcome::Done { .. } }) => {
                (call.kind == ToolKind::Shell && call.id.is_some()).then_some(Self::Failure)
            }
            (Host::Gemini, Detail::PreCompact { trigger, .. }) => {
                may_announce_no_compaction(host, trigger.as_deref()).then_some(Self::Compaction)
            }
            _ => None,
        }
    }
}

/// Returns the error of a failed command from the last lines of Codex's transcript. Returns `None` if the command
/// succeeded or is not in these lines.
pub fn failure_in(lines: &str, call_id: &str) -> Option<String> {
    let mentions = |line: &&str| line.contains("\"exit_code\":") && line.contains(call_id);
    lines.lines().rev().filter(mentions).find_map(|line| {
        let line: Value = serde_json::from_str(line).ok()?;
        let item = line.get("payload")?.get("item")?;
        let is_call = item.get("id")?.as_str()? == call_id;
        let code = item.get("exit_code")?.as_i64().filter(|code| is_call && *code != 0)?;
        let output = item.get("aggregated_output").and_then(Value::as_str);
        Some(exit_code::error(code, output.unwrap_or_default()))
    })
}

/// Returns whether a host announces a compaction before it knows whether it needs one, so that it is unknown whether one
/// followed.
pub fn may_announce_no_compaction(host: Host, trigger: Option<&str>) -> bool {
    host == Host::Gemini && trigger != Some("manual")
}

/// Returns whether the last prompt in the last lines of Gemini's transcript was long enough to be compressed by default.
/// A shorter one is not, so this tells the announcements that mean nothing from those that may mean a compression.
pub fn may_be_compressed_in(lines: &str) -> bool {
    const INPUT: &str = "\"tokens\":{\"input\":";
    let count = lines.rfind(INPUT).map(|at| &lines[at + INPUT.len()..]).and_then(|rest| {
        let end = rest.find(|char: char| !char.is_ascii_digit())?;
        rest[..end].parse::<u64>().ok()
    });
    count.is_some_and(|count| count.saturating_mul(2) >= GEMINI_CONTEXT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_transcript_of_codex_has_the_exit_code_of_each_command() {
        let item = |id: &str, code: i64| {
            format!(
                r#"{{"type":"event_msg","payload":{{"type":"item_completed","item":{{"type":"CommandExecution","id":"{id}","aggregated_output":"oops\n","exit_code":{code}}}}}}}"#
            )
        };
        let lines = format!("{}\n{}\nnot json call_2\n", item("call_1", 0), item("call_2", 3));
        assert_eq!(failure_in(&lines, "call_1"), None);
        assert_eq!(failure_in(&lines, "call_2"), Some("Exit code 3\noops".into()));
        assert_eq!(failure_in(&lines, "call_3"), None);
    }

    #[test]
    fn gemini_may_compress_from_half_of_its_context() {
        let line =
            |count: u64| format!("{{\"type\":\"gemini\",\"tokens\":{{\"input\":{count},\"output\":20}}}}\n");
        for (lines, expected) in [
            (line(100), false),
            (line(524_287), false),
            (line(524_288), true),
            (line(900_000) + &line(900), false),
            (line(900) + &line(900_000), true),
            (String::new(), false),
        ] {
            assert_eq!(may_be_compressed_in(&lines), expected, "{lines}");
        }
    }
}
