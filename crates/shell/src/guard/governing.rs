//! Recognises the files that govern agents, by the table of the crate `known-files`.

pub(crate) use known_files::FOLDERS;
pub use known_files::{GOVERNING, Governing, Reader};

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
    find(path).is_some_and(|reader| reader != Reader::Shared)
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
        let reader = reader.or_else(|| (is_folder(rest) || is_codex_profile(rest)).then_some(Reader::Host));
        if reader.is_some_and(|reader| reader != Reader::Shared) {
            return reader;
        }
        found = found.or(reader);
    }
    found
}

/// A folder or file to which the user moved the settings of an agent program, by one of the program's variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedSettings {
    /// The folder or file, absolute and without `.` and `..`.
    pub path: String,
    /// Its usual name in the home, such as `.claude` or `.gemini/settings.json`.
    pub usual: &'static str,
}

impl MovedSettings {
    /// Returns the reader of one of these files, or of a file in one of these folders. Returns `None` for an ordinary file.
    pub(crate) fn find(moved: &[Self], path: &str) -> Option<Reader> {
        let within = |it: &&Self| crate::path::is_within(path, &it.path);
        let it = moved.iter().find(within)?;
        find(&format!("/{}{}", it.usual, path.get(it.path.len()..)?))
    }
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

/// Returns whether this is a profile of Codex, `.codex/NAME.config.toml`: a settings file that `--profile NAME` adds.
fn is_codex_profile(rest: &str) -> bool {
    let lower = rest.to_ascii_lowercase();
    lower.strip_prefix(".codex/").is_some_and(|name| !name.contains('/') && name.ends_with(".config.toml"))
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
    fn moved_settings_govern_as_in_the_home() {
        let moved = [
            MovedSettings { path: "/srv/agents/work".to_owned(), usual: ".claude" },
            MovedSettings { path: "/srv/agents/codex".to_owned(), usual: ".codex" },
            MovedSettings { path: "/srv/gemini.json".to_owned(), usual: ".gemini/settings.json" },
        ];
        for (path, governs) in [
            ("/srv/agents/work", true),
            ("/srv/agents/work/settings.json", true),
            ("/srv/agents/work/hooks/check.sh", true),
            ("/srv/agents/work/plans/merry-fox.md", false),
            ("/srv/agents/workshop/settings.json", false),
            ("/srv/gemini.json", true),
            ("/srv/gemini.json5", false),
            ("/srv/agents/settings.json", false),
            ("/srv/agents/codex/hooks.json", true),
            ("/srv/agents/codex/settings.json", false),
        ] {
            assert_eq!(MovedSettings::find(&moved, path).is_some(), governs, "{path}");
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
            "/home/me/.codex/fast.config.toml",
            "/home/me/.copilot/extensions/mine/extension.mjs",
            "/w/.github/extensions/mine/extension.mjs",
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
            assert!(find(path).is_some_and(|reader| reader != Reader::Shared), "{path}");
        }
    }

    #[test]
    fn ordinary_files_and_a_subagents_results_govern_nobody() {
        for path in [
            "/w/src/main.rs",
            "/w/.claude/rules/a.md",
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
