//! The files that govern the agent, which no scope ever includes.
//!
//! WHY: an agent that may write its own intents, hooks or settings can disable its governor. Host
//! settings are protected in every folder: an agent program that is started in a subfolder reads
//! those it finds there.

use crate::unicode::forgiving;

/// Workspace-relative files and folders that no intent may write.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Protected {
    paths: Vec<Listed>,
}

/// A protected path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Listed {
    path: &'static str,
    /// Whether it is protected in every folder, not only at the top.
    anywhere: bool,
}

/// A protected path, prepared for comparison.
struct Entry {
    shown: &'static str,
    segments: Vec<String>,
    anywhere: bool,
}

/// The files that govern on every host.
const OUR_OWN: &[&str] = &[".orchestration", ".ai", ".intentignore"];

impl Protected {
    /// Protects our own files and these of the hosts, relative to the workspace.
    pub fn with(host_settings: impl IntoIterator<Item = &'static str>) -> Self {
        let ours = OUR_OWN.iter().map(|path| Listed { path, anywhere: false });
        let of_hosts = host_settings.into_iter().map(|path| Listed { path, anywhere: true });
        Self { paths: ours.chain(of_hosts).filter(|listed| !listed.path.is_empty()).collect() }
    }

    /// Protects nothing: `"allowSelfEdit": true`.
    pub fn nothing() -> Self {
        Self::default()
    }

    /// Returns the protected entry at a path or, with `all_below`, below it.
    pub(crate) fn entry_for(&self, path: &str, all_below: bool) -> Option<&'static str> {
        // WHY first: folding names takes longer than everything else, and is rarely needed.
        if !all_below && path.is_ascii() && !self.may_begin(path) {
            return None;
        }
        let path = segments(path);
        let hit = |entry: &Entry| {
            path.starts_with(&entry.segments)
                || (all_below && entry.segments.starts_with(&path))
                || (entry.anywhere && path.windows(entry.segments.len()).any(|part| part == entry.segments))
        };
        self.entries().find(hit).map(|entry| entry.shown)
    }

    /// Returns the protected paths, prepared for comparison.
    fn entries(&self) -> impl Iterator<Item = Entry> {
        self.paths.iter().map(|listed| Entry {
            shown: listed.path,
            segments: segments(listed.path),
            anywhere: listed.anywhere,
        })
    }

    /// Returns the protected paths as given.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &'static str> {
        self.paths.iter().map(|listed| listed.path)
    }

    /// Returns whether a segment of a path begins like a protected one.
    fn may_begin(&self, path: &str) -> bool {
        let begins = |part: &str| {
            let first = |text: &str| text.bytes().next().map(|byte| byte.to_ascii_lowercase());
            self.paths.iter().any(|listed| first(listed.path) == first(part))
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
