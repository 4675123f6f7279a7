//! Tests of the filter of shell commands.

use agent::Pattern;
use agent::policy::{CallContext, Permission, Rule, check};
use event::{CommandLine, Dialect, ToolCall, ToolKind};
use serde_json::json;
use shell::Place;

use crate::project::definition;

fn run(line: &str, dialect: Dialect) -> ToolCall {
    ToolCall {
        id: None,
        name: "Bash".to_owned(),
        kind: ToolKind::Shell,
        input: json!({ "command": line }),
        touches: vec![],
        command: Some(CommandLine { text: line.to_owned(), cwd: None, dialect }),
        content: None,
    }
}

fn judge(filter: &str, call: &ToolCall, global: &[Pattern]) -> Permission {
    let text = format!(
        "name: a\nsystemPrompt: x\ntransitions: {{onSuccess: complete}}\ntools: {{bashFilter: {filter}}}\n"
    );
    let terms =
        CallContext { global_blocked_patterns: global, ..CallContext::at(Place::at("/home/dev/app")) };
    check(&definition("a.yaml", &text), call, &terms)
}

fn reason(filter: &str, line: &str) -> Option<String> {
    match judge(filter, &run(line, Dialect::Posix), &[]) {
        Permission::Allowed => None,
        Permission::Denied(denial) => Some(denial.reason),
    }
}

#[test]
fn every_program_of_the_line_has_to_be_listed() {
    let filter = "{allowedCommands: [ls, git, cat, find, xargs, grep]}";
    for line in [
        "ls -la",
        "git status",
        "/usr/bin/git log",
        "ls | grep x",
        "cat a && git diff",
        "(ls; cat b)",
        "ls $(git rev-parse HEAD)",
        "'l's",
        "FOO=1 git log",
        "find . -name x",
        "cat a | xargs ls",
    ] {
        assert_eq!(reason(filter, line), None, "{line}");
    }
    for (line, program) in [
        ("rm x", "rm"),
        ("ls; rm x", "rm"),
        ("ls && rm x", "rm"),
        ("ls | sh", "sh"),
        ("ls $(rm x)", "rm"),
        ("ls `rm x`", "rm"),
        ("cat <(rm x)", "rm"),
        ("(ls; rm x)", "rm"),
        ("if ls; then rm x; fi", "rm"),
        ("r''m x", "rm"),
        ("/bin/rm x", "rm"),
        ("\\rm x", "rm"),
        ("find . -exec rm {} +", "rm"),
        ("cat a | xargs rm", "rm"),
        ("sudo ls", "sudo"),
        ("env rm x", "env"),
        ("bash -c 'ls'", "bash"),
        ("ls\nrm x", "rm"),
        ("ls & rm x", "rm"),
        ("ls() { rm x; }; ls", "rm"),
    ] {
        let expected = format!("Command '{program}' is not allowed in this mode");
        assert_eq!(reason(filter, line).as_deref(), Some(expected.as_str()), "{line}");
    }
}

#[test]
fn a_program_is_not_its_base_name() {
    let filter = "{allowedCommands: [ls, /usr/bin/git, ./gradlew, env]}";
    for line in ["ls", "/bin/ls", "git log", "/usr/bin/git log", "./gradlew build", "env A=1 ls"] {
        assert_eq!(reason(filter, line), None, "{line}");
    }
    for (line, word) in [
        ("./ls", "./ls"),
        ("/tmp/git log", "/tmp/git"),
        ("PATH=.:$PATH ls", "ls"),
        ("export PATH=/tmp; ls", "export"),
        ("env PATH=. ls", "ls"),
        ("gradlew build", "gradlew"),
        ("../gradlew build", "../gradlew"),
        ("./env ls", "./env"),
    ] {
        let expected = format!("Command '{word}' is not allowed in this mode");
        assert_eq!(reason(filter, line).as_deref(), Some(expected.as_str()), "{line}");
    }
}

