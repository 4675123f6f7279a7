//! Whose a path is: the workspace's, the user's, the system's.

use crate::path::is_within;
use crate::secrets::below_home;

/// Whose a path is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zone {
    /// `/` itself.
    Root,
    /// A disk or another device.
    Device,
    /// Folders of the operating system.
    System,
    /// Below `/usr/local` and `/opt`: the system's, but meant to be added to.
    Addon,
    /// A home folder itself, or the folder of all homes.
    Home,
    /// Files the shell or the session runs at its start.
    Startup,
    /// Keys and who may log in.
    Keys,
    /// Settings of agents and of the guard itself.
    AgentSettings,
    /// Settings an agent program reads, of less weight.
    EditorSettings,
    /// Caches below a home.
    Cache,
    /// Below a home, outside of the workspace.
    InHome,
    /// The workspace itself, or a folder it lies in.
    Workspace,
    /// The repository's own folder.
    Repository,
    /// What git runs or obeys.
    RepositorySettings,
    /// Inside of the workspace.
    Inside,
    /// The folder for temporary files itself.
    TmpRoot,
    /// Below a folder for temporary files.
    Tmp,
    /// Anywhere else.
    Outside,
}

/// Where a path lies.
pub(super) fn zone(path: &str, workspace: &str, home: &str) -> Zone {
    if path == "/" || is_drive(path) {
        return Zone::Root;
    }
    if is_within(path, "/dev") {
        return if is_within(path, "/dev/shm") && path != "/dev/shm" { Zone::Tmp } else { Zone::Device };
    }
    if is_agent_settings(path, workspace, home) {
        return Zone::AgentSettings;
    }
    // Before the workspace and the temporary folders: who works in a home folder, or has one
    // below `/tmp`, keeps keys and start-up files there all the same.
    let own = path.strip_prefix(home).and_then(|rest| rest.strip_prefix('/')).filter(|_| home != "/");
    let precious = own.map(below).filter(|zone| matches!(zone, Zone::Startup | Zone::Keys));
    if let Some(precious) = precious {
        return precious;
    }
    if is_within(path, workspace) && workspace != "/" {
        return if path == home { Zone::Home } else { inside(path, workspace) };
    }
    if is_within(workspace, path) && workspace != "/" {
        return if path == home || is_home(path) { Zone::Home } else { Zone::Workspace };
    }
    if path == home || is_home(path) {
        return Zone::Home;
    }
    if is_tmp_root(path) {
        return Zone::TmpRoot;
    }
    let is_below_tmp =
        ["/tmp", "/var/tmp", "/private/tmp", "/var/folders", "/private/var/folders", "/private/var/tmp"]
            .iter()
            .any(|base| is_within(path, base));
    if is_below_tmp && own.is_none() {
        return Zone::Tmp;
    }
    if let Some(rest) = below_home(path, home) {
        return below(rest);
    }
    if ["/usr/local", "/opt", "/srv", "/mnt", "/media", "/Volumes"]
        .iter()
        .any(|base| is_within(path, base) && path != *base)
    {
        return Zone::Addon;
    }
    if is_windows_system(path) {
        return Zone::System;
    }
    if SYSTEM.iter().any(|base| is_within(path, base)) {
        return Zone::System;
    }
    Zone::Outside
}

const SYSTEM: [&str; 24] = [
    "/etc",
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/boot",
    "/sys",
    "/proc",
    "/var",
    "/opt",
    "/run",
    "/srv",
    "/mnt",
    "/media",
    "/root",
    "/snap",
    "/System",
    "/Library",
    "/Applications",
    "/private/etc",
    "/Volumes",
    "/nix",
];

/// `/home`, `/home/you`, `/Users/you`, `/root`.
fn is_home(path: &str) -> bool {
    matches!(path, "/home" | "/Users" | "/root")
        || path.get(2..) == Some("/users")
        || ["/home/", "/Users/"]
            .iter()
            .any(|base| path.strip_prefix(base).is_some_and(|rest| !rest.is_empty() && !rest.contains('/')))
}

