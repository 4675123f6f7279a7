//! Rules about the files, addresses and statements of a tool that needs no shell.
//!
//! A file tool must not write a file that a command must not write. Rules that deny apply, those that a project has set
//! itself, and those about secrets and git's own settings: agent programs keep notes and plans outside of the
//! workspace, and ask the user themselves before they leave it.

use super::paths::{rule_of_removal, rule_of_write};
use super::rule::{Level, Rule};
use super::zone::Ground;
use super::{MovedSettings, Policy, RuleId};
use crate::{network, secrets};

/// The use that a tool makes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It makes or changes it.
    Write,
    /// It removes it.
    Remove,
    /// It shows its content to the model.
    Read,
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
    /// Where the user moved the settings of agent programs to.
    pub moved_settings: &'a [MovedSettings],
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
        moved_settings: around.moved_settings,
    };
    let id = match change {
        Change::Write => rule_of_write(path, path, ground)?,
        Change::Remove => rule_of_removal(path, ground)?,
        Change::Read if path == ground.home => return None,
        Change::Read if secrets::is_credential_store(path, ground.home) => RuleId::SecretRead,
        Change::Read if secrets::is_environment_file(path) || secrets::is_project_key(path) => {
            RuleId::SecretShown
        }
        Change::Read => return None,
    };
    let rule = super::rule(id);
    let is_set = policy.is_set(id);
    let level = policy.level(id, rule.level);
    // These asks are about what any tool does to a secret, to git's hooks or to definitions that may declare hooks of
    // the agent program, not about leaving the workspace.
    let is_for_tools = matches!(
        id,
        RuleId::SecretRead | RuleId::SecretShown | RuleId::RepositorySettings | RuleId::SharedSettings
    );
    (is_set || is_for_tools || level == Level::Deny).then_some((rule, level))
}

/// Returns the rule that speaks against opening an address, with its level under the policy.
pub fn of_address(address: &str, policy: &Policy) -> Option<(&'static Rule, Level)> {
    let id = network::is_metadata_url(address).then_some(RuleId::CloudMetadata)?;
    let rule = super::rule(id);
    Some((rule, policy.level(id, rule.level)))
}

/// Returns the rule that speaks against a statement for a database, with its level under the policy.
pub fn of_statement(text: &str, policy: &Policy) -> Option<(&'static Rule, Level)> {
    let id = crate::programs::rule_of_statement(text, false)?;
    let rule = super::rule(id);
    Some((rule, policy.level(id, rule.level)))
}

/// Returns the host of an address. Returns `None` if it is this machine, or if the address names none.
pub fn remote_host(address: &str) -> Option<&str> {
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    if matches!(scheme, "file" | "data" | "about") || network::is_local_url(address) {
        return None;
    }
    let host = rest.split(['/', '?', '#', '\\']).next().unwrap_or(rest);
    let host = host.rsplit('@').next().unwrap_or(host);
    let host = match host.strip_prefix('[') {
        Some(bracketed) => bracketed.split(']').next().unwrap_or(bracketed),
        None => host.split(':').next().unwrap_or(host),
    };
    (!host.is_empty()).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(workspace: &str) -> Around<'_> {
        Around { workspace, home: Some("/home/me"), user_state: Some("/srv/state"), moved_settings: &[] }
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
            ("/home/me/.codex/fast.config.toml", "agent-settings"),
            ("/home/me/.env", "agent-settings"),
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
            "/home/me/w/.vscode/launch.json",
            "/home/me/w/fixtures/.bashrc",
            "/home/me/w/.env",
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
    fn the_user_decides_before_a_secret_is_shown_or_git_gets_a_hook() {
        for (path, expected) in [
            ("/home/me/.aws/credentials", Some("secret-read")),
            ("/home/me/.ssh/id_ed25519", Some("secret-read")),
            ("/home/me/w/.env", Some("secret-shown")),
            ("/home/me/w/tls/server.key", Some("secret-shown")),
            ("/home/me/w/tls/cert.key", Some("secret-shown")),
            ("/home/me/w/ca-key.pem", Some("secret-shown")),
            ("/home/me/w/keychain.p12", Some("secret-shown")),
            ("/home/me/w/tls/cert.pem", None),
            ("/home/me/w/prod.env", Some("secret-shown")),
            ("/home/me/w/.env_prod", Some("secret-shown")),
            ("/home/me/w/.dev.vars", Some("secret-shown")),
            ("/home/me/w/secrets.toml", Some("secret-shown")),
            ("/home/me/w/terraform.tfstate", Some("secret-shown")),
            ("/home/me/w/gcp-service-account.json", Some("secret-shown")),
            ("/home/me/w/.aws/credentials", Some("secret-read")),
            ("/home/me/w/docker/.netrc", Some("secret-read")),
            ("/srv/copy/.git-credentials", Some("secret-read")),
            ("/home/me/w/.npmrc", None),
            ("/home/me/w/.git/config", None),
            ("/home/me/w/src/env.rs", None),
            ("/home/me/w/config/test.env", None),
            ("/home/me/w/.env.example", None),
            ("/home/me/.ssh/id_ed25519.pub", None),
            ("/home/me/w/src/main.rs", None),
        ] {
            assert_eq!(rule(path, Change::Read), expected, "{path}");
        }
        assert_eq!(rule("/home/me/w/.git/hooks/pre-commit", Change::Write), Some("repository-settings"));
    }

    #[test]
    fn addresses_and_statements_have_the_rules_of_commands() {
        let policy = Policy::default();
        let of = |found: Option<(&'static Rule, Level)>| found.map(|(rule, _)| rule.id.name());
        assert_eq!(of(of_address("http://169.254.169.254/latest", &policy)), Some("cloud-metadata"));
        assert_eq!(of(of_address("https://example.org/", &policy)), None);
        assert_eq!(of(of_statement("DROP TABLE users", &policy)), Some("database-drop"));
        assert_eq!(of(of_statement("SELECT 1", &policy)), None);
        assert_eq!(remote_host("https://me:pw@a.org:8080/x?y"), Some("a.org"));
        assert_eq!(remote_host("http://localhost:3000/"), None);
        assert_eq!(remote_host("file:///etc/passwd"), None);
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