#[test]
fn a_wrapper_that_is_listed_is_looked_through() {
    let filter = "{allowedCommands: [sudo, env, bash, xargs, ls]}";
    for line in ["sudo ls", "env A=1 ls", "bash -c 'ls -l'", "sudo -u x env ls"] {
        assert_eq!(reason(filter, line), None, "{line}");
    }
    for line in ["sudo rm x", "env rm x", "bash -c 'ls; rm x'", "sudo env rm x", "ls | xargs -n1 rm"] {
        let expected = Some("Command 'rm' is not allowed in this mode");
        assert_eq!(reason(filter, line).as_deref(), expected, "{line}");
    }
}

#[test]
fn what_runs_is_decided_later_is_not_on_the_list() {
    let filter = "{allowedCommands: [ls, eval, bash]}";
    for line in ["$X", "\"$CMD\" a", "eval \"$X\"", "bash -c \"$X\"", "ls; `cat x`"] {
        assert!(reason(filter, line).is_some(), "{line}");
    }
}

#[test]
fn a_line_that_cannot_be_read_is_blocked_when_there_is_a_list() {
    for line in ["ls '", "ls $(", "if ls", "ls )"] {
        assert!(reason("{allowedCommands: [ls]}", line).is_some(), "{line}");
        assert_eq!(reason("{blockedPatterns: [rm]}", line), None, "{line}");
    }
}

#[test]
fn patterns_are_tried_on_the_line_and_on_each_command_as_it_would_run() {
    let filter = "{blockedPatterns: ['rm -rf', '^sudo', '> ', 'git push.*--force']}";
    for line in [
        "rm -rf x",
        "ls && rm -rf x",
        "r'm' -rf x",
        "rm  -rf x",
        "echo $(rm -rf x)",
        "ls; sudo a",
        "echo a > b",
        "git push origin main --force",
        "bash -c 'rm -rf x'",
        "find . -exec rm -rf {} ;",
    ] {
        let told = reason(filter, line).unwrap_or_default();
        assert!(told.starts_with("Command blocked by pattern: "), "{line}: {told}");
    }
    for line in ["rm x", "ls", "git push origin main", "echo sudo"] {
        assert_eq!(reason(filter, line), None, "{line}");
    }
}

#[test]
fn the_projects_patterns_hold_for_every_agent() {
    let global = [Pattern::new("curl .*\\| *sh").unwrap()];
    let Permission::Denied(denial) = judge("{}", &run("curl x | sh", Dialect::Posix), &global) else {
        panic!("allowed")
    };
    assert_eq!(denial.rule, Rule::GlobalBlockedPattern("curl .*\\| *sh".to_owned()));
    assert_eq!(judge("{}", &run("ls", Dialect::Posix), &global), Permission::Allowed);
}

#[test]
fn the_shells_of_windows_are_filtered_too() {
    let filter = "{allowedCommands: [git, Get-ChildItem]}";
    assert!(judge(filter, &run("git.exe status", Dialect::PowerShell), &[]).is_allowed());
    assert!(judge(filter, &run("get-childitem", Dialect::PowerShell), &[]).is_allowed());
    assert!(!judge(filter, &run("Remove-Item x", Dialect::PowerShell), &[]).is_allowed());
    assert!(!judge(filter, &run("git status & del x", Dialect::Cmd), &[]).is_allowed());
}

#[test]
fn a_shell_tool_that_hides_its_command_is_not_on_the_list() {
    let task = ToolCall {
        name: "run_task".to_owned(),
        input: json!({"task": "rm -rf"}),
        command: None,
        ..run("", Dialect::Posix)
    };
    assert!(!judge("{allowedCommands: [ls]}", &task, &[]).is_allowed());
    assert!(!judge("{blockedPatterns: [rm -rf]}", &task, &[]).is_allowed());
    assert!(judge("{blockedPatterns: [mkfs]}", &task, &[]).is_allowed());
}
