//! The names that govern agents or start programs, as seen from a folder in scope.
//!
//! `shell::guard::GOVERNING` is the table of the files. Here are the entries to mount read-only: a folder where
//! possible, because a mount on a file comes off when another program replaces that file.

/// Entries that are protected as a whole wherever they exist in the scope.
pub(crate) const PROTECTED: [&str; 18] = [
    ".ai",
    ".claude",
    ".claude.json",
    ".codex",
    ".copilot",
    ".cursor",
    ".gemini",
    ".git",
    ".gitmodules",
    ".idea",
    ".intentignore",
    ".mcp.json",
    ".orchestration",
    ".qwen",
    ".ripgreprc",
    ".ssh",
    ".steersman",
    ".vscode",
];

/// Entries that hold both ordinary and governing files, with the governing ones.
pub(crate) const PARTLY: [(&str, &[&str]); 3] = [
    (".config", &["git", "steersman", "fish", "systemd", "autostart"]),
    (".github", &["copilot", "hooks", "hooks.json", "mcp.json"]),
    (".local", &["state/steersman", "bin/steersman"]),
];

/// Start-up files of shells and git, protected where they exist.
pub(crate) const START_UP: [&str; 14] = [
    ".bash_aliases",
    ".bash_login",
    ".bash_logout",
    ".bash_profile",
    ".bashrc",
    ".gitconfig",
    ".inputrc",
    ".kshrc",
    ".pam_environment",
    ".profile",
    ".zlogin",
    ".zprofile",
    ".zshenv",
    ".zshrc",
];

/// Entries that a command must not create at the top of a folder in scope. An empty folder holds their place.
///
/// WHY these and not all: each costs a mount, and an empty folder of such a name changes no program's behaviour.
/// A placeholder for `.git` would hide the repository around it; new repositories are looked for afterwards.
pub(crate) const HELD: [&str; 10] = [
    ".ai",
    ".claude",
    ".codex",
    ".copilot",
    ".cursor",
    ".gemini",
    ".mcp.json",
    ".orchestration",
    ".qwen",
    ".vscode",
];

/// Folders of tools, which are large and hold no project that a person opens.
pub(crate) const SKIPPED: [&str; 8] =
    ["node_modules", "target", ".venv", "venv", "__pycache__", "dist", "build", "vendor"];

/// The parts of a git folder that decide which programs git runs.
pub(crate) const IN_GIT: [&str; 4] = ["config", "config.worktree", "hooks", "info"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_are_sorted_and_every_placeholder_is_protected() {
        assert!(PROTECTED.is_sorted() && START_UP.is_sorted() && HELD.is_sorted() && IN_GIT.is_sorted());
        for held in HELD {
            assert!(PROTECTED.contains(&held), "{held}");
        }
    }
}
