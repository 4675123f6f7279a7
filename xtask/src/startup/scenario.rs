//! The situations in which `steersman dispatch PreToolUse` is measured, as data.
//!
//! A new one is an entry here, and a target for it is an entry in `targets.rs`.

use std::fmt::Write;

use anyhow::{Result, bail};

use super::history;
use super::payload::{FORBIDDEN_COMMAND, Moment, Tool};
use super::workspace::Workspace;

/// One situation.
pub(crate) struct Scenario {
    /// The id in targets.
    pub(crate) id: &'static str,
    /// The name in the table.
    pub(crate) title: &'static str,
    /// The agent's tool call.
    pub(crate) tool: Tool,
    /// Writes the files of the situation, before the session starts: only a person may trust them, and this program
    /// counts as the agent's as soon as it calls a hook.
    pub(crate) write: fn(&Workspace) -> Result<()>,
    /// Completes the situation in the session that has just started, and checks it.
    pub(crate) begin: fn(&Workspace) -> Result<()>,
}

impl Scenario {
    const fn new(
        id: &'static str,
        title: &'static str,
        write: fn(&Workspace) -> Result<()>,
        begin: fn(&Workspace) -> Result<()>,
    ) -> Self {
        Self { id, title, tool: Tool::Recorded, write, begin }
    }
}

/// The step of a situation that needs none.
#[expect(clippy::unnecessary_wraps, reason = "it has the type of the other steps")]
fn nothing(_: &Workspace) -> Result<()> {
    Ok(())
}

/// Every situation; the first one is what the others are compared with.
pub(crate) const SCENARIOS: &[Scenario] = &[
    Scenario::new("default", "`steersman`, default modules", nothing, nothing),
    Scenario {
        id: "tests",
        title: "the same, for `cargo test 2>&1 \\| tail -20`",
        tool: Tool::Tests,
        write: nothing,
        begin: nothing,
    },
    Scenario {
        id: "read",
        title: "the same, for a file that is read",
        tool: Tool::Read,
        write: nothing,
        begin: nothing,
    },
    Scenario {
        id: "look",
        title: "the same, for `git status --short && git diff --stat \\| head -20`",
        tool: Tool::Look,
        write: nothing,
        begin: nothing,
    },
    Scenario {
        id: "approve",
        title: "`steersman` that approves it, with 24 rules of the user",
        tool: Tool::Look,
        write: write_approvals,
        begin: see_approved,
    },
    Scenario::new("script", "`steersman` with one `hook.mjs`", write_script, see_script_deny),
    Scenario::new(
        "intents",
        "`steersman` with 200 intents of 50 globs each",
        write_intents,
        see_intents_checked,
    ),
    Scenario::new(
        "modules",
        "`steersman` with the contract's eight modules, a plan, a policy and rules",
        write_all_modules,
        see_node_begun,
    ),
    Scenario::new("history", "`steersman` after 100,000 events, 1,000 sessions", nothing, history::grow),
];

/// A manifest that changes nothing.
pub(crate) const PLAIN_MANIFEST: &str = "{\"version\": 1, \"modules\": {\"session\": {\"enabled\": true}}}\n";

/// A project's own module of the smallest useful kind: it denies one command.
fn write_script(workspace: &Workspace) -> Result<()> {
    let module = include_str!("../../../bench/sample-module/hook.mjs");
    workspace.write(".ai/hooks/features/sample/hook.mjs", module)?;
    workspace.write(
        ".ai/hooks/dispatch.manifest.json",
        r#"{"version": 1, "modules": {"sample": {"enabled": true, "priority": 50, "path": "features/sample/hook.mjs", "hotPathSafe": true}}}
"#,
    )?;
    workspace.steersman(&["trust"])
}

/// The rules that Claude Code has in three settings files of a user who keeps some.
fn write_approvals(workspace: &Workspace) -> Result<()> {
    workspace.write(".ai/hooks/config.json", "{\"version\": 1, \"approve\": \"read-only\"}\n")?;
    let settings = r#"{"permissions": {
  "allow": ["Bash(npm test:*)", "Bash(cargo build:*)", "Read(./docs/**)", "WebFetch(domain:docs.rs)"],
  "ask": ["Bash(git push:*)", "Bash(npm publish:*)"],
  "deny": ["Read(./secrets/**)", "Bash(curl:*)"]
}}
"#;
    workspace.write(".claude/settings.json", settings)?;
    workspace.write(".claude/settings.local.json", settings)?;
    workspace.write("../home/.claude/settings.json", settings)
}

/// A call that is not approved reads no rule: sees the approval before it is measured.
fn see_approved(workspace: &Workspace) -> Result<()> {
    let answer = workspace.dispatch(Moment::PreToolUse { tool: Tool::Look, call: "toolu_seen" })?;
    if answer["hookSpecificOutput"]["permissionDecision"] != "allow" {
        bail!("the command was not approved; the answer was `{answer}`");
    }
    Ok(())
}

