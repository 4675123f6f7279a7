//! The one table of files that decide what an agent may do.
//!
//! An agent program reads those of the folder it is started in, and steersman takes a folder with rules for a
//! workspace. So each of them counts at every depth and in every folder, another project's and the home too.
//!
//! WHY here: the guard is the lowest layer that asks. `host`, which registers in them, reads this table and
//! checks that every file it registers in is listed.

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
    /// An editor that an agent program runs in; the file also holds its user's own preferences.
    Editor,
}

const fn host(path: &'static str) -> Governing {
    Governing { path, of: Reader::Host }
}

const fn ours(path: &'static str) -> Governing {
    Governing { path, of: Reader::Steersman }
}

const fn editor(path: &'static str) -> Governing {
    Governing { path, of: Reader::Editor }
}

/// Lists all of them.
///
/// INVARIANT: every path begins with a dot, which is how [`find`] passes over ordinary paths.
pub const GOVERNING: &[Governing] = &[
    host(".claude/settings.json"),
    host(".claude/settings.local.json"),
    host(".claude/managed-settings.json"),
    host(".claude/hooks"),
    host(".claude.json"),
    host(".codex/config.toml"),
    host(".codex/hooks.json"),
    host(".codex/hooks"),
    host(".codex/rules"),
    host(".codex/requirements.toml"),
    host(".copilot/config.json"),
    host(".copilot/hooks"),
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
    editor(".idea/workspace.xml"),
    editor(".vscode/settings.json"),
    editor(".vscode/tasks.json"),
];

/// Folders that hold little else: replacing or removing one of them takes the files with it.
///
/// WHY not all below `.ai/hooks`: a project's own modules are work like any other, and none runs before a person
/// has trusted its content.
pub(crate) const FOLDERS: [&str; 8] =
    [".ai", ".ai/hooks", ".claude", ".codex", ".copilot", ".cursor", ".gemini", ".qwen"];

/// Folders in which administrators put settings that no user may change.
const MANAGED: [&str; 11] = [
    "/etc/claude-code",
    "/etc/codex",
    "/etc/cursor",
    "/etc/gemini-cli",
    "/etc/github-copilot",
    "/etc/qwen-code",
    "/etc/steersman",
    "/Library/Application Support/ClaudeCode",
    "/Library/Application Support/Cursor/hooks.json",
    "/Library/Application Support/GeminiCli",
    "/Library/Application Support/QwenCode",
];

/// Returns whether the file at an absolute path without `.` and `..` governs agents, other than by an editor's settings.
pub fn governs(path: &str) -> bool {
    find(path).is_some_and(|reader| reader != Reader::Editor)
}

/// Returns the reader of the file at an absolute path without `.` and `..`. Returns `None` for an ordinary file.
pub(crate) fn find(path: &str) -> Option<Reader> {
    if is_our_program(path) || MANAGED.iter().any(|folder| crate::path::is_within(path, folder)) {
        return Some(Reader::Host);
    }
    let dotted = path.match_indices("/.").map(|(at, _)| &path[at + 1..]);
    let mut found = None;
    for rest in dotted {
        let reader = GOVERNING.iter().find(|known| begins(rest, known.path)).map(|known| known.of);
        let reader = reader.filter(|reader| *reader != Reader::Steersman || !is_subagents_own(rest));
        let reader = reader.or_else(|| is_folder(rest).then_some(Reader::Host));
        if reader.is_some_and(|reader| reader != Reader::Editor) {
            return reader;
        }
        found = found.or(reader);
    }
    found
}

/// Returns whether a path is a program of our name in a folder of programs. An agent that puts one there may become the
/// hook itself: `npx` and npm scripts start agent programs with `node_modules/.bin` first on the PATH.
fn is_our_program(path: &str) -> bool {
    let Some((folder, name)) = path.rsplit_once('/') else { return false };
    let stem = name.split('.').next().unwrap_or(name);
    let folder = folder.rsplit('/').next().unwrap_or(folder);
    stem.eq_ignore_ascii_case("steersman") && matches!(folder, "bin" | ".bin" | "sbin" | "shims" | "Scripts")
}

