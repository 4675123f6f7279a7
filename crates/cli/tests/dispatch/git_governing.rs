//! What git would do to the files that govern the agent, in a real repository.

use std::process::Command;

use serde_json::json;
use testkit::Sandbox;

const FILE: &str = ".claude/settings.json";

/// A repository with one commit, and a registration that is not in it.
fn repository() -> Sandbox {
    let sandbox = Sandbox::new(env!("CARGO_BIN_EXE_steersman"));
    std::fs::remove_dir_all(sandbox.path(".git")).unwrap();
    git(&sandbox, &["init", "-q", "-b", "main"]);
    sandbox.write("src/a.ts", "a");
    git(&sandbox, &["add", "src"]);
    git(&sandbox, &["commit", "-q", "-m", "a"]);
    sandbox.write(FILE, "{}");
    sandbox
}

fn git(sandbox: &Sandbox, args: &[&str]) {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    let status = Command::new("git").args(identity).args(args).current_dir(sandbox.root()).status();
    assert!(status.unwrap().success(), "{args:?}");
}

fn commit(sandbox: &Sandbox) {
    git(sandbox, &["add", ".claude"]);
    git(sandbox, &["commit", "-q", "-m", "registrations"]);
}

fn decision(sandbox: &Sandbox, command: &str) -> String {
    // The same call of the same turn would be answered as before.
    let id = format!("{command} {:?}", std::time::Instant::now());
    let call = json!({"tool_name": "Bash", "tool_use_id": id, "tool_input": {"command": command}});
    sandbox.raw("PreToolUse", &call)["decision"].as_str().unwrap_or_default().to_owned()
}

fn check(sandbox: &Sandbox, expected: &[(&str, &str)]) {
    for (command, expected) in expected {
        assert_eq!(decision(sandbox, command), *expected, "{command}");
    }
}

#[test]
fn a_registration_that_git_does_not_know_is_not_stashed_away() {
    let sandbox = repository();
    check(
        &sandbox,
        &[
            ("git stash", "allow"),
            ("git stash -u", "deny"),
            ("git stash -a", "deny"),
            ("cd src && git stash -u", "deny"),
            ("git stash push -u -- src", "allow"),
            ("git add -A && git stash", "deny"),
            ("git switch main", "allow"),
            ("git checkout main", "allow"),
            ("git pull", "allow"),
            ("git sparse-checkout set src", "allow"),
        ],
    );
    let call = json!({"tool_name": "Bash", "tool_use_id": "t", "tool_input": {"command": "git stash -u"}});
    let answer = sandbox.raw("PreToolUse", &call).to_string();
    assert!(answer.contains(FILE) && answer.contains("git stash push -- src/"), "{answer}");
}

#[test]
fn one_that_is_staged_or_changed_is_not_stashed_away_either() {
    let sandbox = repository();
    git(&sandbox, &["add", FILE]);
    check(&sandbox, &[("git stash", "deny"), ("git stash push -m x", "deny"), ("git stash -- src", "allow")]);
    commit(&sandbox);
    check(&sandbox, &[("git stash", "allow"), ("git stash push -m x", "allow")]);
    sandbox.write(FILE, "{\"hooks\": {}}");
    check(&sandbox, &[("git stash", "deny"), ("git stash -k", "deny"), ("git stash pop", "allow")]);
}

#[test]
fn one_that_is_committed_stays_in_no_ones_way() {
    let sandbox = repository();
    commit(&sandbox);
    check(
        &sandbox,
        &[
            ("git stash", "allow"),
            ("git stash -u", "allow"),
            ("git switch -c feature", "allow"),
            ("git switch main", "allow"),
            ("git pull --rebase", "allow"),
            ("git merge main", "allow"),
            ("git rebase main", "allow"),
            ("git switch --orphan x", "deny"),
            ("git sparse-checkout set src", "deny"),
            ("git sparse-checkout set src .claude", "allow"),
            ("git rm -rf .", "deny"),
            ("git read-tree -m -u HEAD~1", "deny"),
            ("git checkout HEAD~1 -- .claude", "deny"),
            ("git restore -s HEAD~1 -- '*.json'", "deny"),
        ],
    );
}

#[test]
fn without_registrations_nothing_is_in_the_way() {
    let sandbox = repository();
    std::fs::remove_dir_all(sandbox.path(".claude")).unwrap();
    check(
        &sandbox,
        &[("git stash -u", "allow"), ("git add -A && git stash", "allow"), ("git stash", "allow")],
    );
}
