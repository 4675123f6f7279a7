//! Exit codes that a host reports only as a part of a command's output.
//!
//! WHY: for Gemini, Copilot and Codex a tool call is a success as soon as the command ran. Claude Code (with one
//! exception) and Qwen report a failed command as a failed call, and so does this file for the others.
//!
//! INVARIANT: only the text that the host itself adds counts. A command may print the same words.

use event::{ToolCall, ToolKind};
use serde_json::Value;

use crate::Host;
use crate::fields::Fields;

/// Returns the error of a command that ended with another exit code than zero or by a signal. Returns
/// `None` for a success, for a tool that runs no command, and if the response has no exit code.
pub(crate) fn failure(host: Host, call: &ToolCall, response: &Value) -> Option<String> {
    let runs_command = call.kind == ToolKind::Shell || is_of_running_shell(&call.name);
    if host == Host::Codex && !runs_command {
        return in_codex_report(response.as_str()?);
    }
    if !runs_command {
        return None;
    }
    let fields = Fields::of(response);
    match host {
        Host::CopilotCli | Host::VsCode => {
            let result = fields?;
            let text = result.word(&["text_result_for_llm", "textResultForLlm"]);
            text.and_then(in_copilot_text).or_else(|| in_fields(result))
        }
        Host::Gemini | Host::Qwen => in_gemini_text(fields?),
        Host::Cursor => match response {
            Value::String(text) => in_fields(Fields::of(&serde_json::from_str(text).ok()?)?),
            _ => in_fields(fields?),
        },
        Host::ClaudeCode if call.name == "Bash" => in_claude_note(fields?),
        Host::ClaudeCode | Host::Codex | Host::Raw => in_fields(fields?),
    }
}

/// Words the error as Claude Code does.
pub(crate) fn error(code: i64, output: &str) -> String {
    let output = output.trim();
    if output.is_empty() { format!("Exit code {code}") } else { format!("Exit code {code}\n{output}") }
}

/// Returns whether a tool reads from or writes to a shell that a call before it started.
fn is_of_running_shell(tool: &str) -> bool {
    matches!(
        tool,
        "read_bash" | "stop_bash" | "write_bash" | "read_powershell" | "stop_powershell" | "write_powershell"
    )
}

fn in_fields(fields: Fields<'_>) -> Option<String> {
    let code = fields.value(&["exit_code", "exitCode"]).and_then(Value::as_i64).filter(|code| *code != 0)?;
    let output = fields.text(&["output", "stderr", "stdout"]);
    Some(error(code, &output.unwrap_or_default()))
}

/// Claude Code reports the exit code 1 of `grep`, `rg`, `find`, `diff` and `test` as a success with a note on what it means,
/// such as "No matches found". It has no note on any other exit code.
fn in_claude_note(fields: Fields<'_>) -> Option<String> {
    fields.word(&["returnCodeInterpretation"]).map(|note| error(1, note))
}

/// Copilot's last line is `<shellId: 1 completed with exit code 3>`.
fn in_copilot_text(text: &str) -> Option<String> {
    let text = text.trim_end();
    let (output, last) = text.rsplit_once('\n').unwrap_or(("", text));
    let (_, code) = last.strip_prefix('<')?.strip_suffix('>')?.rsplit_once("exit code ")?;
    let code = code.trim().parse().ok().filter(|code| *code != 0)?;
    Some(error(code, output))
}

/// The lines that Gemini appends to the output of a command; Qwen writes the same ones.
const GEMINI_LINES: [&str; 5] =
    ["Error: ", "Exit Code: ", "Signal: ", "Background PIDs: ", "Process Group PGID: "];

/// The texts of Gemini about a command that it ended itself.
const GEMINI_CANCELLED: [&str; 2] = ["Command was cancelled", "Command was automatically cancelled"];

