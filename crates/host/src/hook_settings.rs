//! The files of a project that decide which hooks an agent program runs.

/// Files and folders, relative to the project, by which a program's hooks are registered or
/// switched off. Whoever may write one can do without us.
pub const HOOK_SETTINGS: &[&str] = &[
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude/hooks",
    ".github/hooks",
    ".github/hooks.json",
    ".codex/config.toml",
    ".codex/hooks.json",
    ".codex/hooks",
    ".copilot/config.json",
    ".copilot/hooks",
    ".cursor/hooks.json",
    ".cursor/hooks",
    ".cursor/permissions.json",
    ".gemini/settings.json",
    ".qwen/settings.json",
    ".vscode/settings.json",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::install::Plan;

    #[test]
    fn every_file_we_register_in_is_listed() {
        for plan in Plan::ALL.into_iter().chain([Plan::LEGACY]) {
            let covers = |entry: &str| {
                plan.file.strip_prefix(entry).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            };
            assert!(HOOK_SETTINGS.iter().any(|entry| covers(entry)), "{}", plan.file);
        }
    }
}
