//! `steersman init --intents`, and `doctor` and `uninstall` after it.

use expect_test::expect;
use serde_json::Value;

use crate::project::Project;

/// Settings files as users write them.
const BEFORE: [(&str, &str); 6] = [
    (".mcp.json", "{\n  \"mcpServers\": {\n    \"docs\": { \"url\": \"https://docs.example\" }\n  }\n}\n"),
    (".vscode/mcp.json", "{\r\n\t// the team's\r\n\t\"servers\": {},\r\n}\r\n"),
    (".codex/config.toml", "# mine\nmodel = \"x\"   # fast\n\n[mcp_servers.docs]\nurl = 'u'"),
    (".gemini/settings.json", "{\"theme\":\"dark\"}"),
    (".qwen/settings.json", "\u{feff}{\r\n\t\"a\": 1\r\n}\r\n"),
    (".cursor/mcp.json", ""),
];

#[test]
fn intents_begin_with_a_file_hooks_and_the_server() {
    let project = Project::new();
    project.write("CLAUDE.md", "");
    project.write("GEMINI.md", "");
    let said = project.run(&["init", "--intents"]);
    expect![[r#"
          note: .claude/settings.json: Copilot CLI reads this file too, and so do VS Code with `chat.useClaudeHooks` and Cursor with third-party hooks: steersman tells them apart by the payload and records a duplicate event once
          note: .gemini/settings.json: Gemini CLI warns once about new project hooks and runs them only in a folder you trust; `/hooks` lists them
          note: .mcp.json: Copilot CLI loads the servers of .mcp.json only in a folder you trust
          note: everyone who gets this repository shares .claude/settings.json, .gemini/settings.json, .mcp.json once it is committed
        ✓ wrote: .orchestration/active_intents.yaml
          note: as long as it exists, agents may write only files in the scope of their selected intent
        ✓ Claude Code: registered in .claude/settings.json (9 events)
        ✓ Gemini CLI: registered in .gemini/settings.json (6 events, MCP server)
        ✓ Claude Code and Copilot CLI: MCP server registered in .mcp.json
        ✓ Claude Code: MCP server approved in .claude/settings.local.json
        ✓ Claude Code: commands can run confined (CLAUDE_CODE_SHELL_PREFIX in .claude/settings.local.json)
        ✓ Gemini CLI: commands can run confined (BASH_ENV in ~/.gemini/.env)
        ✓ wrote: .ai/hooks/dispatch.manifest.json
        ✓ wrote: .ai/hooks/config.json
        hint: restart running sessions of Gemini CLI, which load hooks only when they start; Claude Code loads the new ones at once
          until the intents file lists an intent, agents can write nothing here and run no command that may write
        hint: declare the work: `steersman intent new "Login page" --scope 'src/**' --select`, or `--from-diff` for the folders that you have changed
        hint: to begin without refusals, set `"intent": { "mode": "observe" }` in .ai/hooks/config.json; `steersman intent preview` lists the calls that would have been refused
        Try it:
          steersman shell explain 'rm -rf ~'  how the guard judges a command
          steersman status                    the rules in force here, last sessions
          steersman log                       each call of the agent, decision, reason
        exit 0
    "#]].assert_eq(&said.all());
    let file = project.read(".orchestration/active_intents.yaml");
    assert!(
        file.starts_with("# What agents are asked to do here") && file.ends_with("intents: []\n"),
        "{file}"
    );
    let settings: Value = serde_json::from_str(&project.read(".mcp.json")).unwrap();
    assert_eq!(
        settings,
        serde_json::json!({"mcpServers": {"steersman": {"type": "stdio", "command": "steersman", "args": ["mcp"]}}})
    );
    let settings: Value = serde_json::from_str(&project.read(".gemini/settings.json")).unwrap();
    assert!(settings["hooks"]["BeforeTool"].is_array() && settings["mcpServers"]["steersman"].is_object());
}

#[test]
fn what_init_writes_governs_at_once() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--intents", "--host", "claude-code"]).exit, 0);
    let write = r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Write","tool_use_id":"1","tool_input":{"file_path":"src/a.js","content":"1"},"cwd":"."}"#;
    let answer = project.dispatch(write);
    assert!(
        answer.contains("No active intent selected. Please call select_active_intent first."),
        "{answer}"
    );
    assert_eq!(project.run(&["intent", "new", "Cart", "--scope", "src/**", "--select"]).exit, 0);
    assert!(!project.dispatch(&write.replace("\"1\",", "\"2\",")).contains("deny"));
    // An agent must not write files that name the programs agents start.
    for file in
        [".mcp.json", ".vscode/mcp.json", ".codex/config.toml", ".cursor/mcp.json", ".github/mcp.json"]
    {
        let answer = project.dispatch(&write.replace("src/a.js", file));
        assert!(answer.contains("\"deny\""), "{file}: {answer}");
    }
}

#[test]
fn every_file_is_as_it_was_after_uninstalling() {
    let project = Project::new();
    for (file, text) in BEFORE {
        project.write(file, text);
    }
    let before = project.files();
    assert_eq!(project.run(&["init", "--intents", "--host", "all"]).exit, 0);
    let set_up = project.files();
    let again = project.run(&["init", "--intents", "--host", "all"]);
    assert_eq!(project.files(), set_up, "a second run changes no byte");
    assert!(again.stderr.ends_with("nothing to change\n"), "{}", again.stderr);
    let plain = project.run(&["init", "--host", "all"]);
    assert_eq!(project.files(), set_up, "nor does one that is not about intents: {}", plain.stderr);

    let said = project.run(&["uninstall"]);
    let mut after = project.files();
    after.retain(|name, _| !name.starts_with(".ai/") && !name.starts_with(".orchestration/"));
    assert_eq!(after, before);
    expect![[r#"
        ✓ Claude Code: removed CLAUDE_CODE_SHELL_PREFIX in .claude/settings.local.json
        ✓ Codex: removed BASH_ENV in ~/.codex/config.toml
        ✓ Gemini CLI: removed BASH_ENV in ~/.gemini/.env
        ✓ VS Code Copilot and Copilot CLI: .github/hooks/steersman.json — deleted, it had no other content
        ✓ Claude Code: .claude/settings.json — deleted, it had no other content
        ✓ Codex: .codex/hooks.json — deleted, it had no other content
        ✓ Gemini CLI: .gemini/settings.json — removed steersman's entries
        ✓ Cursor: .cursor/hooks.json — deleted, it had no other content
        ✓ Qwen Code: .qwen/settings.json — removed steersman's entries
        ✓ Claude Code and Copilot CLI: .mcp.json — removed steersman's entries
        ✓ VS Code Copilot: .vscode/mcp.json — removed steersman's entries
        ✓ Codex: .codex/config.toml — removed steersman's entries
        ✓ Cursor: .cursor/mcp.json — removed steersman's entries
        ✓ Claude Code: withdrew the approval of the MCP server in .claude/settings.local.json
        ✓ Qwen Code: withdrew the approval of the MCP server in ~/.qwen/mcpApprovals.json
          the previous versions are in .ai/tmp/backup/WHEN
          kept: .ai/hooks (rules), .ai/tmp (records)
        hint: run `steersman uninstall --purge` to delete them too
        exit 0
    "#]]
    .assert_eq(&said.all());

    assert_eq!(project.run(&["init", "--intents", "--host", "all"]).exit, 0);
    assert_eq!(project.run(&["uninstall", "--purge"]).exit, 0);
    assert_eq!(project.files(), before, "the intents file is removed if it has no intents");
}

#[test]
fn hooks_first_and_the_server_later_is_undone_as_well() {
    let project = Project::new();
    for (file, text) in BEFORE {
        project.write(file, text);
    }
    let before = project.files();
    assert_eq!(project.run(&["init", "--host", "all"]).exit, 0);
    let said = project.run(&["init", "--intents", "--host", "gemini", "qwen", "codex"]);
    assert!(said.stderr.contains("✓ Gemini CLI: updated in .gemini/settings.json"), "{}", said.stderr);
    assert_eq!(project.run(&["init", "--program", "/opt/x/steersman", "--host", "all"]).exit, 0);
    assert!(project.read(".codex/config.toml").contains("command = \"/opt/x/steersman\""));
    assert_eq!(project.run(&["uninstall"]).exit, 0);
    let mut after = project.files();
    after.retain(|name, _| !name.starts_with(".ai/") && !name.starts_with(".orchestration/"));
    assert_eq!(after, before);
}

#[test]
fn a_dry_run_shows_diffs_and_writes_nothing() {
    let project = Project::new();
    project.write(".codex/config.toml", "model = \"x\"\n");
    let files = project.files();
    let said = project.run(&["init", "--intents", "--host", "codex", "--dry-run"]);
    assert_eq!(project.files(), files);
    assert!(
        said.stdout.contains(
            "--- a/.codex/config.toml\n+++ b/.codex/config.toml\n@@ -1 +1,5 @@\n model = \"x\"\n+\n+[mcp_servers.steersman]\n+command = \"steersman\"\n+args = [\"mcp\"]\n"
        ),
        "{}",
        said.stdout
    );
    assert!(said.stdout.contains("+++ b/.orchestration/active_intents.yaml"), "{}", said.stdout);
}

#[test]
fn intents_of_a_person_are_left_and_no_program_is_needed() {
    let project = Project::new();
    let mine = "intents:\n  - {id: INT-7, name: x, status: PENDING, owned_scope: [src/**]}\n";
    project.write(".orchestration/active_intents.yaml", mine);
    let said = project.run(&["init", "--intents"]);
    assert_eq!(project.read(".orchestration/active_intents.yaml"), mine);
    expect![[r#"
          note: cannot find an agent program in use in /app: no files of one there or in your home folder, and none on the PATH
        hint: name one with `--host`: vscode, copilot-cli, claude-code, codex, gemini, cursor, qwen, or all
          .orchestration/active_intents.yaml already exists and stays unchanged
        ✓ wrote: .ai/hooks/dispatch.manifest.json
        ✓ wrote: .ai/hooks/config.json
        exit 0
    "#]].assert_eq(&said.all());
}

#[test]
fn a_broken_settings_file_is_reported_and_the_others_are_written() {
    let project = Project::new();
    project.write(".codex/config.toml", "model = \n");
    project.write(".mcp.json", "{\"mcpServers\": {\"steersman\": {\"command\": \"node\"}}}");
    let said = project.run(&["init", "--intents", "--host", "codex", "claude-code", "cursor"]);
    assert_eq!(said.exit, 1);
    assert_eq!(project.read(".codex/config.toml"), "model = \n");
    assert!(project.path(".cursor/mcp.json").exists() && project.path(".codex/hooks.json").exists());
    let problems: Vec<&str> =
        said.stderr.lines().filter(|line| !line.starts_with("✓") && !line.starts_with("  note")).collect();
    expect![[r#"
        error: cannot edit `.mcp.json`: `mcpServers.steersman` is another server, expected `steersman mcp`
          --> .mcp.json:1:30
           |
         1 | {"mcpServers": {"steersman": {"command": "node"}}}
           |                              ^
        hint: correct the file and run the command again; steersman did not change it
        error: cannot edit `.codex/config.toml`: string values must be quoted, expected literal string
          --> .codex/config.toml:1:9
           |
         1 | model =
           |         ^
        hint: correct the file and run the command again; steersman did not change it"#]]
    .assert_eq(&problems.join("\n"));
}

#[test]
fn the_doctor_reports_which_programs_reach_the_server() {
    let project = Project::new();
    assert_eq!(project.run(&["init", "--intents", "--host", "claude-code", "codex"]).exit, 0);
    assert_eq!(project.run(&["init", "--host", "cursor"]).exit, 0);
    let section = |said: &str| {
        let lines = said.lines().skip_while(|line| *line != "MCP server").take_while(|line| !line.is_empty());
        lines.collect::<Vec<_>>().join("\n")
    };
    let said = project.run(&["doctor"]);
    expect![[r#"
        MCP server
          ✓ Claude Code: registered in .mcp.json:3; it answers
          ✓ Copilot CLI: registered in .mcp.json:3; it answers
          ✓ Codex: registered in .codex/config.toml:2; it answers
          ! Cursor: not registered in .cursor/mcp.json, so its agents cannot select an intent
            hint: run `steersman init --intents --host cursor`"#]]
    .assert_eq(&section(&said.stdout));

    let json: Value = serde_json::from_str(&project.run(&["doctor", "--json"]).stdout).unwrap();
    assert_eq!(
        json["mcp"][0],
        serde_json::json!({"host": "claude-code", "file": ".mcp.json", "line": 3, "program": "steersman", "answers": true})
    );

    // A missing program, one of the project itself, and one that is not a server.
    project.write(
        ".codex/config.toml",
        "[mcp_servers.steersman]\ncommand = '/nowhere/steersman'\nargs = ['mcp']\n",
    );
    project.write("tools/steersman", "#!/bin/sh\ntouch started\n");
    make_executable(&project.path("tools/steersman"));
    project.write(
        ".cursor/mcp.json",
        "{\"mcpServers\": {\"steersman\": {\"command\": \"./tools/steersman\", \"args\": [\"mcp\"]}}}",
    );
    let elsewhere = project.path("../bin").canonicalize().unwrap().join("other/steersman");
    std::fs::create_dir(elsewhere.parent().unwrap()).unwrap();
    // An existing program: one just written may still be open in another test's child process.
    let silent = ["/bin/true", "/usr/bin/true"].into_iter().find(|path| std::path::Path::new(path).exists());
    std::os::unix::fs::symlink(silent.unwrap(), &elsewhere).unwrap();
    let text = project.read(".mcp.json").replace("\"steersman\",", &format!("\"{}\",", elsewhere.display()));
    project.write(".mcp.json", &text);
    project.write(".vscode/mcp.json", "{\"servers\": [}");
    let said = project.run(&["doctor"]);
    assert!(!project.path("started").exists());
    expect![[r#"
        MCP server
          ✗ Claude Code: registered in .mcp.json:3, but `/bin/other/steersman mcp` does not answer: it exited without an answer
            hint: run `steersman init --intents` to register this program instead
          ✗ Copilot CLI: registered in .mcp.json:3, but `/bin/other/steersman mcp` does not answer: it exited without an answer
            hint: run `steersman init --intents` to register this program instead
          ✗ cannot parse `.vscode/mcp.json`: unexpected `}`, expected a value or another bracket
            --> .vscode/mcp.json:1:14
             |
           1 | {"servers": [}
             |              ^
            hint: the agent program may ignore all of it
          ✗ Codex: registered in .codex/config.toml:2, but `/nowhere/steersman mcp` does not answer: the program does not exist
            hint: run `steersman init --intents` to register this program instead
          ! Cursor: registered in .cursor/mcp.json:1; `./tools/steersman` is a path in the project, so doctor did not start it
            hint: check the program, or run `steersman init --intents` to register this one"#]].assert_eq(&section(&said.stdout));
}

fn make_executable(path: &std::path::Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn the_approval_of_the_server_is_recorded_shown_and_taken_back() {
    let project = Project::new();
    let hosts = ["--host", "claude-code", "qwen"];
    let run = |words: &[&str]| project.run(&[words, &hosts].concat());
    let shown = run(&["init", "--intents", "--dry-run"]);
    for line in ["+++ b/.claude/settings.local.json", "+++ b/.qwen/mcpApprovals.json", "\"approved\""] {
        assert!(shown.stdout.contains(line), "{line} is missing: {}", shown.stdout);
    }
    let exists = |file: &str| project.path(file).exists();
    let (claude, qwen) = (".claude/settings.local.json", "../home/.qwen/mcpApprovals.json");
    assert!(!exists(claude) && !exists(qwen));

    let said = run(&["init", "--intents"]);
    assert!(
        said.stderr.contains("✓ Qwen Code: MCP server approved in ~/.qwen/mcpApprovals.json"),
        "{}",
        said.stderr
    );
    let settings: Value = serde_json::from_str(&project.read(claude)).unwrap();
    assert_eq!(settings["enabledMcpjsonServers"], serde_json::json!(["steersman"]));
    let approved = project.read(qwen);
    assert!(approved.contains("\"status\": \"approved\""), "{approved}");

    // Another program is another entry, which the same person registers.
    assert_eq!(run(&["init", "--program", "/opt/x/steersman"]).exit, 0);
    assert_ne!(project.read(qwen), approved);

    assert_eq!(run(&["uninstall"]).exit, 0);
    assert!(!exists(claude) && !exists(qwen));

    // A refusal stays.
    project.write(claude, "{\"disabledMcpjsonServers\": [\"steersman\"]}");
    let said = run(&["init", "--intents"]);
    assert!(
        said.stderr.contains("you refused the MCP server (.claude/settings.local.json)"),
        "{}",
        said.stderr
    );
    assert!(!project.read(claude).contains("enabled"));
}