fn in_gemini_text(response: Fields<'_>) -> Option<String> {
    let text = response.text(&["llmContent"])?;
    let text = text.trim().strip_prefix("<untrusted_context>").unwrap_or(&text);
    let text = text.trim().strip_suffix("</untrusted_context>").unwrap_or(text).trim();
    if GEMINI_CANCELLED.iter().any(|begin| text.starts_with(begin)) {
        return Some(text.to_owned());
    }
    let (output, added) = split_gemini_text(text, response.word(&["returnDisplay"]));
    let value = |name: &str| added.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    let code = value("Exit Code: ").and_then(|code| code.parse().ok()).filter(|code| *code != 0);
    let signal = value("Signal: ").filter(|signal| !matches!(*signal, "(none)" | "0" | ""));
    let output = if output == "(empty)" { "" } else { output };
    code.map(|code| error(code, output))
        .or_else(|| signal.map(|signal| format!("Ended by signal {signal}\n{output}").trim().to_owned()))
}

/// Splits the text into the command's output and the lines that the host added. The display shows the output
/// alone; without it the added lines are the last ones that begin with a known name.
fn split_gemini_text<'a>(text: &'a str, display: Option<&str>) -> (&'a str, &'a str) {
    let after_label = text.split_once("Output: ").map_or(text, |(_, rest)| rest);
    if let Some(shown) = display.map(str::trim_end).filter(|shown| !shown.is_empty())
        && let Some(added) = after_label.strip_prefix(shown).filter(|added| added.starts_with(['\n', '\r']))
    {
        return (&after_label[..shown.len()], added);
    }
    let is_added = |line: &str| GEMINI_LINES.iter().any(|name| line.starts_with(name));
    let mut begin = after_label.len();
    while let Some(line_begin) = after_label[..begin].trim_end().rfind('\n').map(|at| at + 1) {
        if !is_added(&after_label[line_begin..begin]) {
            break;
        }
        begin = line_begin;
    }
    (after_label[..begin].trim_end(), &after_label[begin..])
}

