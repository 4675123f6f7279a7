//! Approved calls: which pass without a prompt, and which never do.

use std::fs;

use serde_json::{Value, json};

use super::scene::{CLAUDE, Scene};

/// A project with a few files, secrets among them, that approves calls.
pub(super) fn project(mode: &str) -> Scene {
    let scene = Scene::new();
    scene.config(&json!({"version": 1, "approve": mode}));
    for (file, text) in [
        ("README.md", "# Shop\n"),
        ("src/main.rs", "fn main() {}\n"),
        ("src/cart/total.rs", "// total\n"),
        ("web/.env", "TOKEN=1\n"),
        (".env", "TOKEN=1\n"),
        ("notes/a.md", "a\n"),
    ] {
        scene.write(file, text);
    }
    std::os::unix::fs::symlink("/etc", scene.path("outside")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", scene.path("notes/users")).unwrap();
    let git = std::process::Command::new("git").args(["init", "-q"]).current_dir(scene.root()).status();
    assert!(git.unwrap().success());
    scene
}

pub(super) fn is_allowed(answer: &Value) -> bool {
    answer["hookSpecificOutput"]["permissionDecision"] == "allow"
}

/// Sends a command in its own session: what an earlier one sets in its shell must not count.
pub(super) fn in_own_session(scene: &Scene, index: usize, command: &str) -> Value {
    let call = json!({"tool_name": "Bash", "tool_use_id": "1", "session_id": format!("s{index}"),
        "tool_input": {"command": command}});
    scene.send("claude-code", "PreToolUse", &call)
}

#[test]
fn what_is_proven_read_only_in_the_workspace_passes_without_a_prompt() {
    let scene = project("read-only");
    for (index, command) in [
        "ls",
        "ls -la src",
        "cat README.md",
        "cat src/main.rs src/cart/total.rs | head -20",
        "head -n 5 README.md && tail -n 5 README.md",
        "sed -n '1,40p' src/main.rs",
        "grep -n main src/main.rs",
        "grep -rn 'total' src",
        "rg total src",
        "cd src && rg -n 'fn main'",
        "find . -name '*.rs' -type f",
        "find src -name '*.rs' | xargs wc -l",
        "wc -l src/main.rs 2>/dev/null",
        "git status",
        "git status --short && git diff --stat",
        "git log --oneline -5",
        "git diff HEAD~1 -- src/main.rs",
        "git show HEAD:src/main.rs",
        "git branch -a",
        "pwd && ls",
        "cd src && ls",
        "echo done",
        "test -f README.md && echo yes",
        "node --version",
        "which cargo",
        "date",
        "awk '{print $1}' README.md",
        "sed -n '/main/p' src/main.rs",
        "sort README.md | uniq -c",
        "tree src",
        "diff README.md notes/a.md",
        "stat README.md",
        "jq .name package.json",
        "timeout 5 ls src",
        "for f in src/*.rs; do echo \"== $f\"; head -5 \"$f\"; done",
        "n=3; head -$n README.md",
    ]
    .into_iter()
    .enumerate()
    {
        let answer = in_own_session(&scene, index, command);
        assert!(is_allowed(&answer), "{command}: {answer}");
    }
}

#[test]
fn nothing_is_approved_without_a_proof_of_every_part() {
    let scene = project("in-scope");
    for (index, command) in [
        // Reads outside of the workspace, in every spelling.
        "cat /etc/passwd",
        "cat ../other/file",
        "cat ~/.bashrc",
        "ls /",
        "ls ~",
        "cat $HOME/.bashrc",
        "cd /etc && ls",
        "cd .. && ls",
        "git -C /etc log",
        "git -C .. log",
        "cat outside/hostname",
        "cat notes/users",
        "cat notes/*",
        "grep -r root outside",
        "cat < /etc/passwd",
        "diff <(ls) <(ls /etc)",
        "test -f /etc/shadow && echo yes",
        "grep -f /etc/passwd README.md",
        "grep --file=/etc/passwd README.md",
        "grep -f/etc/passwd README.md",
        "sed -n 'r /etc/passwd' README.md",
        "find / -name id_rsa",
        "find . -newer /etc/passwd",
        "readlink -f /etc/localtime",
        "python3 -c 'print(open(\"/etc/passwd\").read())'",
        "awk 'BEGIN { while ((getline line < \"/etc/passwd\") > 0) print line }'",
        "git diff --no-index /etc/passwd README.md",
        "cat file:///etc/passwd",
        "for f in /etc/*; do head -1 \"$f\"; done",
        "for PATH in /tmp; do ls; done",
        "for path in /tmp; do ls; done",
        "d=/etc; ls $d",
        "path=(/tmp) ls",
        // Secrets.
        "cat .env",
        "for f in .env; do cat $f; done",
        "for f in web/*; do cat $f; done",
        "cat web/.env",
        "head -1 ./web/.env",
        "grep TOKEN .env",
        "grep -r TOKEN .",
        "grep -rn TOKEN web",
        "rg --hidden TOKEN",
        "rg -uu TOKEN web",
        "git show HEAD:.env",
        "git diff .env",
        "git log -p -- web/.env",
        "cat web/.e*",
        "env",
        "printenv",
        "printenv HOME",
        "echo $AWS_SECRET_ACCESS_KEY",
        "export -p",
        "set",
        "ps aux",
        "jq -n env",
        "jq -n '$ENV.HOME'",
        "awk 'BEGIN { print ENVIRON[\"HOME\"] }'",
        "git config --list",
        "cat /proc/self/environ",
        "history",
        // Network, privilege, other machines.
        "curl https://example.com",
        "wget example.com",
        "ssh host ls",
        "git fetch",
        "git ls-remote",
        "git remote show origin",
        "git remote -v",
        "git push",
        "git pull",
        "npm view left-pad",
        "sudo ls",
        "docker ps",
        "gh pr list",
        "ping -c 1 example.com",
        // Unknown, and what writes or deletes.
        "unknown-tool --list",
        "./script.sh",
        "make",
        "cargo test",
        "npm test",
        "$(cat README.md)",
        "eval \"$(cat README.md)\"",
        "ls $DIR",
        "rm README.md",
        "rm -rf src",
        "find . -delete",
        "find . -name x -exec rm {} ;",
        "sed -i s/a/b/ README.md",
        "echo x > README.md",
        "echo x > new.txt",
        "tee new.txt < README.md",
        "mv README.md b",
        "cp README.md b",
        "mkdir d",
        "touch t",
        "git commit -m x",
        "git checkout -b x",
        "git log --output=x",
        "sort -o README.md README.md",
        "ls; rm README.md",
        "ls && curl example.com",
        "ls | sh",
        "xargs rm < README.md",
        "PATH=/tmp:$PATH ls",
        "LD_PRELOAD=x ls",
        "GIT_EXTERNAL_DIFF=x git diff",
        "git -c core.pager=x log",
        "alias ls=rm; ls",
        "ls() { rm -rf src; }; ls",
        "kill 1",
        "ls (",
    ]
    .into_iter()
    .enumerate()
    {
        let answer = in_own_session(&scene, index, command);
        assert!(!is_allowed(&answer), "{command}: {answer}");
    }
}

#[test]
fn a_sandbox_escape_and_plan_mode_are_never_approved() {
    let scene = project("read-only");
    let call = |mode: &str, input: Value| {
        scene.send(
            "claude-code",
            "PreToolUse",
            &json!({"tool_name": "Bash", "tool_use_id": format!("{mode}{input}"), "permission_mode": mode,
                "tool_input": input}),
        )
    };
    assert!(is_allowed(&call("default", json!({"command": "ls"}))));
    assert!(is_allowed(&call("acceptEdits", json!({"command": "ls"}))));
    for mode in ["plan", "dontAsk", "bypassPermissions", "tomorrow"] {
        assert!(!is_allowed(&call(mode, json!({"command": "ls"}))), "{mode}");
    }
    let escape = json!({"command": "ls", "dangerouslyDisableSandbox": true});
    assert!(!is_allowed(&call("default", escape)));
}

#[test]
fn off_is_the_default_and_a_mistake_switches_approvals_off() {
    for config in [json!({"version": 1}), json!({"version": 1, "approve": "off"})] {
        let scene = project("off");
        scene.config(&config);
        assert_eq!(scene.shell("claude-code", "1", "ls"), json!({}), "{config}");
    }
    let scene = project("off");
    scene.write(".ai/hooks/config.json", r#"{"version": 1, "approve": "everything"}"#);
    let start = scene.send("claude-code", "SessionStart", &json!({"source": "startup"}));
    assert!(
        start["systemMessage"].as_str().unwrap().contains("`approve` in config.json is ignored"),
        "{start}"
    );
    assert!(!is_allowed(&scene.shell("claude-code", "1", "ls")));
}

/// Rules of the user, in every spelling, with the calls that they are about.
#[test]
fn a_deny_or_ask_rule_of_the_user_keeps_its_call_from_being_approved() {
    let read = |path: &str| ("Read", json!({"file_path": path}));
    let bash = |command: &str| ("Bash", json!({"command": command}));
    for (rule, (tool, input)) in [
        ("Bash", bash("ls")),
        ("Bash(*)", bash("ls")),
        ("Bash(ls:*)", bash("ls src")),
        ("Bash(ls *)", bash("ls src")),
        ("Bash(ls:*)", bash("cd src && ls")),
        ("Bash(git log)", bash("git --no-pager log")),
        ("Bash(cat README.md)", bash("head -1 README.md; cat README.md")),
        ("Bash(cat:*)", bash("timeout 5 cat README.md")),
        ("Bash(*README*)", bash("cat README.md")),
        ("Bash(/bin/cat:*)", bash("cat README.md")),
        ("Bash(cat README.md", bash("ls")),
        ("Read(./src/**)", bash("cat src/main.rs")),
        ("Read(./src/**)", bash("cd src && rg main")),
        ("Read(**/total.rs)", bash("cat src/cart/total.rs")),
        ("Read(total.rs)", bash("rg x src")),
        ("Read(//PROJECT/src/**)", bash("cat src/main.rs")),
        ("Grep(src/**)", read("src/main.rs")),
        ("Read", read("src/main.rs")),
    ] {
        for list in ["deny", "ask"] {
            for file in [".claude/settings.json", ".claude/settings.local.json"] {
                let scene = project("read-only");
                let rule = rule.replace("/PROJECT", scene.root().to_str().unwrap());
                let call = |id: &str| json!({"tool_name": tool, "tool_use_id": id, "tool_input": input});
                let before = scene.send("claude-code", "PreToolUse", &call("1"));
                assert!(is_allowed(&before), "{input} without a rule");
                scene.write(file, &json!({"permissions": {list: [rule], "allow": [tool]}}).to_string());
                let answer = scene.send("claude-code", "PreToolUse", &call("2"));
                assert!(!is_allowed(&answer), "{list} {rule} in {file}: {input}");
            }
        }
    }
    let scene = project("read-only");
    scene.write(
        ".claude/settings.json",
        r#"{"permissions": {"deny": ["Bash(git push:*)", "Read(./secrets/**)"]}}"#,
    );
    assert!(is_allowed(&scene.shell("claude-code", "1", "git status")));
    scene.write(".claude/settings.json", "{\"permissions\": ");
    assert!(!is_allowed(&scene.shell("claude-code", "2", "git status")), "settings that cannot be read");
    // A pipe in their place is no reason to wait.
    fs::remove_file(scene.path(".claude/settings.json")).unwrap();
    let pipe = scene.path(".claude/settings.json");
    assert!(std::process::Command::new("mkfifo").arg(pipe).status().unwrap().success());
    assert_eq!(scene.shell("claude-code", "3", "git status"), json!({}), "a pipe");
}

#[test]
fn each_host_is_answered_where_it_reads_an_allow() {
    let scene = project("read-only");
    // Codex and Qwen ask before this event or ignore the answer; Gemini's own policies decide.
    for (host, event, tool) in [
        ("codex", "PreToolUse", "Bash"),
        ("qwen", "PreToolUse", "run_shell_command"),
        ("gemini", "BeforeTool", "run_shell_command"),
        ("vscode", "PreToolUse", "run_in_terminal"),
    ] {
        let call = json!({"tool_name": tool, "tool_use_id": "1", "tool_input": {"command": "ls"}});
        let answer = scene.send(host, event, &call);
        assert!(!answer.to_string().contains("allow"), "{host}: {answer}");
    }
    let start = scene.send("gemini", "SessionStart", &json!({"source": "startup"}));
    assert!(start["systemMessage"].as_str().unwrap().contains("`approve` has no effect here"), "{start}");
    let request = |host: &str, tool: &str, command: &str, more: Value| {
        let mut call = json!({"tool_name": tool, "tool_input": {"command": command}});
        call.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        scene.send(host, "PermissionRequest", &call)
    };
    let allow = json!({"hookSpecificOutput":
        {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}});
    let suggested = json!({"permission_suggestions": [{"type": "setMode"}], "permission_mode": "default"});
    assert_eq!(request("claude-code", "Bash", "ls", suggested.clone()), allow);
    assert_eq!(request("claude-code", "Bash", "ls", json!({})), json!({}), "a rule of the user asks");
    assert_eq!(request("claude-code", "Bash", "ls", json!({"permission_suggestions": []})), json!({}));
    let plan = json!({"permission_suggestions": [{}], "permission_mode": "plan"});
    assert_eq!(request("claude-code", "Bash", "ls", plan), json!({}));
    assert_eq!(request("claude-code", "Bash", "rm README.md", suggested), json!({}));
    assert_eq!(request("qwen", "run_shell_command", "ls", json!({"permission_mode": "default"})), allow);
    assert_eq!(request("qwen", "run_shell_command", "ls", json!({"permission_mode": "plan"})), json!({}));
    assert_eq!(request("qwen", "run_shell_command", "ls", json!({"permission_mode": "yolo"})), json!({}));
    // Codex: a prompt without a rule and without an escalation is approved, by its transcript.
    let rollout = |arguments: &str| {
        let payload = json!({"type": "function_call", "arguments": arguments, "call_id": "c"});
        let file = scene.path("home/.codex/sessions/2026/01/01/rollout-1.jsonl");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, format!("{}\n", json!({"type": "response_item", "payload": payload}))).unwrap();
        json!({"transcript_path": file, "turn_id": "t", "model": "m"})
    };
    assert_eq!(request("codex", "Bash", "ls", rollout(r#"{"cmd":"ls"}"#)), allow);
    let escalated = rollout(r#"{"cmd":"ls","sandbox_permissions":"require_escalated"}"#);
    assert_eq!(request("codex", "Bash", "ls", escalated), json!({}));
    assert_eq!(request("codex", "Bash", "ls", json!({"turn_id": "t"})), json!({}), "no transcript");
    let transcript = rollout(r#"{"cmd":"ls"}"#);
    scene.write("home/.codex/rules/mine.rules", "prefix_rule(pattern=[\"ls\"], decision=\"prompt\")\n");
    assert_eq!(request("codex", "Bash", "ls", transcript), json!({}));
    // Copilot: its rules are on the command line of a process that this test is not.
    let copilot = scene.send(
        "copilot-cli",
        "PreToolUse",
        &json!({"tool_name": "Bash", "tool_input": {"command": "ls"}}),
    );
    assert!(!copilot.to_string().contains("allow"), "{copilot}");
}

#[test]
fn writes_are_approved_only_in_the_scope_of_an_intent() {
    let intents = "active_intents:\n  - id: INT-1\n    name: cart\n    status: IN_PROGRESS\n    owned_scope: [\"src/cart/**\"]\n    constraints: []\n    acceptance_criteria: []\n";
    for (mode, path, expected) in [
        ("in-scope", "src/cart/total.rs", true),
        ("in-scope", "src/main.rs", false),
        ("read-only", "src/cart/total.rs", false),
    ] {
        let scene = project(mode);
        scene.write(".orchestration/active_intents.yaml", intents);
        let selected = scene.run(&["intent", "select", "INT-1"]);
        assert_eq!(selected.code, 0, "{}", selected.stderr);
        scene.send("claude-code", "UserPromptSubmit", &json!({"prompt": "go"}));
        let write = json!({"tool_name": "Write", "tool_use_id": "1",
            "tool_input": {"file_path": scene.path(path), "content": "x\n"}});
        let answer = scene.send("claude-code", "PreToolUse", &write);
        assert_eq!(is_allowed(&answer), expected, "{mode} {path}: {answer}");
        let shell = scene.shell("claude-code", "2", &format!("echo x > {path}"));
        assert_eq!(is_allowed(&shell), expected, "{mode} {path}: {shell}");
        for (id, command) in [
            ("4", format!("touch {path}")),
            ("5", format!("cp README.md {path}")),
            ("6", format!("sort README.md | tee {path}")),
            ("7", format!("mkdir -p {path}.parts")),
        ] {
            let answer = scene.shell("claude-code", id, &command);
            assert_eq!(is_allowed(&answer), expected, "{mode} {command}: {answer}");
        }
        let outside = scene.shell("claude-code", "8", &format!("cp /etc/hostname {path}"));
        assert!(!is_allowed(&outside), "{outside}");
        let deletion = scene.shell("claude-code", "3", &format!("rm {path}"));
        assert!(!is_allowed(&deletion), "{deletion}");
    }
}

#[test]
fn a_held_session_and_a_failing_module_are_not_approved() {
    let scene = project("read-only");
    assert!(is_allowed(&scene.shell("claude-code", "1", "ls")));
    scene.run(&["hold"]);
    assert!(!is_allowed(&scene.shell("claude-code", "2", "ls")));
    let request =
        json!({"tool_name": "Bash", "tool_input": {"command": "ls"}, "permission_suggestions": [{}]});
    assert_eq!(scene.send("claude-code", "PermissionRequest", &request), json!({}));
    let scene = Scene::with_careful_module();
    scene.config(&json!({"version": 1, "approve": "read-only"}));
    assert!(is_allowed(&scene.shell("claude-code", "1", "ls")));
    assert!(!is_allowed(&scene.shell("claude-code", "2", "echo boom")));
}

#[test]
fn approvals_are_shown_and_counted() {
    let scene = project("read-only");
    scene.send("claude-code", "UserPromptSubmit", &json!({"prompt": "go"}));
    scene.shell("claude-code", "1", "ls");
    scene.shell("claude-code", "2", "cargo test");
    let request =
        json!({"tool_name": "Bash", "tool_input": {"command": "pwd"}, "permission_suggestions": [{}]});
    scene.send("claude-code", "PermissionRequest", &request);
    let shown = scene.session(&["show"]).stdout;
    assert!(shown.contains("approved without a prompt: it changes nothing"), "{shown}");
    assert!(shown.contains("Bash approved without a prompt (read-only)"), "{shown}");
    let stats = scene.run(&["approve", "stats", "--json"]);
    let stats: Value = serde_json::from_str(&stats.stdout).unwrap();
    let counts = json!({"calls": 2, "approved": 2, "readOnly": 2, "inScope": 0, "sealed": 0});
    let session = json!({"sid": CLAUDE, "host": "claude-code", "calls": 2, "approved": 2, "readOnly": 2, "inScope": 0, "sealed": 0});
    for (key, value) in counts.as_object().unwrap() {
        assert_eq!(&stats[key], value, "{stats}");
    }
    assert_eq!(stats["sessions"], json!([session]));
    let text = scene.run(&["approve", "stats"]).stdout;
    assert!(text.ends_with("2 of 2 calls passed without a prompt\n"), "{text}");
    let replayed = scene.session(&["replay", CLAUDE]);
    assert_eq!(replayed.code, 0, "{}{}", replayed.stdout, replayed.stderr);
}
