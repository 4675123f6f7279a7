//! Proofs of approvals: options, patterns, variables, content that git shows, and calls that a transcript announces.

use std::fs;

use serde_json::{Value, json};

use super::approve::{in_own_session, is_allowed, project};
use super::scene::Scene;

/// A project without a secret that git tracks, and with names that look like options in a folder of their own.
fn repository(mode: &str, tracked: &[&str]) -> Scene {
    let scene = project(mode);
    fs::remove_file(scene.path("outside")).unwrap();
    fs::remove_file(scene.path("notes/users")).unwrap();
    fs::remove_file(scene.path("web/.env")).unwrap();
    for (file, text) in [
        ("u/a", "1\n"),
        ("u/b", "2\n"),
        ("s/-i", ""),
        ("s/a", "x\n"),
        ("data/list", "/etc/passwd\n.env\n"),
        ("src/x.jq", "env\n"),
        ("package.json", "{}\n"),
    ] {
        scene.write(file, text);
    }
    let git = |args: &[&str]| {
        let mut git = std::process::Command::new("git");
        let done =
            git.args(["-c", "user.email=a@b", "-c", "user.name=n"]).args(args).current_dir(scene.root());
        assert!(done.status().unwrap().success(), "git {args:?}");
    };
    for file in ["README.md", "src/main.rs"].iter().chain(tracked) {
        git(&["add", "-f", file]);
    }
    git(&["commit", "-qm", "x"]);
    scene
}

#[test]
fn everyday_looks_stay_approved_beside_an_untracked_secret() {
    let scene = repository("in-scope", &[]);
    for (index, command) in [
        "git diff",
        "git diff --cached",
        "git diff -- '*.rs'",
        "git diff HEAD -- src/main.rs",
        "git log -p -3",
        "git log --oneline --graph -5",
        "git show",
        "git show HEAD --stat",
        "git show HEAD:src/main.rs",
        "git blame -L 1,2 src/main.rs",
        "git grep main",
        "git status --short",
        "git branch -vv",
        "git tag -l",
        "git ls-files '*.rs' | head",
        "git rev-parse --abbrev-ref HEAD",
        "rg foo src",
        "rg -n 'pub fn' --type rust",
        "rg -n main -g '*.rs'",
        "rg main",
        "cat src/*.rs",
        "wc -l src/*.rs",
        "cat ./src/*.rs",
        "sort README.md | uniq -c | sort -rn | head",
        "find . -path ./node_modules -prune -o -name '*.ts' -print",
        "cat <<'E'\n$TOKEN\nE",
        "x=src; ls $x",
        "[[ -f README.md ]] && echo yes",
        "TZ=Europe/Berlin date",
        "node -v",
        "cargo --version",
        "sleep 2",
        "md5sum README.md",
        "jq .name package.json",
    ]
    .into_iter()
    .enumerate()
    {
        let answer = in_own_session(&scene, index, command);
        assert!(is_allowed(&answer), "{command}: {answer}");
    }
}

#[test]
fn patterns_at_the_top_are_approved_in_a_project_without_a_secret() {
    let scene = repository("read-only", &[]);
    fs::remove_file(scene.path(".env")).unwrap();
    for (index, command) in
        ["ls *", "head -n 5 *.md", "wc -l *.md", "du -sh *", "grep -rn main src --include=*.rs"]
            .into_iter()
            .enumerate()
    {
        let answer = in_own_session(&scene, index, command);
        assert!(is_allowed(&answer), "{command}: {answer}");
    }
}

