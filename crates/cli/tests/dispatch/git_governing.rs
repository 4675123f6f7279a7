//! Git commands that would change the files that govern the agent, in a real repository.

use std::process::Command;

use serde_json::json;
use testkit::Sandbox;

use crate::patient;

const FILE: &str = ".claude/settings.json";

/// A repository with one commit and an uncommitted registration.
fn repository() -> Sandbox {
    repository_with(|_| {})
}

/// The same with a committed manifest whose budgets leave git the time it needs on a busy machine.
fn patient_repository() -> Sandbox {
    repository_with(|sandbox| sandbox.manifest(&patient(json!({}))))
}

fn repository_with(prepare: impl FnOnce(&Sandbox)) -> Sandbox {
    let sandbox = Sandbox::new(env!("CARGO_BIN_EXE_steersman"));
    std::fs::remove_dir_all(sandbox.path(".git")).unwrap();
    git(&sandbox, &["init", "-q", "-b", "main"]);
    sandbox.write("src/a.ts", "a");
    prepare(&sandbox);
    git(&sandbox, &["add", "-A"]);
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
    // A repeated call in the same turn would get the earlier answer.
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

/// A repository whose registrations came with the second commit of `main`. Its branches: `old` at the first commit,
/// `feature` and `same` with the same registrations, `other` with another content of them.
fn history() -> Sandbox {
    let sandbox = patient_repository();
    sandbox.write(".gitignore", ".ai/tmp/\n");
    git(&sandbox, &["branch", "old"]);
    commit(&sandbox);
    git(&sandbox, &["switch", "-q", "-c", "other"]);
    sandbox.write(FILE, "{\"disableAllHooks\": true}");
    git(&sandbox, &["commit", "-q", "-a", "-m", "other"]);
    git(&sandbox, &["switch", "-q", "-c", "feature", "main"]);
    sandbox.write("src/b.ts", "b");
    git(&sandbox, &["add", "src", ".gitignore"]);
    git(&sandbox, &["commit", "-q", "-m", "b"]);
    git(&sandbox, &["branch", "same"]);
    git(&sandbox, &["switch", "-q", "main"]);
    sandbox
}

#[test]
fn a_move_to_a_commit_with_the_same_registrations_passes() {
    let sandbox = history();
    check(
        &sandbox,
        &[
            ("git switch feature", "allow"),
            ("git checkout feature", "allow"),
            ("git checkout feature --", "allow"),
            ("git checkout -b new feature", "allow"),
            ("git switch -c new", "allow"),
            ("git switch -", "allow"),
            ("git switch nowhere", "allow"),
            ("git branch new && git switch new", "allow"),
            ("git merge feature", "allow"),
            ("git merge --abort", "allow"),
            ("git rebase feature", "allow"),
            ("git rebase --continue", "allow"),
            ("git cherry-pick feature", "allow"),
            ("git cherry-pick main..feature", "allow"),
            ("git revert --no-edit feature", "allow"),
            ("git bisect start feature main", "allow"),
            ("git pull", "allow"),
            ("git pull origin feature", "allow"),
            ("git add src && git commit -m x && git switch feature", "allow"),
            ("git stash && git switch feature && git stash pop", "allow"),
            ("git worktree add ../w old", "allow"),
            ("git log old", "allow"),
            ("git diff old", "allow"),
            ("git branch new old", "allow"),
            ("git reset --soft old", "allow"),
        ],
    );
}

#[test]
fn a_move_to_a_commit_without_the_registrations_or_with_others_is_denied() {
    let sandbox = history();
    check(
        &sandbox,
        &[
            ("git switch old", "deny"),
            ("git switch --detach old", "deny"),
            ("git switch -c new old", "deny"),
            ("git switch -C new old", "deny"),
            ("git checkout old", "deny"),
            ("git checkout old --", "deny"),
            ("git checkout --detach old", "deny"),
            ("git checkout HEAD~1", "deny"),
            ("git checkout HEAD^", "deny"),
            ("git checkout ':/^a'", "deny"),
            ("git checkout -b new HEAD~1", "deny"),
            ("git checkout -q --merge old", "deny"),
            ("cd src && git switch old", "deny"),
            ("git -C src switch old", "deny"),
            ("bash -c 'git switch old'", "deny"),
            ("git -c alias.x='switch old' x", "deny"),
            ("git branch new old && git switch new", "deny"),
            ("git tag t old && git checkout t", "deny"),
            ("git switch other", "deny"),
            ("git merge other", "deny"),
            ("git merge -q --no-edit -m x other", "deny"),
            ("git pull . other", "deny"),
            ("git rebase other", "deny"),
            ("git rebase --onto old main", "deny"),
            ("git rebase -i old", "deny"),
            ("git rebase feature other", "deny"),
            ("git cherry-pick other", "deny"),
            ("git cherry-pick main..other", "deny"),
            ("git cherry-pick -n other", "deny"),
            ("git revert HEAD", "deny"),
            ("git revert --no-edit HEAD", "deny"),
            ("git revert -n old..main", "deny"),
            ("git bisect start main old", "deny"),
            ("git restore --source=old .", "deny"),
            ("git checkout old -- .", "deny"),
            ("git reset --hard old", "deny"),
            ("git reset --keep old", "deny"),
            ("git reset -q old && git stash", "deny"),
            ("git add -A && git commit -qm x && git switch old", "deny"),
        ],
    );
    let call = json!({"tool_name": "Bash", "tool_use_id": "t", "tool_input": {"command": "git switch old"}});
    let answer = sandbox.raw("PreToolUse", &call).to_string();
    assert!(answer.contains(FILE) && answer.contains("git-agent-settings"), "{answer}");
}

#[test]
fn a_revision_that_only_the_running_line_knows_is_asked_about_where_registrations_exist() {
    let sandbox = history();
    check(
        &sandbox,
        &[
            ("git switch \"$BRANCH\"", "ask"),
            ("git checkout $(cat wanted)", "ask"),
            ("git pull ../clone main", "ask"),
            ("git fetch /tmp/clone main && git merge FETCH_HEAD", "ask"),
            ("git fetch origin main && git merge FETCH_HEAD", "allow"),
        ],
    );
    let sandbox = repository();
    std::fs::remove_dir_all(sandbox.path(".claude")).unwrap();
    check(&sandbox, &[("git switch \"$BRANCH\"", "allow")]);
}

#[test]
fn files_from_a_commit_with_the_same_registrations_are_no_danger_to_them() {
    let sandbox = history();
    // Throwing work away is asked about or denied by other rules; this one has nothing to add.
    for command in ["git restore --source=feature .", "git checkout feature -- .", "git reset --hard feature"]
    {
        let call = json!({"tool_name": "Bash", "tool_use_id": command, "tool_input": {"command": command}});
        let answer = sandbox.raw("PreToolUse", &call).to_string();
        assert!(!answer.contains("git-agent-settings"), "{answer}");
    }
}

#[test]
fn a_branch_that_only_a_remote_has_is_judged_by_it() {
    let sandbox = history();
    git(&sandbox, &["update-ref", "refs/remotes/origin/theirs", "old"]);
    git(&sandbox, &["update-ref", "refs/remotes/origin/ours", "feature"]);
    check(
        &sandbox,
        &[
            ("git switch theirs", "deny"),
            ("git checkout -t origin/theirs", "deny"),
            ("git switch ours", "allow"),
            ("git pull origin ours", "allow"),
            ("git merge origin/ours", "allow"),
        ],
    );
    git(&sandbox, &["update-ref", "refs/remotes/origin/theirs", "other"]);
    check(&sandbox, &[("git pull origin theirs", "deny"), ("git pull --rebase origin theirs", "deny")]);
}

#[test]
fn registrations_in_packed_objects_are_compared_too() {
    let sandbox = history();
    git(&sandbox, &["gc", "-q"]);
    git(&sandbox, &["pack-refs", "--all"]);
    check(
        &sandbox,
        &[("git switch old", "deny"), ("git switch other", "deny"), ("git switch feature", "allow")],
    );
}

#[test]
fn a_registration_in_a_folder_below_is_not_taken_away_either() {
    let sandbox = patient_repository();
    sandbox.write(".gitignore", ".ai/tmp/\nbuilt/\n");
    commit(&sandbox);
    check(&sandbox, &[("git stash -u", "allow")]);
    sandbox.write("packages/deep/x/.codex/hooks.json", "{}");
    check(
        &sandbox,
        &[
            ("git stash -u", "deny"),
            ("git stash push -u -- packages", "deny"),
            ("git stash push -u -- src", "allow"),
            ("git stash", "allow"),
            ("git add -A && git stash", "deny"),
        ],
    );
    git(&sandbox, &["add", "packages"]);
    git(&sandbox, &["commit", "-q", "-m", "deep"]);
    check(&sandbox, &[("git stash -u", "allow"), ("git stash", "allow"), ("git switch -c x HEAD~1", "deny")]);
    sandbox.write("packages/deep/x/.codex/hooks.json", "{\"hooks\": []}");
    check(&sandbox, &[("git stash", "deny"), ("git stash -- src", "allow")]);
    git(&sandbox, &["checkout", "-q", "--", "packages"]);
    sandbox.write("built/.claude/settings.json", "{}");
    check(&sandbox, &[("git stash -u", "allow"), ("git stash -a", "deny")]);
}

#[test]
fn a_stash_that_holds_registrations_is_not_applied() {
    let sandbox = history();
    sandbox.write(FILE, "{\"hooks\": {}}");
    git(&sandbox, &["stash", "-q"]);
    check(&sandbox, &[("git stash pop", "deny"), ("git stash apply 0", "deny"), ("git stash list", "allow")]);
    git(&sandbox, &["stash", "drop", "-q"]);
    sandbox.write(".mcp.json", "{}");
    git(&sandbox, &["stash", "-q", "-u"]);
    check(&sandbox, &[("git stash pop", "deny"), ("git stash branch x", "deny")]);
    git(&sandbox, &["stash", "drop", "-q"]);
    sandbox.write("src/a.ts", "changed");
    git(&sandbox, &["stash", "-q"]);
    check(&sandbox, &[("git stash pop", "allow"), ("git stash apply stash@{0}", "allow")]);
}

#[test]
fn git_runs_no_program_that_the_repository_configures() {
    let sandbox = history();
    let mark = sandbox.path("ran");
    let program = sandbox.path("program");
    std::fs::write(&program, format!("#!/bin/sh\ntouch {}\n", mark.display())).unwrap();
    #[cfg(unix)]
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let program = program.display().to_string();
    for key in
        ["core.fsmonitor", "core.pager", "diff.external", "core.sshCommand", "core.alternateRefsCommand"]
    {
        git(&sandbox, &["config", key, &program]);
    }
    sandbox.write(".git/hooks/post-checkout", format!("#!/bin/sh\n{program}\n"));
    let _ = std::fs::remove_file(&mark);
    check(
        &sandbox,
        &[
            ("git switch feature", "allow"),
            ("git switch old", "deny"),
            ("git merge other", "deny"),
            ("git stash -u", "allow"),
            ("git revert HEAD", "deny"),
            ("git cherry-pick main..other", "deny"),
        ],
    );
    assert!(!mark.exists());
}

#[test]
fn an_archive_of_unknown_names_is_asked_about_only_where_registrations_would_be_replaced() {
    let sandbox = repository();
    std::fs::create_dir_all(sandbox.path("out")).unwrap();
    check(
        &sandbox,
        &[
            ("tar xf a.tar", "ask"),
            ("tar -xzf a.tgz -C .", "ask"),
            ("tar xf a.tar -C out -C ..", "ask"),
            ("tar xf a.tar .", "ask"),
            ("git archive old | tar x", "ask"),
            ("cat a.tgz | tar xz", "ask"),
            ("bsdtar xf a.zip", "ask"),
            ("unzip a.zip", "ask"),
            ("unzip -o a.zip", "ask"),
            ("unzip -o a.zip '*'", "ask"),
            ("cpio -idu < a.cpio", "ask"),
            ("7z x a.7z", "ask"),
            ("jar xf a.jar", "ask"),
            ("python3 -m zipfile -e a.zip .", "ask"),
            ("pax -r -f a.pax", "ask"),
            ("tar xkf a.tar", "allow"),
            ("tar xf a.tar --keep-old-files", "allow"),
            ("tar xf a.tar -C out", "allow"),
            ("cd out && tar xf ../a.tar", "allow"),
            ("tar xf a.tar src", "allow"),
            ("tar tf a.tar", "allow"),
            ("tar xOf a.tar", "allow"),
            ("tar czf a.tgz src", "allow"),
            ("unzip -n a.zip", "allow"),
            ("unzip a.zip -d out", "allow"),
            ("unzip -l a.zip", "allow"),
            ("7z x a.7z -oout", "allow"),
        ],
    );
    std::fs::remove_dir_all(sandbox.path(".claude")).unwrap();
    check(
        &sandbox,
        &[("tar xf a.tar", "allow"), ("unzip -o a.zip", "allow"), ("cpio -id < a.cpio", "allow")],
    );
}

#[test]
fn programs_that_edit_in_place_do_not_reach_them() {
    let sandbox = repository();
    check(
        &sandbox,
        &[
            ("npx json -I -f .claude/settings.json -e 'this.hooks={}'", "deny"),
            ("json -I -f .claude/settings.json -e 'this.hooks={}'", "deny"),
            ("yq -i 'del(.hooks)' .claude/settings.json", "deny"),
            ("jaq -i 'del(.hooks)' .claude/settings.json", "deny"),
            ("fx .claude/settings.json 'delete x.hooks' save", "deny"),
            ("mmv '.claude/*' 'old-#1'", "deny"),
            ("mmv 'new/*' '.claude/#1'", "deny"),
            ("prename 's/settings/x/' .claude/settings.json", "deny"),
            ("frobnicate --file=.claude/settings.json", "ask"),
            ("npx edit-json-file .claude/settings.json", "ask"),
            ("json -f .claude/settings.json hooks", "allow"),
            ("mmv '*.txt' '#1.md'", "allow"),
            ("frobnicate src/a.ts", "allow"),
        ],
    );
}
