//! Finds protected files below a folder, which forbid removing or replacing the folder.
//!
//! WHY: deleting or moving a folder takes its content along, including files that govern an agent
//! started there.

use std::collections::VecDeque;
use std::fs;
use std::path::PathBuf;

use event::AbsPath;

use super::{IgnoreFile, Protected, ViolationReason};
use crate::unicode::{composed, forgiving};

/// The maximum number of entries checked below a folder.
const MAX_BELOW: usize = 4096;

/// Folders in which no agent is started, so that files there govern no agent.
const FOREIGN: [&str; 2] = ["node_modules", ".git"];

struct Folder {
    place: String,
    path: PathBuf,
    is_foreign: bool,
}

/// Returns the file that forbids removing a folder; `path` is the folder's path in the workspace.
///
/// Searches breadth-first, so that in a large folder only the deepest files are missed.
pub(super) fn forbidden_below(
    path: &str,
    folder: &AbsPath,
    ignore: &IgnoreFile,
    protected: &Protected,
) -> Option<ViolationReason> {
    let mut left = MAX_BELOW;
    let first = Folder { place: path.to_owned(), path: folder.as_path().to_path_buf(), is_foreign: false };
    let mut folders = VecDeque::from([first]);
    while let Some(Folder { place, path, is_foreign }) = folders.pop_front() {
        for entry in fs::read_dir(&path).into_iter().flatten().flatten() {
            left = left.checked_sub(1)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let is_foreign = is_foreign || FOREIGN.contains(&name.as_str());
            let place = if place.is_empty() { name } else { format!("{place}/{name}") };
            let composed = composed(&place);
            if let Some(rule) = ignore.rule_for(&composed, is_folder) {
                return Some(ViolationReason::Ignored { rule: rule.to_owned() });
            }
            if let Some(what) = protected.entry_for(&composed, false).filter(|_| !is_foreign) {
                return Some(ViolationReason::Protected { what: what.to_owned() });
            }
            if is_folder && !(is_foreign && ignore.is_empty()) {
                folders.push_back(Folder { path: entry.path(), is_foreign, place });
            }
        }
    }
    None
}

/// Returns the protected path that is, or would be, below this path, in any folder: `src/.claude`
/// leads to `.claude/settings.json`.
pub(super) fn led_to<'a>(path: &str, mut protected: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let begin = |name: &str| name.bytes().next().map(|byte| byte.to_ascii_lowercase());
    // WHY the first byte first: folding names takes longer than everything else, and is rarely
    // needed.
    let same = |name: &str, own: &str| {
        (begin(name) == begin(own) || !own.is_ascii()) && forgiving(name) == forgiving(own)
    };
    let ends_in = |folder: &str| {
        let mut own = path.rsplit('/');
        folder.rsplit('/').all(|name| own.next().is_some_and(|own| same(name, own)))
    };
    protected.find(|listed| listed.match_indices('/').any(|(end, _)| ends_in(&listed[..end])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_leads_to_what_would_lie_in_it() {
        let listed = [".ai", ".claude/settings.json", ".github/hooks", ".mcp.json", ".x/y/z.json"];
        let led = |path: &str| led_to(path, listed.into_iter());
        for (path, to) in [
            (".claude", ".claude/settings.json"),
            ("src/.claude", ".claude/settings.json"),
            ("src/deep/.Claude", ".claude/settings.json"),
            ("src/.ｃlaude", ".claude/settings.json"),
            ("src/.github", ".github/hooks"),
            ("src/.x/y", ".x/y/z.json"),
            ("src/.x", ".x/y/z.json"),
        ] {
            assert_eq!(led(path), Some(to), "{path}");
        }
        for path in [
            "",
            "src",
            ".claude/commands",
            "src/.claude/settings.json",
            "src/.ai",
            "src/y",
            ".mcp.json",
            "x/.claudes",
        ] {
            assert_eq!(led(path), None, "{path}");
        }
    }
}