#[test]
fn an_option_a_pattern_or_a_variable_outside_of_the_proof_is_not_approved() {
    let scene = repository("in-scope", &[]);
    for (index, command) in [
        // A pattern of names becomes an option or an output.
        "uniq u/*",
        "xxd u/*",
        "find u/*",
        "cd s && sed s/x/y/ *",
        "cd s && sort *",
        "cd u && awk *",
        "cd s && ls | xargs sort",
        // Names of files in a file.
        "sort --files0-from=data/list",
        "wc --files0-from=data/list",
        "du --files0-from=data/list",
        "find -files0-from data/list",
        "date -f data/list",
        "date -uf data/list",
        "file -f data/list",
        "md5sum -c data/list",
        "sha256sum --check data/list",
        "strings @data/list",
        "jq -nf src/x.jq",
        // Variables without a word that names them.
        "cat <<E\n$TOKEN\nE",
        "cat <<< $TOKEN",
        "cat > src/x <<E\n$DATABASE_URL\nE",
        "[[ $TOKEN == s* ]] && echo y",
        "case $TOKEN in s*) echo y;; esac",
        "for t in $TOKEN; do echo x; done",
        "echo ${TOKEN:+set}",
        "ls ${0%/*}",
        "cat $*",
        // A search that shows what begins with a dot.
        "rg -g '*' TOKEN",
        "rg -g '.*' TOKEN",
        "rg --iglob .ENV TOKEN",
        "rg --glob='*env' TOKEN",
        "rg -tall TOKEN",
        "grep -d recurse TOKEN",
        "grep -Hnd recurse TOKEN",
        "rg -L x",
        "rg -z x",
        // Git beyond what it tracks.
        "git grep --untracked TOKEN",
        "git grep --no-index TOKEN",
        "git diff --no-index src .",
        "git diff --no-ind src .",
        "git log -p -- '*.env'",
        "git diff ':/.en*'",
        "git cat-file --batch-all-objects --batch",
        "git stash show -p -u",
        "git tag -v v1",
        "git log --show-signature",
        "git log --format=%GK",
        "git status -v",
        "git log -O sh",
        // A version that asks a server.
        "docker version",
        "terraform version",
        "bazel version",
        "compgen -v",
        "set -v",
        "cargo -v",
        // Files outside, and what does not end.
        "[[ -e /etc/passwd ]] && echo y",
        "find -L . -name x",
        "TZ=/etc/passwd date",
        "LC_ALL=../../x ls",
        "while true; do ls; done",
        "tail -f README.md",
        "sleep infinity",
        "awk 'BEGIN{ARGV[ARGC++]=\".\" \"env\"} 1' README.md",
        "fd -Hx rm",
    ]
    .into_iter()
    .enumerate()
    {
        let answer = in_own_session(&scene, index, command);
        assert!(!is_allowed(&answer), "{command}: {answer}");
    }
}

#[test]
fn git_shows_no_content_where_a_secret_is_tracked() {
    let scene = repository("read-only", &[".env"]);
    for (index, (command, expected)) in [
        ("git diff", false),
        ("git show", false),
        ("git log -p -1", false),
        ("git grep TOKEN", false),
        ("git diff -- .", false),
        ("git diff -- '*'", false),
        ("git show HEAD -- '.e*'", false),
        ("git stash show -p", false),
        ("git cat-file -p e5448e5cbd1d32883d678e0352640e9c36e73ec3", false),
        ("git show --stat e5448e5cbd", false),
        ("git diff --stat", true),
        ("git log --oneline", true),
        ("git show HEAD:src/main.rs", true),
        ("git diff -- src", true),
    ]
    .into_iter()
    .enumerate()
    {
        let answer = in_own_session(&scene, index, command);
        assert_eq!(is_allowed(&answer), expected, "{command}: {answer}");
    }
}

