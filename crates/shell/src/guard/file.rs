//! Rules about a file that a tool is about to change without a shell.
//!
//! A file tool must not write a file that a command must not write. Only rules that deny apply, and those that a
//! project has set itself: agent programs keep notes and plans outside of the workspace, and ask the user themselves
//! before they leave it.

use super::Policy;
use super::paths::{rule_of_removal, rule_of_write};
use super::rule::{Level, Rule};
use super::zone::Ground;

/// The use that a tool makes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It makes or changes it.
    Write,
    /// It removes it.
    Remove,
}

/// The folders around a file, absolute and without `.` and `..`.
#[derive(Debug, Clone, Copy)]
pub struct Around<'a> {
    /// The folder that is the agent's to change.
    pub workspace: &'a str,
    /// The user's home, where it is known.
    pub home: Option<&'a str>,
    /// Where steersman keeps the user's own state, where it is known.
    pub user_state: Option<&'a str>,
}

/// Returns the rule that speaks against a change, with its level under the policy.
/// All paths absolute and without `.` and `..`.
pub fn of_file(
    path: &str,
    change: Change,
    around: &Around<'_>,
    policy: &Policy,
) -> Option<(&'static Rule, Level)> {
    let ground = Ground {
        workspace: around.workspace,
        home: around.home.unwrap_or("/~"),
        user_state: around.user_state,
    };
    let id = match change {
        Change::Write => rule_of_write(path, path, ground)?,
        Change::Remove => rule_of_removal(path, ground)?,
    };
    let rule = super::rule(id);
    let is_set = policy.levels.iter().any(|(known, _)| *known == id);
    let level = policy.level(id, rule.level);
    (is_set || level == Level::Deny).then_some((rule, level))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::RuleId;

    fn around(workspace: &str) -> Around<'_> {
        Around { workspace, home: Some("/home/me"), user_state: Some("/srv/state") }
    }

    fn rule(path: &str, change: Change) -> Option<&'static str> {
        of_file(path, change, &around("/home/me/w"), &Policy::default()).map(|(rule, _)| rule.id.name())
    }

    #[test]
    fn what_a_command_may_not_change_no_tool_may() {
        for (path, expected) in [
            ("/home/me/.bashrc", "write-startup"),
            ("/home/me/.ssh/authorized_keys", "write-keys"),
            ("/etc/hosts", "write-system"),
            ("/dev/sda", "write-device"),
            ("/home/me/.claude/settings.json", "agent-settings"),
            ("/home/me/w/.ai/hooks/config.json", "agent-settings"),
            ("/home/me/w/deep/inside/.ai/hooks/config.json", "agent-settings"),
            ("/home/me/w/inside/.orchestration/active_intents.yaml", "agent-settings"),
            ("/home/me/w/packages/x/.claude/settings.json", "agent-settings"),
            ("/home/me/other/.codex/hooks.json", "agent-settings"),
            ("/tmp/made/.cursor/mcp.json", "agent-settings"),
            ("/home/me/w/.github/mcp.json", "agent-settings"),
            ("/home/me/w/.intentignore", "agent-settings"),
            ("/srv/state/sessions/0123456789abcdef", "agent-settings"),
        ] {
            assert_eq!(rule(path, Change::Write), Some(expected), "{path}");
        }
        assert_eq!(rule("/home/me/.bashrc", Change::Remove), Some("delete-user-settings"));
        assert_eq!(rule("/etc/hosts", Change::Remove), Some("delete-system"));
    }

    #[test]
    fn ordinary_files_and_the_agents_own_notes_are_nobodys_business() {
        for path in [
            "/home/me/w/src/main.rs",
            "/home/me/w/.vscode/settings.json",
            "/home/me/w/fixtures/.bashrc",
            "/home/me/.claude/plans/merry-fox.md",
            "/home/me/.claude/projects/x/memory/MEMORY.md",
            "/tmp/notes.txt",
            "/home/me/other/readme.md",
        ] {
            assert_eq!(rule(path, Change::Write), None, "{path}");
            assert_eq!(rule(path, Change::Remove), None, "{path}");
        }
    }

    #[test]
    fn a_project_may_say_otherwise() {
        let policy = Policy {
            levels: vec![(RuleId::WriteOutside, Level::Ask), (RuleId::WriteStartup, Level::Off)],
            exceptions: Vec::new(),
        };
        let level = |path| of_file(path, Change::Write, &around("/w"), &policy).map(|(_, level)| level);
        assert_eq!(level("/home/me/x.md"), Some(Level::Ask));
        assert_eq!(level("/home/me/.bashrc"), Some(Level::Off));
    }
}
