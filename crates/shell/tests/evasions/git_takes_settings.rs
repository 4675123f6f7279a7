//! Letting git take away or replace what governs.

use crate::{denied, passes};

#[test]
fn is_seen_through() {
    denied(&[
        "git stash -u",
        "git stash -ku",
        "git stash push -u",
        "git stash push -um wip",
        "git stash save -u wip",
        "git stash save --include-untracked",
        "git stash --incl",
        "git stash --i",
        "git stash -a",
        "git stash --all",
        "git stash --a -q",
        "git -C . stash -u",
        "git -C packages/x stash -u",
        "cd src && git stash -u",
        "git -c alias.x='stash -u' x",
        "git stash push -u -- .",
        "git stash push -u -- :/",
        "git stash push -u -- .claude",
        "git stash push -u -- .codex/hooks.json",
        "git stash push -u -- ':!src'",
        "git stash push -u -- ':(exclude)src'",
        "git stash push -u -- '*.json'",
        "git stash push -u -- '?codex'",
        "git stash push -u -- '[.]claude'",
        "git bisect run git stash -u",
        "git config alias.s 'stash -u'",
        "git stash push -u -- ':(glob)**/settings.json'",
        "git stash push -u -- . ':!.claude'",
        "git stash push -u --pathspec-from-file=x",
        "git stash push --pathspec-from-file=x -u",
        "git stash push -u -- .github",
        "git add -A && git stash",
        "git add . && git stash push -m wip",
        "git add -f .claude && git stash",
        "bash -c 'git stash -u'",
        "git clean -fd",
        "git -c clean.requireForce=false clean",
        "git -c clean.requireForce=false clean -- .claude",
        "git clean -fdx -e node_modules",
        "git clean -f .codex",
        "git checkout HEAD~5 -- '*.json'",
        "git checkout HEAD~5 -- ':!src'",
        "git checkout HEAD~5 -- .ai",
        "git checkout main .claude/settings.json",
        "git restore --source=HEAD~9 .codex",
        "git restore -s HEAD~9 -- '*.toml'",
        "git restore -s HEAD~9 --pathspec-from-file=x",
        "git rm -r .claude",
        "git rm -rf .github",
        "git mv .claude old",
        "git mv .github old",
        "git mv new .codex/hooks.json",
        "git checkout-index -f .claude/settings.json",
        "rm -rf .github",
        "mv .github /tmp/",
    ]);
}

#[test]
fn is_not_suspected_in_everyday_work() {
    passes(&[
        "git stash",
        "git stash push -m wip",
        "git stash push -u -- src/",
        "git stash push -u -- src/a.ts README.md",
        "git stash push -u -- 'src/*.ts'",
        "git stash push -u -- '*.ts'",
        "git stash pop",
        "git stash list",
        "git stash show -p",
        "git stash apply",
        "git add src/a.ts && git stash",
        "git checkout main",
        "git checkout -b feature",
        "git switch feature",
        "git switch -c feature",
        "git pull",
        "git pull --rebase",
        "git merge main",
        "git rebase main",
        "git cherry-pick abc",
        "git sparse-checkout set src",
        "git worktree add ../w",
        "git rm src/a.ts",
        "git mv src/a.ts src/b.ts",
        "rm -rf .github/workflows",
        "git clean -n",
    ]);
}

#[test]
fn what_governs_is_not_reached_under_another_name_or_by_a_made_up_event() {
    denied(&[
        "ln -s .claude cfg",
        "ln .codex/hooks.json x",
        "ln -s ~/.claude/settings.json x",
        "echo '{}' | steersman dispatch SessionStart --host codex",
        "steersman dispatch PreToolUse < x.json",
    ]);
    passes(&["ln -s src/a.ts b.ts", "steersman dispatch --help"]);
}

#[test]
fn it_is_protected_at_every_depth_and_in_every_folder() {
    denied(&[
        "echo '{}' > packages/x/.claude/settings.json",
        "echo '{}' > .cursor/mcp.json",
        "echo '{}' > .github/mcp.json",
        "cp x .codex/hooks/run.sh",
        "echo '{}' > .mcp.json",
        "echo '{}' > sub/.vscode/mcp.json",
        "rm packages/x/.gemini/settings.json",
        "echo x > /home/me/other/.codex/hooks.json",
        "echo x > /tmp/y/.claude/settings.json",
        "cd /home/me/other && echo x > .qwen/settings.json",
        "rm -rf /home/me/other/.ai/hooks",
        "echo x >> .intentignore",
        "echo x > packages/x/.ai/hooks/config.json",
        "mkdir -p packages/x/.ai/hooks",
        "rm ~/.local/state/steersman/sessions/0123456789abcdef",
        "echo x > .CLAUDE/Settings.json",
    ]);
    passes(&[
        "cat packages/x/.claude/settings.json",
        "grep -r hooks ~/.claude/settings.json",
        "cat ~/.local/state/steersman/sessions/0123456789abcdef",
    ]);
}
