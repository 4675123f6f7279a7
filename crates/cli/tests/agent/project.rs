//! Workspaces with agents in them.

use serde_json::{Value, json};
use testkit::{Answer, Sandbox};

/// An agent that reads, searches and runs a few commands.
pub(crate) const PLANNER: &str = "\
name: planner
whenToUse: Before anything is changed.
systemPrompt: Plan the work.
tools:
  allowed: [Read, Glob, Grep, Bash]
  blocked: [Write, Edit]
  bashFilter:
    allowedCommands: [ls, cat, git]
    blockedPatterns: ['git push', '> ']
transitions:
  onSuccess: complete
";

/// Returns an empty workspace with budgets that no run exceeds by accident.
pub(crate) fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new(env!("CARGO_BIN_EXE_steersman"));
    sandbox.manifest(&json!({"budgets": {"PreToolUse": 20_000}}));
    sandbox
}

/// Returns a workspace that the planner governs.
pub(crate) fn planned() -> Sandbox {
    let sandbox = sandbox();
    sandbox.write(".rawko/agents/planner.yaml", PLANNER);
    sandbox.config(&json!({"agents": {"active": "planner"}}));
    sandbox
}

/// Returns the stderr of a process.
pub(crate) fn stderr(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.stderr).into_owned()
}

/// Returns the stdout of a process.
pub(crate) fn stdout(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.stdout).into_owned()
}

/// Returns why a call is denied, from any host's answer; `None` if it is not denied.
pub(crate) fn denial(answer: &Value) -> Option<String> {
    let nested = &answer["hookSpecificOutput"];
    let shapes = [
        (&nested["permissionDecision"], &nested["permissionDecisionReason"]),
        (&answer["permissionDecision"], &answer["permissionDecisionReason"]),
        (&answer["permission"], &answer["agent_message"]),
        (&answer["decision"], &answer["reason"]),
    ];
    let (_, reason) = shapes.into_iter().find(|(decision, _)| *decision == "deny")?;
    Some(reason.as_str().unwrap_or_else(|| panic!("a denial without a reason: {answer}")).to_owned())
}