/// The folder for temporary files itself.
pub(super) fn is_tmp_root(path: &str) -> bool {
    matches!(path, "/tmp" | "/var/tmp" | "/private/tmp" | "/var/folders" | "/private/var/tmp")
}

/// `/c`: a drive of Windows.
fn is_drive(path: &str) -> bool {
    path.len() == 2 && path.as_bytes()[1].is_ascii_lowercase()
}

fn is_windows_system(path: &str) -> bool {
    let rest = path.get(2..).unwrap_or("");
    ["/windows", "/program files", "/program files (x86)", "/programdata"]
        .iter()
        .any(|base| is_within(rest, base))
        && path.as_bytes().get(2) == Some(&b'/')
}

fn inside(path: &str, workspace: &str) -> Zone {
    let rest = path.strip_prefix(workspace).unwrap_or("").trim_start_matches('/');
    if rest.is_empty() {
        return Zone::Workspace;
    }
    if rest == ".git" {
        return Zone::Repository;
    }
    match rest.strip_prefix(".git/") {
        Some(inner) if inner.starts_with("hooks") || inner == "config" => Zone::RepositorySettings,
        // Lock files and leftovers of an interrupted git are removed every day.
        Some(inner)
            if inner.ends_with(".lock")
                || inner.starts_with("rebase-")
                || inner.starts_with("MERGE_")
                || inner == "COMMIT_EDITMSG"
                || inner.starts_with("info/") =>
        {
            Zone::Inside
        }
        Some(_) => Zone::Repository,
        None if matches!(
            rest,
            ".vscode/settings.json"
                | ".vscode/tasks.json"
                | ".vscode/mcp.json"
                | ".mcp.json"
                | ".idea/workspace.xml"
        ) =>
        {
            Zone::EditorSettings
        }
        None => Zone::Inside,
    }
}

/// A path below a home folder.
fn below(rest: &str) -> Zone {
    const STARTUP: [&str; 30] = [
        ".bashrc",
        ".bash_profile",
        ".bash_login",
        ".bash_logout",
        ".bash_aliases",
        ".profile",
        ".zshrc",
        ".zshenv",
        ".zprofile",
        ".zlogin",
        ".zlogout",
        ".kshrc",
        ".cshrc",
        ".tcshrc",
        ".login",
        ".inputrc",
        ".xinitrc",
        ".xprofile",
        ".pam_environment",
        ".config/fish/config.fish",
        ".config/fish/conf.d",
        ".config/autostart",
        ".config/systemd",
        ".config/powershell",
        "Documents/PowerShell",
        "documents/powershell",
        "documents/windowspowershell",
        "Library/LaunchAgents",
        ".oh-my-zsh",
        ".gitconfig",
    ];
    if STARTUP
        .iter()
        .any(|name| rest == *name || rest.strip_prefix(name).is_some_and(|tail| tail.starts_with('/')))
    {
        return Zone::Startup;
    }
    if rest == ".ssh"
        || rest.starts_with(".ssh/")
        || rest == ".gnupg"
        || rest.starts_with(".gnupg/")
        || rest.starts_with(".aws/")
        || rest == ".kube/config"
        || rest == ".netrc"
    {
        return Zone::Keys;
    }
    if [
        ".cache",
        ".npm",
        ".cargo/registry",
        ".cargo/git",
        ".gradle/caches",
        ".m2/repository",
        "Library/Caches",
        ".yarn/cache",
        ".pnpm-store",
        ".local/share/Trash",
        "Library/Developer/Xcode/DerivedData",
        ".rustup/tmp",
        ".bun/install/cache",
    ]
    .iter()
    .any(|name| rest == *name || rest.strip_prefix(name).is_some_and(|tail| tail.starts_with('/')))
    {
        return Zone::Cache;
    }
    Zone::InHome
}

