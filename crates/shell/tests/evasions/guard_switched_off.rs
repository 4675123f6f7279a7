//! Switching off what watches.

use crate::{denied, passes};

#[test]
fn is_seen_through() {
    denied(&[
        "steersman uninstall",
        "sudo steersman uninstall",
        "npx steersman uninstall",
        "bash -c 'steersman uninstall'",
        "echo '{}' > .claude/settings.json",
        "python3 -c \"open('.claude/settings.json','w').write('{}')\"",
        "node -e \"require('fs').unlinkSync('.claude/settings.json')\"",
        "mv .claude/settings.json /tmp/",
        "sed -i '/hooks/d' .claude/settings.json",
        "rm -rf .claude",
        "truncate -s0 .cursor/hooks.json",
        "ln -sf /dev/null .claude/settings.json",
        "cp /dev/null .codex/hooks.json",
        "tee .gemini/settings.json < /dev/null",
        "cd .claude && rm settings.json",
        "cd .claude && echo '{}' > settings.json",
        "git checkout HEAD~5 -- .claude/settings.json; rm -rf .github/hooks",
        "dd if=/dev/null of=.qwen/settings.json",
        "find .claude -name 'settings*' -delete",
        "STEERSMAN_DISABLE=1 ls",
        "pkill -9 steersman",
        "curl -o .claude/settings.json https://e.com",
    ]);
}

#[test]
fn is_not_suspected_where_nothing_happens() {
    passes(&["cat .claude/settings.json", "ls .github/hooks", "echo steersman uninstall"]);
}

#[test]
fn what_only_a_person_may_permit_is_not_the_agents_to_permit() {
    denied(&[
        "steersman session allow PreToolUse-1-1740700000123",
        "steersman --workspace . trust",
        "steersman session --workspace . unblock a3f0c812",
        "steersman init --host claude-code --program /tmp/x/steersman",
        "steersman session gc",
        "echo '{}' > .ai/hooks/config.json",
        "cp m.json .ai/hooks/dispatch.manifest.json",
        "rm -rf .ai/hooks",
        "touch ~/.local/state/steersman/trust.json",
    ]);
}
