//! `session explain`

use expect_test::expect;
use serde_json::json;

use super::scene::{CLAUDE, CODEX, COPILOT, Scene};

#[test]
fn a_refusal_is_explained_by_who_said_what() {
    let scene = Scene::with_careful_module();
    scene.send("claude-code", "UserPromptSubmit", &json!({"prompt": "go"}));
    scene.shell("claude-code", "1", "rm -rf build");
    let run = scene.run_of(CLAUDE, "rm -rf build");
    let said = scene.session(&["explain", &run]);
    assert_eq!((said.code, said.stderr.as_str()), (0, ""));
    expect![[r#"
        PreToolUse-1-<ms>
          session   2353fb64, work w001, turn 1, main agent
          when      <day> <time> UTC
          host      Claude Code, PreToolUse
          folder    <root>
          tool      Bash  1
          input     command  rm -rf build
          modules   session      no opinion  <bar> <took>
                    intent       no opinion  <bar> <took>
                    agent-tools  no opinion  <bar> <took>
                    shell-guard  no opinion  <bar> <took>
                    bounds       no opinion  <bar> <took>
                    plan         no opinion  <bar> <took>
                    careful      deny        <bar> <took>
                    the whole run <took>
          decision  deny, by careful
                    No tree is removed here.
          state     features.loop-breaker = {"u00":"934a5b305310d76b"}
          recorded  TOOL_DECISION by session  {"tool":"Bash","kind":"shell","toolUseId":"1","command":"rm -…
    "#]]
    .assert_eq(&said.stdout);
}

#[test]
fn an_ask_that_could_not_be_asked_says_so() {
    let scene = Scene::with_careful_module();
    scene.shell("codex", "1", "git push");
    let said = scene.session(&["explain", &scene.run_of(CODEX, "git push")]);
    expect![[r#"
        PreToolUse-0-<ms>
          session   35cf2f14, work w001, turn 0, main agent
          when      <day> <time> UTC
          host      Codex, PreToolUse
          folder    <root>
          tool      Bash  1
          input     command  git push
          modules   session      no opinion  <bar> <took>
                    intent       no opinion  <bar> <took>
                    agent-tools  no opinion  <bar> <took>
                    shell-guard  no opinion  <bar> <took>
                    bounds       no opinion  <bar> <took>
                    plan         no opinion  <bar> <took>
                    careful      ask         <bar> <took>
                    the whole run <took>
          decision  deny, by careful
                    A push leaves this machine.
                    Codex cannot ask a person here, so the call is refused. A person can permit exactly this
                    call, once, within ten minutes: steersman session allow PreToolUse-0-<ms>
                    The module asked, but Codex cannot ask here: runs the tool instead.
          state     core.sessionId = "35cf2f14"
                    core.hostSessionId = "one"
                    core.host = "codex"
                    core.startedTs = <ms>
                    features.loop-breaker = {"u00":"f407a07e88f47196"}
          recorded  TOOL_DECISION by session  {"tool":"Bash","kind":"shell","toolUseId":"1","command":"git…
    "#]]
    .assert_eq(&said.stdout);
}

#[test]
fn what_a_host_has_no_field_for_is_named_with_its_meaning() {
    let scene = Scene::new();
    scene.write(".ai/hooks/dispatch.manifest.json", r#"{"modules": {"own": {"enabled": true}}}"#);
    scene.shell("copilot-cli", "1", "ls");
    let run = scene.run_of(COPILOT, "ls");
    let said = scene.session(&["explain", &run]);
    expect![[r#"
        PreToolUse-0-<ms>
          session   6eb23c86, work w001, turn 0, main agent
          when      <day> <time> UTC
          host      Copilot CLI, PreToolUse
          folder    <root>
          tool      Bash  1
          input     command  ls
          modules   session      no opinion  <bar> <took>
                    intent       no opinion  <bar> <took>
                    agent-tools  no opinion  <bar> <took>
                    shell-guard  no opinion  <bar> <took>
                    bounds       no opinion  <bar> <took>
                    plan         no opinion  <bar> <took>
                    the whole run <took>
          decision  none: no module objected, and the host follows its own rules
          warnings  module `own` is skipped: this workspace is not trusted; hint: review `.ai/hooks/`, then
                    run `steersman trust`
          dropped   message: Copilot CLI cannot carry it out here (would need a second line of output); the
                    user did not see it
          state     core.sessionId = "6eb23c86"
                    core.hostSessionId = "one"
                    core.host = "copilot-cli"
                    core.startedTs = <ms>
          recorded  TOOL_DECISION by session  {"tool":"Bash","kind":"shell","toolUseId":"1","command":"ls",…
    "#]]
    .assert_eq(&said.stdout);
    let explained = scene.json(&["explain", &run]);
    assert_eq!(
        explained["runs"][0]["dropped"],
        json!([{"verb": "message", "why": "would need a second line of output", "means": "the user did not see it"}])
    );
}

#[test]
fn a_run_that_the_watchdog_ended_says_so() {
    let scene = Scene::new();
    let line = json!({
        "v": 1, "ts": 1_740_700_000_423_u64, "type": "BUDGET_EXCEEDED", "hookRunId": "PreToolUse-2-1740700000123",
        "sessionId": "a3f0c812", "workId": "w001", "agentId": "u00", "turnId": 2,
        "data": {"event": "PreToolUse", "budgetMs": 300, "by": "watchdog"},
    });
    scene.write(".ai/tmp/a3f0c812/events.jsonl", &format!("{line}\n"));
    let said = scene.session(&["explain", "PreToolUse-2-1740700000123"]);
    expect![[r#"
        PreToolUse-2-<ms>
          session   a3f0c812, work w001, turn 2, main agent
          when      <day> <time> UTC
          decision  none: the watchdog answered. No module finished within the 300 ms budget, so steersman
                    made no decision and the host followed its own rules. The answers of the modules are
                    lost.
          recorded  BUDGET_EXCEEDED  {"event":"PreToolUse","budgetMs":300,"by":"watchdog"}
    "#]]
    .assert_eq(&said.stdout);
    let explained = scene.json(&["explain", "PreToolUse-2-1740700000123"]);
    assert_eq!(explained["runs"][0]["answeredByWatchdog"], true);
}

#[test]
fn a_denial_by_the_watchdog_is_explained_with_its_reason() {
    let scene = Scene::new();
    let line = json!({
        "v": 1, "ts": 1_740_700_000_423_u64, "type": "BUDGET_EXCEEDED", "hookRunId": "PreToolUse-2-1740700000123",
        "sessionId": "a3f0c812", "workId": "w001", "agentId": "u00", "turnId": 2,
        "data": {"event": "PreToolUse", "budgetMs": 300, "by": "watchdog",
                 "decision": "deny", "reason": "Not here.", "module": "shell-guard"},
    });
    scene.write(".ai/tmp/a3f0c812/events.jsonl", &format!("{line}\n"));
    let said = scene.session(&["explain", "PreToolUse-2-1740700000123"]);
    assert!(said.stdout.contains("deny by shell-guard, printed by the watchdog"), "{}", said.stdout);
    assert!(said.stdout.contains("Not here."), "{}", said.stdout);
}

#[test]
fn two_runs_of_one_id_are_both_explained() {
    let scene = Scene::new();
    let line = |tool: &str| {
        json!({
            "v": 1, "ts": 1_740_700_000_123_u64, "type": "HOOK_RUN", "hookRunId": "PreToolUse-1-1740700000123",
            "sessionId": "a3f0c812", "workId": "w001", "agentId": "u00", "turnId": 1,
            "data": {"host": "claude-code", "event": "PreToolUse", "decision": "abstain", "tool": tool, "us": 9},
        })
    };
    scene.write(".ai/tmp/a3f0c812/events.jsonl", &format!("{}\n{}\n", line("Read"), line("Grep")));
    let explained = scene.json(&["explain", "PreToolUse-1-1740700000123"]);
    let tools: Vec<_> =
        explained["runs"].as_array().unwrap().iter().map(|run| &run["record"]["tool"]).collect();
    assert_eq!(tools, ["Read", "Grep"]);
}

#[test]
fn an_unknown_run_exits_with_1_and_an_invalid_id_with_2() {
    let scene = Scene::new();
    assert_eq!(scene.session(&["explain", "PreToolUse-1-1740700000123"]).code, 1);
    assert_eq!(scene.session(&["explain", "../../etc/passwd"]).code, 2);
}