/// A module that is skipped costs nothing: sees it decide before it is measured.
fn see_script_deny(workspace: &Workspace) -> Result<()> {
    let answer = workspace.dispatch(Moment::Forbidden)?;
    if answer["hookSpecificOutput"]["permissionDecision"] != "deny" {
        bail!(
            "the sample module did not deny `{FORBIDDEN_COMMAND}`, so it did not run; the answer was `{answer}`"
        );
    }
    Ok(())
}

/// Two hundred intents, one of them selected; the file the command writes is in the last of its
/// fifty globs.
fn write_intents(workspace: &Workspace) -> Result<()> {
    let mut text = "intents:\n".to_owned();
    for intent in 1..=200 {
        write!(
            text,
            "  - id: INT-{intent:03}\n    name: Area {intent}\n    status: IN_PROGRESS\n    owned_scope:\n"
        )?;
        for glob in 1..50 {
            writeln!(text, "      - \"packages/area-{intent}/part-{glob}/**/*.ts\"")?;
        }
        text += "      - \"*_out.txt\"\n";
    }
    workspace.write(".orchestration/active_intents.yaml", &text)?;
    workspace.write(
        ".ai/tmp/intent.json",
        "{\"version\": 1, \"intentId\": \"INT-100\", \"since\": \"2026-01-01T00:00:00.000Z\"}\n",
    )
}

fn see_intents_checked(workspace: &Workspace) -> Result<()> {
    // The cached intent counts once its file has been unchanged for a moment.
    std::thread::sleep(std::time::Duration::from_millis(100));
    workspace.dispatch(Moment::PreToolUse { tool: Tool::Recorded, call: "toolu_seen" })?;
    // A call that was checked against an intent is pending until it ends: make sure that it was checked.
    let pending = workspace.session_folder()?.join("intent/pending-calls");
    if !pending.is_file() {
        bail!("no call is pending in `{}`, so no intent was asked", pending.display());
    }
    Ok(())
}

/// All eight modules of the contract running: a plan of twenty nodes, one of which the command
/// belongs to, a policy and rules that must be evaluated and do not match.
fn write_all_modules(workspace: &Workspace) -> Result<()> {
    let modules = ["plan-subagent-contract", "rlm-work", "memory-journal", "memory-activation", "stop-synth"];
    let entries: Vec<String> =
        modules.iter().map(|name| format!("\"{name}\": {{\"enabled\": true}}")).collect();
    let manifest = format!("{{\"version\": 1, \"modules\": {{{}}}}}\n", entries.join(", "));
    workspace.write(".ai/hooks/dispatch.manifest.json", &manifest)?;
    workspace.write(".ai/hooks/config.json", "{\"planGraph-exec\": {\"plan\": \"plan.json\"}}\n")?;
    let mut nodes = String::new();
    for node in 1..20 {
        writeln!(
            nodes,
            "{{\"id\": \"part-{node}\", \"description\": \"Part {node}\", \"scope\": \"packages/part-{node}/**\", \
             \"dependencies\": [\"files\"]}},"
        )?;
    }
    let plan = format!(
        "{{\"version\": 1, \"nodes\": [\n{nodes}{{\"id\": \"files\", \"description\": \"Files\", \"scope\": \"*_out.txt\"}}\n]}}\n"
    );
    workspace.write("plan.json", &plan)?;
    workspace.write(
        ".ai/hooks/rlm-policy.json",
        "{\"version\": 1, \"rules\": [{\"id\": \"wide\", \"tools\": [\"search\"], \"breadth\": \"workspace\", \"mode\": \"deny\"}]}\n",
    )?;
    workspace.write(
        ".ai/hooks/followup-rules.json",
        r#"{"version": 1, "rules": [{"id": "lock", "when": [{"field": "event.toolName", "op": "eq", "value": "Write"}], "action": {"type": "warn", "text": "x"}}]}
"#,
    )
}

fn see_node_begun(workspace: &Workspace) -> Result<()> {
    let answer = workspace.dispatch(Moment::PreToolUse { tool: Tool::Recorded, call: "toolu_seen" })?;
    // A plan that nothing belongs to, or a file with a mistake in it, would measure something else.
    if answer.get("systemMessage").is_some() {
        bail!("a module complains: `{answer}`");
    }
    let state = std::fs::read_to_string(workspace.session_folder()?.join("state.json"))?;
    if !state.contains("\"files\":\"active\"") {
        bail!("the call did not begin its node of the plan; the state is `{state}`");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_module_denies_the_forbidden_command() {
        assert!(include_str!("../../../bench/sample-module/hook.mjs").contains(FORBIDDEN_COMMAND));
    }

    #[test]
    fn ids_are_unique() {
        for scenario in SCENARIOS {
            assert_eq!(SCENARIOS.iter().filter(|it| it.id == scenario.id).count(), 1, "{}", scenario.id);
        }
    }
}
