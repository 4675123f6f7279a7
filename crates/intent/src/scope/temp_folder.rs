//! The temp folders of the system, in which every intent may write.
//!
//! WHY: tests and builds write there all the time (`npm test > /tmp/out.log`), and nothing there is the project's.

use std::path::{Component, Path};

/// The temp folders of the supported systems.
const FOLDERS: &[&str] =
    &["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders"];

/// The temp folder of a user on Windows, below the home.
const OF_WINDOWS_USER: &[&str] = &["AppData", "Local", "Temp"];

/// Returns whether an absolute path is a temporary file. A workspace may itself be in the temp folder: then nothing
/// beside it, in the same entry of the temp folder, counts.
pub(super) fn is_temp_file(path: &Path, workspace: &Path) -> bool {
    let Some(entry) = entry_of(path) else { return false };
    entry_of(workspace) != Some(entry)
}

/// Returns the entry of a temp folder that a path is or is in.
fn entry_of(path: &Path) -> Option<(&str, &str)> {
    let in_folder = |folder: &'static str| {
        let name = path.strip_prefix(folder).ok()?.components().next()?;
        Some((folder, name.as_os_str().to_str()?))
    };
    FOLDERS.iter().find_map(|folder| in_folder(folder)).or_else(|| in_windows_folder(path))
}

fn in_windows_folder(path: &Path) -> Option<(&str, &str)> {
    let names: Vec<&str> = path
        .components()
        .filter_map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    let at = names.windows(OF_WINDOWS_USER.len()).position(|part| part == OF_WINDOWS_USER)?;
    Some((names[at], names.get(at + OF_WINDOWS_USER.len())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_a_temp_folder_is_temporary_unless_the_workspace_is_there_too() {
        let is_temp = |path: &str, workspace: &str| is_temp_file(Path::new(path), Path::new(workspace));
        for path in ["/tmp/out.log", "/tmp/a/b", "/var/tmp/x", "/private/var/folders/x/T/y"] {
            assert!(is_temp(path, "/home/me/shop") && is_temp(path, "/tmp/work/shop"), "{path}");
        }
        for path in ["/tmp", "/tmpx/a", "/home/me/tmp/a", "/etc/passwd", "/usr/tmp/x"] {
            assert!(!is_temp(path, "/home/me/shop"), "{path}");
        }
        assert!(!is_temp("/tmp/work/beside", "/tmp/work/shop"));
    }
}
