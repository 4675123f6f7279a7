//! The one table of files that govern agents.
//!
//! An agent program reads those of the folder it is started in, and steersman takes a folder with rules for a
//! workspace. So each of them counts at every depth and in every folder, another project's and the home too.
//!
//! `shell` guards these files, `confine` mounts them read-only, and `host` checks that every file in which it
//! registers is listed.

/// A file or folder that governs agents; a folder includes the files below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Governing {
    /// The path from the folder it governs, with `/`.
    pub path: &'static str,
    /// Who reads it.
    pub of: Reader,
}

/// Who reads a file that governs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// An agent program: hooks, permissions, or MCP servers, which are programs that it starts.
    Host,
    /// Steersman: settings, state and the tasks of agents.
    Steersman,
    /// An agent program, or the editor that it runs in; the file also holds its user's own preferences or work, so
    /// the guard asks about a change instead of denying it.
    Shared,
}

const fn host(path: &'static str) -> Governing {
    Governing { path, of: Reader::Host }
}

const fn ours(path: &'static str) -> Governing {
    Governing { path, of: Reader::Steersman }
}

const fn shared(path: &'static str) -> Governing {
    Governing { path, of: Reader::Shared }
}

impl Governing {
    /// Returns the first part of the path: the entry of the governed folder that contains the file, or is it.
    pub fn top(&self) -> &'static str {
        self.path.split('/').next().unwrap_or(self.path)
    }
}

/// Lists all of them.
///
/// INVARIANT: every path begins with a dot, so a reader can skip ordinary names.
pub const GOVERNING: &[Governing] = &[
    host(".claude/settings.json"),
    host(".claude/settings.local.json"),
    host(".claude/managed-settings.json"),
    host(".claude/hooks"),
    host(".claude/plugins"),
    host(".claude.json"),
    host(".codex/config.toml"),
    host(".codex/hooks.json"),
    host(".codex/hooks"),
    host(".codex/plugins"),
    host(".codex/rules"),
    host(".codex/requirements.toml"),
    host(".copilot/config.json"),
    host(".copilot/extensions"),
    host(".copilot/hooks"),
    host(".copilot/installed-plugins"),
    host(".copilot/mcp-config.json"),
    host(".copilot/permissions-config.json"),
    host(".copilot/settings.json"),
    host(".cursor/cli-config.json"),
    host(".cursor/cli.json"),
    host(".cursor/hooks.json"),
    host(".cursor/hooks"),
    host(".cursor/mcp.json"),
    host(".cursor/permissions.json"),
    host(".gemini/.env"),
    host(".gemini/extensions"),
    host(".gemini/hooks"),
    host(".gemini/policies"),
    host(".gemini/settings.json"),
    host(".gemini/trustedFolders.json"),
    host(".github/copilot/settings.json"),
    host(".github/copilot/settings.local.json"),
    host(".github/extensions"),
    host(".github/hooks"),
    host(".github/hooks.json"),
    host(".github/mcp.json"),
    host(".mcp.json"),
    host(".qwen/.env"),
    host(".qwen/extensions"),
    host(".qwen/hooks"),
    host(".qwen/mcpApprovals.json"),
    host(".qwen/settings.json"),
    host(".qwen/trustedFolders.json"),
    host(".vscode/mcp.json"),
    ours(".ai/hooks/config.json"),
    ours(".ai/hooks/dispatch.manifest.json"),
    ours(".ai/hooks/followup-rules.json"),
    ours(".ai/hooks/rlm-policy.json"),
    ours(".ai/hooks/workspace.json"),
    ours(".ai/tmp"),
    ours(".config/steersman"),
    ours(".intentignore"),
    ours(".local/state/steersman"),
    ours(".orchestration"),
    ours(".steersman"),
    // The front matter of each may declare hooks, which run commands unjudged, and tools that need no permission.
    shared(".claude/agents"),
    shared(".claude/commands"),
    shared(".claude/skills"),
    shared(".idea/workspace.xml"),
    shared(".vscode/settings.json"),
    shared(".vscode/tasks.json"),
];

/// Folders that hold little else: replacing or removing one of them takes the files with it.
///
/// WHY not all below `.ai/hooks`: a project's own modules are work like any other, and none runs before a person
/// has trusted its content.
pub const FOLDERS: [&str; 8] =
    [".ai", ".ai/hooks", ".claude", ".codex", ".copilot", ".cursor", ".gemini", ".qwen"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_is_listed_once_and_begins_with_a_dot() {
        for (index, known) in GOVERNING.iter().enumerate() {
            assert!(known.path.starts_with('.'), "{}", known.path);
            assert!(GOVERNING[..index].iter().all(|other| other.path != known.path), "{}", known.path);
        }
    }

    #[test]
    fn the_settings_folder_of_every_program_is_listed() {
        for known in GOVERNING.iter().filter(|known| known.of == Reader::Host && known.path.contains('/')) {
            // A project keeps other files in these two.
            let is_mixed = [".github", ".vscode"].contains(&known.top());
            assert_ne!(FOLDERS.contains(&known.top()), is_mixed, "{}", known.path);
        }
    }

    #[test]
    fn every_folder_contains_a_file_of_the_table() {
        for folder in FOLDERS {
            let inside = format!("{folder}/");
            assert!(GOVERNING.iter().any(|known| known.path.starts_with(&inside)), "{folder}");
        }
    }
}