/// The folder in which a subagent leaves its results: the only part of our state that is an
/// agent's to write, `.ai/tmp/<sid>/<module>/output/sa/<role>/<aid>/…`.
fn is_subagents_own(rest: &str) -> bool {
    let parts: Vec<&str> = rest.split('/').collect();
    let [".ai", "tmp", session, _module, "output", "sa", _role, _agent, file @ ..] = parts.as_slice() else {
        return false;
    };
    let is_session = session.len() == 8 && session.bytes().all(|b| b.is_ascii_hexdigit());
    is_session && !file.is_empty() && !parts.iter().any(|part| matches!(*part, "" | "." | ".."))
}

/// Settings that decide what an agent may do, in the workspace or in the home.
///
/// A folder that has them would be a workspace to who steps into it, so they count at every depth.
pub(super) fn is_agent_settings(path: &str, workspace: &str, home: &str) -> bool {
    const FILES: [&str; 20] = [
        ".claude/settings.json",
        ".claude/settings.local.json",
        ".claude/hooks",
        ".claude/managed-settings.json",
        ".github/hooks",
        ".cursor/hooks.json",
        ".cursor/hooks",
        ".cursor/permissions.json",
        ".codex/config.toml",
        ".codex/hooks.json",
        ".gemini/settings.json",
        ".qwen/settings.json",
        ".copilot/config.json",
        ".orchestration",
        ".ai/hooks/dispatch.manifest.json",
        ".ai/hooks/config.json",
        ".ai/hooks/rlm-policy.json",
        ".ai/hooks/followup-rules.json",
        ".ai/hooks/workspace.json",
        ".local/state/steersman",
    ];
    if path.ends_with("/bin/steersman") {
        return true;
    }
    let rest = [workspace, home]
        .iter()
        .find_map(|base| path.strip_prefix(base).and_then(|rest| rest.strip_prefix('/')));
    let Some(rest) = rest.or_else(|| below_home(path, home)) else {
        return is_within(path, "/etc/claude-code");
    };
    FILES
        .iter()
        .any(|file| rest == *file || rest.strip_prefix(file).is_some_and(|tail| tail.starts_with('/')))
        || rest.starts_with(".copilot/hooks")
        || rest.starts_with(".config/steersman")
        || is_within(rest, ".steersman")
        || matches!(rest, ".ai" | ".ai/hooks")
        || (rest.starts_with(".ai/tmp") && !is_subagents_own(rest))
        || matches!(rest, ".claude" | ".cursor" | ".codex" | ".gemini" | ".qwen" | ".copilot")
        || makes_a_workspace(rest)
}

/// A file or folder below the top that would have steersman take where it lies for a workspace.
fn makes_a_workspace(rest: &str) -> bool {
    const NAMES: [&str; 5] = [
        "/.ai/hooks",
        "/.ai/hooks/dispatch.manifest.json",
        "/.ai/hooks/config.json",
        "/.ai/hooks/workspace.json",
        "/.orchestration/active_intents.yaml",
    ];
    NAMES.iter().any(|name| rest.ends_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_our_state_only_a_subagents_results_are_an_agents_to_write() {
        let governed = |path: &str| is_agent_settings(&format!("/w/{path}"), "/w", "/home/me");
        for path in [
            ".ai/tmp/a3f0c812/rlm-work/output/sa/Explore/a01/findings.json",
            ".ai/tmp/a3f0c812/plan-subagent-contract/output/sa/Plan/a02/deep/planGraph.json",
        ] {
            assert!(!governed(path), "{path}");
        }
        for path in [
            ".ai/tmp/a3f0c812/events.jsonl",
            ".ai/tmp/a3f0c812/rlm-work/output/sa/Explore/a01",
            ".ai/tmp/a3f0c812/rlm-work/output/sa/Explore/a01/../../../../../events.jsonl",
            ".ai/tmp/a3f0c812/memory-journal/output/experience.jsonl",
            ".ai/tmp/session/rlm-work/output/sa/Explore/a01/x",
            ".ai/hooks/rlm-policy.json",
            ".ai/hooks/followup-rules.json",
        ] {
            assert!(governed(path), "{path}");
        }
    }
}