/// Returns whether a path begins with these folders. Names are compared as file systems do that make no
/// difference between large and small letters.
fn begins(path: &str, known: &str) -> bool {
    path.get(..known.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(known))
        && matches!(path.as_bytes().get(known.len()), None | Some(b'/'))
}

fn is_folder(rest: &str) -> bool {
    FOLDERS.iter().any(|folder| rest.eq_ignore_ascii_case(folder))
}

/// Returns whether this is the folder in which a subagent leaves its results: the only part of our state that
/// is an agent's to write, `.ai/tmp/<sid>/<module>/output/sa/<role>/<aid>/…`.
fn is_subagents_own(rest: &str) -> bool {
    let parts: Vec<&str> = rest.split('/').collect();
    let [".ai", "tmp", session, _module, "output", "sa", _role, _agent, file @ ..] = parts.as_slice() else {
        return false;
    };
    let is_session = session.len() == 8 && session.bytes().all(|b| b.is_ascii_hexdigit());
    is_session && !file.is_empty() && !parts.iter().any(|part| matches!(*part, "" | "." | ".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_of_the_table_is_found_at_every_depth_and_in_every_folder() {
        for known in GOVERNING {
            assert!(known.path.starts_with('.'), "{}", known.path);
            for folder in ["", "/w", "/w/packages/x", "/home/me", "/home/dev/project", "/tmp/made"] {
                assert_eq!(
                    find(&format!("{folder}/{}", known.path)),
                    Some(known.of),
                    "{folder} {}",
                    known.path
                );
            }
        }
    }

    #[test]
    fn what_holds_them_and_what_lies_below_them_governs_too() {
        for path in [
            "/w/.claude",
            "/w/packages/x/.codex",
            "/w/.github/hooks/new.json",
            "/w/packages/x/.ai/hooks",
            "/w/.CLAUDE/Settings.json",
            "/etc/claude-code/managed-settings.json",
            "/etc/github-copilot/policy.d/steersman.json",
            "/etc/steersman/config.json",
            "/home/me/.config/steersman/config.json",
            "/home/me/.copilot/hooks/steersman.json",
            "/home/me/.local/bin/steersman",
            "/w/node_modules/.bin/steersman",
            "/w/node_modules/.bin/steersman.cmd",
            "/w/.venv/Scripts/steersman.exe",
            "/w/.vscode/.claude/settings.json",
            "/w/.ai/tmp/a3f0c812/events.jsonl",
            "/w/.ai/tmp/a3f0c812/rlm-work/output/sa/Explore/a01",
            "/w/.ai/tmp/a3f0c812/rlm-work/output/sa/Explore/a01/../../../../../events.jsonl",
            "/w/.ai/tmp/a3f0c812/memory-journal/output/experience.jsonl",
            "/w/.ai/tmp/session/rlm-work/output/sa/Explore/a01/x",
        ] {
            assert!(find(path).is_some_and(|reader| reader != Reader::Editor), "{path}");
        }
    }

    #[test]
    fn ordinary_files_and_a_subagents_results_govern_nobody() {
        for path in [
            "/w/src/main.rs",
            "/w/.claude/commands/a.md",
            "/w/.claude/settings.json.md",
            "/w/.github/workflows/ci.yml",
            "/w/.gitignore",
            "/w/.vscode/launch.json",
            "/w/.ai/memory/x.md",
            "/w/.ai/hooks/features/x/hook.mjs",
            "/home/me/.claude/projects/x/memory/MEMORY.md",
            "/w/.ai/tmp/a3f0c812/rlm-work/output/sa/Explore/a01/findings.json",
            "/w/.ai/tmp/a3f0c812/plan-subagent-contract/output/sa/Plan/a02/deep/planGraph.json",
        ] {
            assert_eq!(find(path), None, "{path}");
        }
    }
}