/// Codex reports a patch as `Exit code: 1`, `Wall time: …`, `Output:` and the output.
fn in_codex_report(text: &str) -> Option<String> {
    let (code, rest) = text.strip_prefix("Exit code: ")?.split_once('\n')?;
    let output = rest.starts_with("Wall time: ").then(|| rest.split_once("Output:\n"))?;
    let code = code.trim().parse().ok().filter(|code| *code != 0)?;
    Some(error(code, output.map_or("", |(_, output)| output)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::tools::{self, Source};

    fn check(host: Host, tool: &str, response: &Value, expected: Option<&str>) {
        let input = tools::input(Some(&json!({"command": "x"})));
        let call = tools::call(host, Source { name: tool, id: None, mcp: None }, input);
        assert_eq!(failure(host, &call, response).as_deref(), expected, "{host} {response}");
    }

    fn copilot(text: &str, expected: Option<&str>) {
        for (kind, key) in [("result_type", "text_result_for_llm"), ("resultType", "textResultForLlm")] {
            check(Host::CopilotCli, "bash", &json!({kind: "success", key: text}), expected);
        }
    }

    fn gemini(content: &str, display: &str, expected: Option<&str>) {
        let wrapped = format!("<untrusted_context>\n{content}\n</untrusted_context>");
        for text in [content, wrapped.as_str()] {
            let response = json!({"llmContent": text, "returnDisplay": display});
            check(Host::Gemini, "run_shell_command", &response, expected);
            check(Host::Qwen, "run_shell_command", &response, expected);
        }
    }

    #[test]
    fn copilots_last_line_has_the_exit_code() {
        copilot("oops\n<shellId: 1 completed with exit code 3>", Some("Exit code 3\noops"));
        copilot("\n<shellId: 5 completed with exit code 127>\n", Some("Exit code 127"));
        copilot("<exited with exit code 1>", Some("Exit code 1"));
        copilot("a\n<shellId: 0 completed with exit code 0>", None);
        copilot("<shellId: 9 completed with exit code 7>\nok\n<shellId: 0 completed with exit code 0>", None);
        copilot("<command with shellId: 2 is still running after 10 seconds>", None);
        copilot("exit code 5", None);
    }

    #[test]
    fn only_the_lines_that_gemini_adds_have_the_exit_code() {
        let pgid = "Process Group PGID: 1";
        gemini(&format!("Output: oops\nExit Code: 3\n{pgid}"), "oops", Some("Exit code 3\noops"));
        gemini(
            &format!("Output: (empty)\nExit Code: 4\n{pgid}"),
            "Command exited with code: 4",
            Some("Exit code 4"),
        );
        gemini(&format!("Output: a\n{pgid}"), "a", None);
        gemini(&format!("Output: Exit Code: 7\n{pgid}"), "Exit Code: 7", None);
        gemini(&format!("Output: a\nExit Code: 7\n{pgid}"), "a\nExit Code: 7", None);
        gemini(
            &format!("Output: a\nExit Code: 7\nExit Code: 2\n{pgid}"),
            "a\nExit Code: 7",
            Some("Exit code 2\na\nExit Code: 7"),
        );
        gemini(&format!("Output: x\nSignal: 9\n{pgid}"), "x", Some("Ended by signal 9\nx"));
        let cancelled = "Command was cancelled by user before it could complete. There was no output before it was cancelled.";
        gemini(cancelled, "Command cancelled by user.", Some(cancelled));
    }

    #[test]
    fn qwen_lists_every_line_of_a_success_too() {
        let text = |code: &str, signal: &str| {
            format!(
                "Command: x\nDirectory: (root)\nOutput: a\nError: (none)\nExit Code: {code}\nSignal: {signal}\nProcess Group PGID: (none)"
            )
        };
        gemini(&text("0", "(none)"), "a", None);
        gemini(&text("2", "(none)"), "a", Some("Exit code 2\na"));
        gemini(&text("(none)", "15"), "", Some("Ended by signal 15\na"));
    }

    #[test]
    fn codex_reports_a_patch_with_its_exit_code_and_a_command_without_one() {
        let report = json!("Exit code: 1\nWall time: 0 seconds\nOutput:\nno such file\n");
        check(Host::Codex, "apply_patch", &report, Some("Exit code 1\nno such file"));
        check(Host::Codex, "Bash", &report, None);
        let done = json!("Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.\n");
        check(Host::Codex, "apply_patch", &done, None);
    }

    #[test]
    fn claude_code_has_a_note_for_an_exit_code_that_it_takes_for_a_success() {
        let response = |note: Value| json!({"stdout": "", "stderr": "", "interrupted": false, "returnCodeInterpretation": note});
        check(
            Host::ClaudeCode,
            "Bash",
            &response(json!("No matches found")),
            Some("Exit code 1\nNo matches found"),
        );
        check(Host::ClaudeCode, "Bash", &response(Value::Null), None);
        check(Host::ClaudeCode, "Read", &response(json!("No matches found")), None);
        // Notes of PowerShell's `robocopy` are about successes.
        check(Host::ClaudeCode, "PowerShell", &response(json!("Files copied successfully")), None);
    }

    #[test]
    fn a_field_with_the_exit_code_counts_on_hosts_that_have_one() {
        check(Host::Cursor, "Shell", &json!("{\"exitCode\":2,\"stderr\":\"no\"}"), Some("Exit code 2\nno"));
        check(Host::Cursor, "Shell", &json!("{\"exitCode\":0}"), None);
        check(Host::Cursor, "Shell", &json!("plain text"), None);
        check(Host::Raw, "Bash", &json!({"exit_code": 1, "output": "no"}), Some("Exit code 1\nno"));
        check(Host::Raw, "Read", &json!({"exit_code": 1}), None);
    }
}
