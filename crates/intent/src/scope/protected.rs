//! The files that govern the agent, which no scope ever includes.
//!
//! WHY: an agent that may write its own intents, hooks or settings can switch its governor off. Settings
//! of a host are protected in every folder: an agent program that is started in a folder below reads those
//! it finds there.

use crate::unicode::forgiving;

/// Workspace-relative files and folders nobody may write.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Protected {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    shown: String,
    segments: Vec<String>,
    /// In every folder, not only at the top.
    anywhere: bool,
}

/// What governs, whatever the host.
const OUR_OWN: &[&str] = &[".orchestration", ".ai", ".intentignore"];

impl Protected {
    /// Protects our own files and these of the hosts, given relative to the workspace.
    pub fn with<'a>(host_settings: impl IntoIterator<Item = &'a str>) -> Self {
        let ours = OUR_OWN.iter().map(|path| (*path, false));
        let all = ours.chain(host_settings.into_iter().map(|path| (path, true)));
        let entry = |(path, anywhere): (&str, bool)| Entry {
            shown: path.trim_matches('/').to_owned(),
            segments: segments(path),
            anywhere,
        };
        Self { entries: all.map(entry).filter(|entry| !entry.segments.is_empty()).collect() }
    }

    /// Protects nothing: `"allowSelfEdit": true`.
    pub fn nothing() -> Self {
        Self::default()
    }

    /// Returns what is protected at a path, or below it when all of that is meant.
    pub(crate) fn entry_for(&self, path: &str, all_below: bool) -> Option<&str> {
        // WHY first: folding names costs more than all the rest, and hardly any path needs it.
        if !all_below && path.is_ascii() && !self.may_begin(path) {
            return None;
        }
        let path = segments(path);
        let hit = |entry: &&Entry| {
            path.starts_with(&entry.segments)
                || (all_below && entry.segments.starts_with(&path))
                || (entry.anywhere && path.windows(entry.segments.len()).any(|part| part == entry.segments))
        };
        self.entries.iter().find(hit).map(|entry| entry.shown.as_str())
    }

    /// Returns what is protected, as it was given.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.shown.as_str())
    }

    /// Says whether a part of a path begins like something that is protected.
    fn may_begin(&self, path: &str) -> bool {
        let begins = |part: &str| {
            let first = part.bytes().next().map(|byte| byte.to_ascii_lowercase());
            self.entries.iter().any(|entry| entry.segments[0].bytes().next() == first)
        };
        path.split('/').any(begins)
    }
}

fn segments(path: &str) -> Vec<String> {
    path.split('/').filter(|part| !part.is_empty()).map(forgiving).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_spelling_of_a_protected_name_passes() {
        let protected = Protected::with([".claude/settings.json"]);
        for path in [
            ".ai",
            ".ai/hooks/config.json",
            ".AI/hooks",
            ".Orchestration/active_intents.yaml",
            ".orchestration./x",
            ".orchestration /x",
            ".intentignore",
            ".claude/Settings.JSON",
            ".a\u{200d}i/x",
            ".ａｉ/x",
            ".claude/settings.json::$DATA",
            "src/.claude/settings.json",
            "packages/web/.Claude/settings.json",
        ] {
            assert!(protected.entry_for(path, false).is_some(), "{path:?}");
        }
        for path in [
            "ai/x",
            ".aid",
            ".claude/commands/x.md",
            ".claude",
            "src/.ai/x",
            ".orchestrations",
            "src/.claude/x",
        ] {
            assert!(protected.entry_for(path, false).is_none(), "{path:?}");
        }
    }

    #[test]
    fn a_folder_above_is_protected_from_what_takes_everything_below() {
        let protected = Protected::with([".claude/settings.json"]);
        assert_eq!(protected.entry_for(".claude", true), Some(".claude/settings.json"));
        assert_eq!(protected.entry_for("", true), Some(".orchestration"));
        assert_eq!(protected.entry_for("src", true), None);
        assert_eq!(Protected::nothing().entry_for(".ai", true), None);
    }
}