#[test]
fn a_rule_about_a_file_holds_for_its_content_in_git() {
    let scene = repository("read-only", &[]);
    scene.write(".claude/settings.json", r#"{"permissions": {"deny": ["Read(src/main.rs)"]}}"#);
    for (index, (command, expected)) in [
        ("git show HEAD:src/main.rs", false),
        ("git blame src/main.rs", false),
        ("git log -p", false),
        ("git grep main", false),
        ("git diff README.md", true),
        ("git log --oneline", true),
    ]
    .into_iter()
    .enumerate()
    {
        let answer = in_own_session(&scene, index, command);
        assert_eq!(is_allowed(&answer), expected, "{command}: {answer}");
    }
}

#[test]
fn a_search_tool_shows_no_secret_and_stays_in_the_workspace() {
    let scene = repository("read-only", &[]);
    for (index, (tool, input, expected)) in [
        ("Grep", json!({"pattern": "x", "path": "src"}), true),
        ("Grep", json!({"pattern": "x", "glob": "*.rs"}), true),
        ("Grep", json!({"pattern": "x", "type": "rust"}), true),
        ("Grep", json!({"pattern": "x"}), false),
        ("Grep", json!({"pattern": "x", "glob": ".env"}), false),
        ("Grep", json!({"pattern": "x", "glob": "*env"}), false),
        ("Grep", json!({"pattern": "x", "type": "all"}), false),
        ("Grep", json!({"pattern": "x", "glob": "../../**"}), false),
        ("Glob", json!({"pattern": "**/*.rs"}), true),
        ("Glob", json!({"pattern": "/etc/*"}), false),
        ("Glob", json!({"pattern": "../**"}), false),
        ("Glob", json!({"pattern": "{src,/etc}/*"}), false),
    ]
    .into_iter()
    .enumerate()
    {
        let call = json!({"tool_name": tool, "tool_use_id": "1", "session_id": format!("s{index}"), "tool_input": input});
        let answer = scene.send("claude-code", "PreToolUse", &call);
        assert_eq!(is_allowed(&answer), expected, "{tool} {input}: {answer}");
    }
}

#[test]
fn what_somebody_runs_or_obeys_later_is_left_to_the_person() {
    let intents = "active_intents:\n  - id: INT-1\n    name: all\n    status: IN_PROGRESS\n    owned_scope: [\"**\"]\n    constraints: []\n    acceptance_criteria: []\n";
    let scene = project("in-scope");
    scene.write(".orchestration/active_intents.yaml", intents);
    assert_eq!(scene.run(&["intent", "select", "INT-1"]).code, 0);
    for (index, (path, expected)) in [
        ("src/new.rs", true),
        ("docs/a.md", true),
        (".husky/pre-commit", false),
        (".github/workflows/ci.yml", false),
        (".cargo/config.toml", false),
        (".envrc", false),
        ("lefthook.yml", false),
        ("AGENTS.md", false),
        ("src/CLAUDE.md", false),
        ("sitecustomize.py", false),
    ]
    .into_iter()
    .enumerate()
    {
        let write = json!({"tool_name": "Write", "tool_use_id": format!("{index}"),
            "tool_input": {"file_path": scene.path(path), "content": "x\n"}});
        let answer = scene.send("claude-code", "PreToolUse", &write);
        assert_eq!(is_allowed(&answer), expected, "{path}: {answer}");
    }
}

#[test]
fn codex_is_answered_by_what_its_transcript_announces() {
    let scene = project("read-only");
    let call = |id: &str, arguments: Value| {
        json!({"type": "response_item", "payload": {"type": "function_call", "name": "exec_command",
            "arguments": arguments.to_string(), "call_id": id}})
    };
    let code = json!({"type": "response_item", "payload": {"type": "custom_tool_call", "name": "exec",
        "call_id": "z", "input": "await tools.exec_command({cmd: 'ls'})"}});
    let escalated = || call("b", json!({"cmd": "ls", "sandbox_permissions": "require_escalated"}));
    let done = json!({"type": "response_item", "payload": {"type": "function_call_output", "call_id": "a"}});
    let plain = || call("a", json!({"cmd": "ls"}));
    for (lines, input, expected) in [
        (vec![plain()], json!({"command": "ls"}), true),
        (vec![call("a", json!({"cmd": "ls", "workdir": "src"}))], json!({"command": "ls"}), true),
        (vec![call("a", json!({"cmd": "ls", "workdir": "/etc"}))], json!({"command": "ls"}), false),
        (vec![call("a", json!({"cmd": "ls", "workdir": ".."}))], json!({"command": "ls"}), false),
        (vec![call("a", json!({"cmd": "ls", "shell": "/tmp/sh"}))], json!({"command": "ls"}), false),
        (
            vec![call("a", json!({"cmd": "ls", "additional_permissions": {"network": true}}))],
            json!({"command": "ls"}),
            false,
        ),
        (vec![escalated(), plain()], json!({"command": "ls"}), false),
        (vec![plain(), code.clone()], json!({"command": "ls"}), false),
        (vec![plain(), done.clone()], json!({"command": "ls"}), false),
        (vec![plain()], json!({"command": "ls", "description": "needs the network"}), false),
    ] {
        let file = scene.path("home/.codex/sessions/2026/01/01/rollout-1.jsonl");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        let lines: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
        let text = lines.concat();
        fs::write(&file, &text).unwrap();
        let request = json!({"tool_name": "Bash", "tool_input": input, "turn_id": "t", "model": "m",
            "transcript_path": file});
        let answer = scene.send("codex", "PermissionRequest", &request);
        let is_allowed = answer["hookSpecificOutput"]["decision"]["behavior"] == "allow";
        assert_eq!(is_allowed, expected, "{text}{input}: {answer}");
    }
}
