//! `steersman doctor`: agent programs, modules, records.

use std::fs;

use expect_test::expect;
use serde_json::Value;

use crate::project::Project;

const READS_A_FILE: &str = r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Read",
    "tool_use_id":"1","tool_input":{"file_path":"README.md"},"cwd":"."}"#;

/// Returns the lines of a report that are warnings or errors.
fn problems(report: &str) -> String {
    let bad = |line: &&str| line.starts_with("  ✗") || line.starts_with("  !") || line.contains("hint:");
    report.lines().filter(bad).map(str::trim_start).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_project_that_is_set_up_is_fine() {
    let project = Project::new();
    project.write(".claude/settings.json", "{}");
    assert_eq!(project.run(&["init"]).exit, 0);
    project.dispatch(READS_A_FILE);
    let said = project.run(&["doctor"]);
    // Durations and times differ, and modules are added.
    let steady = |line: &str| {
        let changing = [" takes ", " PreToolUse ", " session, ", " plan-subagent-contract, "]
            .iter()
            .find_map(|word| line.split_once(word));
        changing.map_or_else(|| line.to_owned(), |(before, _)| format!("{before} …"))
    };
    // The installed runners and the mechanism of confinement depend on the machine.
    let all = said.all();
    let (before, rest) = all.split_once("Runners of automations\n").unwrap();
    let (_, rest) = rest.split_once("\n\nConfinement\n").unwrap();
    let (_, behind) = rest.split_once("\n\n").unwrap();
    let report: Vec<String> = format!("{before}{behind}").lines().map(steady).collect();
    expect![[r#"
        steersman 0.1.0 in /app

        Agent programs
          · VS Code Copilot: not in use here
          · Copilot CLI: not in use here
          ✓ Claude Code: registered in .claude/settings.json; last event …
          · Codex: not in use here
          · Gemini CLI: not in use here
          · Cursor: not in use here
          · Qwen Code: not in use here

        Program
          ✓ `steersman` is /bin/steersman, this program (0.1.0)

        Time
          ✓ one dispatch …

        Configuration
          ✓ .ai/hooks/dispatch.manifest.json
          ✓ .ai/hooks/config.json
          · using defaults, because these files do not exist: workspace.json, rlm-policy.json, followup-rules.json

        Modules
          ✓ built in: …
          · built in, off until `steersman module on NAME`: …
          · the project has no modules of its own

        Records
          ✓ .ai/tmp is writable (1 session)

        No problems found.
        exit 0"#]]
    .assert_eq(&report.join("\n"));
}

#[test]
fn a_project_that_is_not_set_up_is_told_how() {
    let project = Project::new();
    project.write("GEMINI.md", "");
    let said = project.run(&["doctor"]);
    assert_eq!(said.exit, 1);
    expect![[r#"
        ! Gemini CLI: in use (GEMINI.md), not registered
        hint: run `steersman init --host gemini`
        ✗ no agent program calls steersman here
        hint: run `steersman init`, or `steersman init --user` for all your folders"#]]
    .assert_eq(&problems(&said.stdout));
}

#[test]
fn a_second_registration_is_found() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--host", "claude-code"]).exit, 0);
    let other = project.read(".claude/settings.json").replace("\"steersman", "\"/opt/steersman");
    project.write(".claude/settings.local.json", &other);
    let said = project.run(&["doctor"]);
    assert_eq!(said.exit, 1);
    expect![[r#"
        ✗ Copilot CLI: called twice for one event (SessionStart in .claude/settings.json:6, .claude/settings.local.json:6)
        hint: remove steersman's entries from .claude/settings.local.json
        ! Claude Code: registered in .claude/settings.json and .claude/settings.local.json; no event seen yet
        hint: start Claude Code here, restart it if it was running, and give it a task
        ✗ Claude Code: called twice for one event (SessionStart in .claude/settings.json:6, .claude/settings.local.json:6)
        hint: remove steersman's entries from .claude/settings.local.json
        ✗ cannot start `/opt/steersman`: it does not exist
        hint: run `steersman init` to register this program instead, or install steersman at that path"#]].assert_eq(&problems(&said.stdout));
}

#[test]
fn a_registration_for_all_projects_besides_the_one_here_is_reported() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--host", "codex"]).exit, 0);
    project.write_beside("home/.codex/hooks.json", &project.read(".codex/hooks.json"));
    let said = project.run(&["doctor"]);
    assert_eq!(said.exit, 0);
    let twice =
        "· Codex: called twice for one event (SessionStart in .codex/hooks.json:6, ~/.codex/hooks.json:6)";
    assert!(said.stdout.contains(twice), "{}", said.stdout);
}

#[test]
fn broken_settings_of_an_agent_program_are_shown() {
    let project = Project::new();
    project.write(".claude/settings.json", "{\n  \"hooks\": {\n}\n");
    let said = project.run(&["doctor"]);
    let lines: Vec<&str> = said.stdout.lines().skip(2).take(8).collect();
    expect![[r#"
        Agent programs
          ✗ cannot parse `.claude/settings.json`: expected `}` for this `{`
            --> .claude/settings.json:1:1
             |
           1 | {
             | ^
            hint: the agent program may ignore all of it
          · VS Code Copilot: not in use here"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn a_duplicate_entry_is_found_and_init_removes_it() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--host", "cursor"]).exit, 0);
    let once = project.read(".cursor/hooks.json");
    let entry = r#"{ "command": "steersman dispatch Stop --host cursor" },"#;
    project.write(".cursor/hooks.json", &once.replace("\"stop\": [", &format!("\"stop\": [{entry}")));
    let said = project.run(&["doctor"]);
    expect![[r#"
        ! Cursor: registered in .cursor/hooks.json; no event seen yet
        hint: start Cursor here, restart it if it was running, and give it a task
        ✗ Cursor: called twice for one event (stop in .cursor/hooks.json:46, .cursor/hooks.json:47)
        hint: run `steersman init --host cursor` to remove the duplicate"#]]
    .assert_eq(&problems(&said.stdout));
    assert_eq!(project.run(&["init", "--host", "cursor"]).exit, 0);
    assert!(!project.run(&["doctor"]).stdout.contains("called twice"));
}

#[test]
fn a_file_that_two_programs_need_is_a_warning() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--host", "claude-code", "copilot-cli"]).exit, 0);
    let said = project.run(&["doctor"]);
    assert_eq!(said.exit, 0);
    expect![[r#"
        ! Copilot CLI: registered in .github/hooks/steersman.json; no event seen yet: it runs no project hooks, because you have not trusted this folder (~/.copilot/config.json)
        hint: start Copilot CLI here and trust the folder, or run `steersman init --user --host copilot-cli`
        ! Copilot CLI: called twice for one event (SessionStart in .github/hooks/steersman.json:4, .claude/settings.json:6)
        hint: the second call gets the same answer and no record; it only costs time
        ! Claude Code: registered in .claude/settings.json; no event seen yet
        hint: start Claude Code here, restart it if it was running, and give it a task"#]].assert_eq(&problems(&said.stdout));
}

#[test]
fn a_program_that_is_gone_is_found() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--host", "codex", "--program", "/gone/steersman"]).exit, 0);
    let said = project.run(&["doctor"]);
    assert_eq!(said.exit, 1);
    expect![[r#"
        ! Codex: registered in .codex/hooks.json; no event seen yet: it reads no settings of this project until it is trusted (~/.codex/config.toml)
        hint: run `codex` here, trust the project (`codex exec` with a sandbox that may write does that itself), then open `/hooks` and trust the entries of steersman
        ✗ cannot start `/gone/steersman`: it does not exist
        hint: run `steersman init` to register this program instead, or install steersman at that path"#]]
    .assert_eq(&problems(&said.stdout));
}

#[cfg(unix)]
#[test]
fn a_program_of_the_project_itself_is_not_started() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::new();
    project.write("bin/steersman", "#!/bin/sh\ntouch started\n");
    fs::set_permissions(project.path("bin/steersman"), fs::Permissions::from_mode(0o755)).unwrap();
    let program = project.path("bin/steersman");
    let args = ["init", "--host", "codex", "--program", program.to_str().unwrap()];
    assert_eq!(project.run(&args).exit, 0);
    let said = project.run(&["doctor"]);
    assert!(!project.path("started").exists());
    expect![[r#"
        ! Codex: registered in .codex/hooks.json; no event seen yet: it reads no settings of this project until it is trusted (~/.codex/config.toml)
        hint: run `codex` here, trust the project (`codex exec` with a sandbox that may write does that itself), then open `/hooks` and trust the entries of steersman
        ! `/app/bin/steersman`, a path in the project, so doctor did not start it to query its version
        hint: check the program, or run `steersman init` to register this one"#]]
    .assert_eq(&problems(&said.stdout));
}

#[test]
fn modules_that_cannot_run_are_found() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--module", "guard", "--host", "codex"]).exit, 0);
    let manifest =
        r#"{"modules": {"guard": {}, "sesion": {}, "mine": {"path": "x.mjs"}, "off": {"enabled": false}}}"#;
    project.write(".ai/hooks/dispatch.manifest.json", manifest);
    project.write(".ai/hooks/features/forgotten/hook.mjs", "");
    expect![[r#"
        ! Codex: registered in .codex/hooks.json; no event seen yet: it reads no settings of this project until it is trusted (~/.codex/config.toml)
        hint: run `codex` here, trust the project (`codex exec` with a sandbox that may write does that itself), then open `/hooks` and trust the entries of steersman
        ! steersman skips `guard`: this workspace is not trusted
        hint: review `.ai/hooks/`, then run `steersman trust`
        ✗ `mine`: .ai/hooks/x.mjs does not exist
        hint: make `path` relative to `.ai/hooks/`
        ✗ `sesion`: .ai/hooks/features/sesion/hook.mjs does not exist
        hint: did you mean the built-in module `session`?
        ! `forgotten` never runs: the manifest does not list it
        hint: add "forgotten": {} to `modules` in .ai/hooks/dispatch.manifest.json"#]]
    .assert_eq(&problems(&project.run(&["doctor"]).stdout));

    let broken = project.read(".ai/hooks/features/guard/hook.mjs").replace("name: ", "name ");
    project.write(".ai/hooks/features/guard/hook.mjs", &broken);
    project.write(".ai/hooks/dispatch.manifest.json", r#"{"modules": {"guard": {}}}"#);
    fs::remove_dir_all(project.path(".ai/hooks/features/forgotten")).unwrap();
    assert_eq!(project.run(&["trust"]).exit, 0);
    let said = project.run(&["doctor"]).stdout;
    let modules = said.split("\n\n").find(|section| section.starts_with("Modules")).unwrap();
    let own: Vec<&str> = modules.lines().filter(|line| !line.contains(" built in")).collect();
    expect![[r#"
        Modules
          ✗ cannot load `guard`: Unexpected string
             --> .ai/hooks/features/guard/hook.mjs:10:8
              |
           10 |   name 'guard',
              |        ^"#]]
    .assert_eq(&own.join("\n"));
}

#[test]
fn damaged_records_are_reported() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--host", "codex"]).exit, 0);
    project.write(".ai/tmp/00000001/state.json", "{");
    project.write(".ai/tmp/00000002/state.json", r#"{"version": 7}"#);
    project.write(".ai/tmp/00000003", "");
    project.write(".ai/tmp/dispatch.log", "2020-01-01T00:00:00.000Z Stop cannot do it\n");
    let said = project.run(&["doctor"]).stdout;
    let records = &said[said.find("Records").unwrap()..];
    expect![[r#"
        Records
          ✓ .ai/tmp is writable (3 sessions)
          ! session 00000001: cannot parse state.json: EOF while parsing an object at line 1 column 1
            hint: the next event rebuilds it from the journal
          ✗ session 00000002: state.json: format 7 is newer than this build's format 1; hint: update steersman
            hint: steersman judges its events, but cannot store its state
          ✗ cannot record session 00000003: its folder is a file
            hint: remove /app/.ai/tmp/00000003
          · recent failures at events (dispatch.log):
            WHEN Stop cannot do it

        2 errors (✗), 2 warnings (!).
    "#]]
    .assert_eq(records);
}

#[test]
fn a_broken_state_does_not_hide_the_last_event() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--host", "claude-code"]).exit, 0);
    project.dispatch(READS_A_FILE);
    let session = fs::read_dir(project.path(".ai/tmp")).unwrap().flatten().find(|it| it.path().is_dir());
    fs::write(session.unwrap().path().join("state.json"), "{").unwrap();
    let said = project.run(&["doctor"]).stdout;
    assert!(said.contains("last event PreToolUse") && said.contains("cannot parse state.json"), "{said}");
}

#[test]
fn a_file_where_the_records_belong_is_found() {
    let project = Project::new();
    project.write(".ai/tmp", "");
    let said = project.run(&["doctor"]);
    assert!(
        said.stdout.contains("cannot record events: `.ai/tmp` must be a folder, but is a file"),
        "{}",
        said.stdout
    );
    assert_eq!(said.exit, 1);
}

#[test]
fn programs_get_stable_keys() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--host", "codex"]).exit, 0);
    let said = project.run(&["doctor", "--json"]);
    let report: Value = serde_json::from_str(&said.stdout).unwrap();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    let codex = report["hosts"].as_array().unwrap().iter().find(|host| host["host"] == "codex").unwrap();
    let lines = [
        keys(&report),
        keys(codex),
        keys(&codex["entries"][0]),
        keys(&report["programs"][0]),
        keys(&report["timings"][0]),
        keys(&report["runners"][0]),
        keys(&report["findings"][0]),
    ];
    expect![[r#"
        version ok workspace steersman hosts programs mcp timings runners findings
        host title inUse traces registered times entries lastEvent obstacle
        file line event program command onlyWith
        program path thisOne version
        program runs medianMs comparedTo comparedMedianMs
        runner path version neededBy
        section level message file line column hint"#]]
    .assert_eq(&lines.join("\n"));
    assert_eq!((&report["ok"], &codex["times"]), (&Value::from(true), &Value::from(1)));
}

#[test]
fn unknown_words_of_a_registration_are_reported_with_the_valid_ones() {
    let project = Project::new();
    project.run(&["init", "--host", "codex"]);
    let text = project.read(".codex/hooks.json");
    let text = text.replace("dispatch PreToolUse --host codex", "dispatch PreTolUse --host copilot");
    project.write(".codex/hooks.json", &text);
    let said = project.run(&["doctor"]).stdout;
    assert!(said.contains("unknown event `PreTolUse`\n    hint: did you mean `PreToolUse`?"), "{said}");
    assert!(said.contains("unknown agent program `copilot`"), "{said}");
}

#[test]
fn modules_that_the_manifest_disables_are_not_listed_as_running() {
    let project = Project::new();
    project.write(".ai/hooks/dispatch.manifest.json", r#"{"modules": {"shell-guard": {"enabled": false}}}"#);
    let said = project.run(&["doctor"]).stdout;
    let running = said.lines().find(|line| line.contains("✓ built in:")).unwrap_or_default();
    assert!(running.contains("session") && !running.contains("shell-guard"), "{said}");
    assert!(said.contains("the manifest disables the built-in module `shell-guard`"), "{said}");
}

#[test]
fn runs_that_took_too_long_are_counted() {
    let project = Project::new();
    let line = |run: u64, more: &str| {
        format!(
            r#"{{"v":1,"ts":{ts},"type":"BUDGET_EXCEEDED","hookRunId":"PreToolUse-1-{ts}","sessionId":"00000001","workId":"w001","agentId":"u00","turnId":1,"data":{{"event":"PreToolUse","budgetMs":300{more}}}}}"#,
            ts = 1_700_000_000_000 + run
        )
    };
    let journal = format!("{}\n{}\n", line(1, r#","by":"watchdog""#), line(2, r#","module":"slow""#));
    project.write(".ai/tmp/00000001/events.jsonl", &journal);
    let said = project.run(&["doctor"]).stdout;
    assert!(said.contains("a run exceeded its budget 2 times, last"), "{said}");
    assert!(said.contains("at PreToolUse in module `slow`"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_state_folder_that_leads_out_of_the_workspace_is_reported() {
    let project = Project::new();
    project.write_beside("elsewhere/x", "");
    fs::create_dir_all(project.path(".ai")).unwrap();
    std::os::unix::fs::symlink(project.path("../elsewhere"), project.path(".ai/tmp")).unwrap();
    let said = project.run(&["doctor"]);
    assert!(said.stdout.contains("`.ai/tmp` is a link out of the workspace"), "{}", said.stdout);
    assert_eq!(said.exit, 1);
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_file_delays_nothing_and_is_reported() {
    let project = Project::new();
    fs::create_dir_all(project.path(".ai/hooks")).unwrap();
    fs::create_dir_all(project.path(".ai/tmp/00000001")).unwrap();
    let files = [
        ".ai/hooks/config.json",
        ".ai/hooks/workspace.json",
        ".ai/hooks/dispatch.manifest.json",
        ".ai/tmp/00000001/state.json",
        ".ai/tmp/00000001/events.jsonl",
    ];
    for file in files {
        let made = std::process::Command::new("mkfifo").arg(project.path(file)).status().unwrap();
        assert!(made.success());
    }
    let said = project.run(&["doctor"]).stdout;
    for file in files {
        let line = said.lines().find(|line| line.contains(file)).unwrap_or_default();
        assert!(line.contains("it is a pipe, a socket or a device"), "{file}: {said}");
    }
}
