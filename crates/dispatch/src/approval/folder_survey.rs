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

/// The survey ends after so many entries, which takes about 20 ms.
const MAX_ENTRIES: usize = 20_000;

/// Folders whose content a search shows and that contain no settings of the project.
const SKIPPED: [&str; 4] = [".git", "node_modules", "target", ".venv"];

/// Reads all entries below a folder; without files whose names begin with a dot, if the search leaves them out.
pub(super) fn of(context: &Context<'_>, folder: &AbsPath, skips_hidden: bool) -> Survey {
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
            if skips_hidden && entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            if kind.is_symlink() && !followed(&path).starts_with(real(root)) {
                return Survey::Doubtful;
            }
            let is_secret = AbsPath::new(&path).map_or(true, |path| is_secret(context, &path));
            if is_secret {
                return Survey::Doubtful;
            }
            let is_skipped = entry.file_name().to_str().is_some_and(|name| SKIPPED.contains(&name));
            if kind.is_dir() && !is_skipped {
                folders.push(path);
            }
        }
    }
    Survey::Harmless
}

fn real(root: &Path) -> PathBuf {
    root.canonicalize().unwrap_or_else(|_| root.to_owned())
}
