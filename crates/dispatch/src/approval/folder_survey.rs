//! Finds files below a folder that a search would show although reading them needs the user's consent.

use std::path::{Path, PathBuf};

use event::AbsPath;
use modules::Context;
use modules::call_folder::followed;

use super::call_paths::is_secret;

/// The result of a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Survey {
    /// No secret and no link out of the workspace.
    Harmless,
    /// A secret, a link out of the workspace, or too many files to look at.
    Doubtful,
}

/// The files below a folder that a search shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shown {
    /// All of them.
    All,
    /// Those whose names do not begin with a dot, and of the others those with one of these endings.
    Visible(Vec<String>),
    /// Those with one of these endings.
    Ending(Vec<String>),
}

impl Shown {
    /// Returns whether a file may be shown.
    fn has(&self, name: &str) -> bool {
        let ends = |endings: &[String]| {
            endings
                .iter()
                .any(|ending| name.strip_suffix(ending.as_str()).is_some_and(|rest| rest.ends_with('.')))
        };
        match self {
            Self::All => true,
            Self::Visible(endings) => !name.starts_with('.') || ends(endings),
            Self::Ending(endings) => ends(endings),
        }
    }

    /// Returns whether a folder may be searched.
    fn enters(&self, name: &str) -> bool {
        !matches!(self, Self::Visible(_)) || !name.starts_with('.')
    }
}

/// The survey ends after so many entries, which takes about 20 ms.
pub(super) const MAX_ENTRIES: usize = 20_000;

/// Folders whose content a search shows and that contain no settings of the project.
pub(super) const SKIPPED: [&str; 4] = [".git", "node_modules", "target", ".venv"];

/// Reads all entries below a folder that a search shows.
pub(super) fn of(context: &Context<'_>, folder: &AbsPath, shown: &Shown) -> Survey {
    let root = context.workspace.root().as_path();
    let mut folders = vec![folder.as_path().to_owned()];
    let mut n_entries = 0;
    while let Some(folder) = folders.pop() {
        let Ok(entries) = folder.read_dir() else { return Survey::Doubtful };
        for entry in entries {
            n_entries += 1;
            let Ok(entry) = entry else { return Survey::Doubtful };
            let Ok(kind) = entry.file_type() else { return Survey::Doubtful };
            let path = entry.path();
            if n_entries > MAX_ENTRIES || context.deadline.has_passed(std::time::Instant::now()) {
                return Survey::Doubtful;
            }
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let is_shown = if kind.is_dir() { shown.enters(&name) } else { shown.has(&name) };
            let leads_to_folder = kind.is_symlink() && path.is_dir();
            if !is_shown && !leads_to_folder {
                continue;
            }
            if kind.is_symlink() {
                let target = followed(&path);
                let is_secret = AbsPath::new(&target).map_or(true, |target| is_secret(context, &target));
                if is_secret || !target.starts_with(real(root)) {
                    return Survey::Doubtful;
                }
            }
            let is_secret = AbsPath::new(&path).map_or(true, |path| is_secret(context, &path));
            if is_secret {
                return Survey::Doubtful;
            }
            let is_skipped = SKIPPED.contains(&name.as_ref());
            if kind.is_dir() && !is_skipped {
                folders.push(path);
            }
        }
    }
    Survey::Harmless
}

/// Returns whether a folder, or with `below` one of those in it, has an entry that a program would take for an option.
pub(super) fn has_dashed_name(context: &Context<'_>, folder: &AbsPath, below: bool) -> bool {
    let mut folders = vec![folder.as_path().to_owned()];
    let mut n_entries = 0;
    while let Some(folder) = folders.pop() {
        let Ok(entries) = folder.read_dir() else { return true };
        for entry in entries {
            n_entries += 1;
            let Ok(entry) = entry else { return true };
            let name = entry.file_name();
            let is_late = n_entries > MAX_ENTRIES || context.deadline.has_passed(std::time::Instant::now());
            if is_late || name.as_encoded_bytes().starts_with(b"-") {
                return true;
            }
            let is_skipped = name.to_str().is_some_and(|name| SKIPPED.contains(&name));
            if below && !is_skipped && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(entry.path());
            }
        }
    }
    false
}

fn real(root: &Path) -> PathBuf {
    root.canonicalize().unwrap_or_else(|_| root.to_owned())
}
