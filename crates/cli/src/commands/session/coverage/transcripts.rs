//! Finds the transcripts of a session below the user's home.

use std::fs;
use std::path::{Path, PathBuf};

use host::Host;

use crate::environment;

/// Folders deeper than this hold no transcripts.
const MAX_DEPTH: usize = 6;

/// Returns the transcripts of a session and of its subagents. Returns the reason if no transcript exists.
pub(super) fn of(host: Host, session: &str) -> Result<Vec<PathBuf>, String> {
    let folder = host::transcript_folder(host)
        .ok_or_else(|| format!("steersman cannot read transcripts of {}", host.title()))?;
    let home = environment::home().ok_or("the home folder is unknown")?;
    let root = home.join(folder);
    let mut files = Vec::new();
    search(
        root.as_path(),
        root.as_path(),
        0,
        &|path| host::is_transcript_of(host, path, session),
        &mut files,
    );
    files.sort();
    if files.is_empty() {
        return Err(format!("cannot find its transcript below {root}"));
    }
    Ok(files)
}

fn search(
    root: &Path,
    folder: &Path,
    depth: usize,
    is_wanted: &dyn Fn(&str) -> bool,
    files: &mut Vec<PathBuf>,
) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth < MAX_DEPTH => {
                search(root, &path, depth + 1, is_wanted, files);
            }
            Ok(kind) if kind.is_file() => {
                let below =
                    path.strip_prefix(root).ok().and_then(Path::to_str).map(|path| path.replace('\\', "/"));
                if below.is_some_and(|below| is_wanted(&below)) {
                    files.push(path);
                }
            }
            _ => {}
        }
    }
}
