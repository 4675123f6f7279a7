//! Temporary files that editors create while they save a file.

use std::path::Path;

/// Returns whether this is a temporary, swap or backup file of an editor.
pub(crate) fn is_editor_file(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    let swap = [".swp", ".swo", ".swx", "___jb_tmp___", "___jb_old___", ".tmp", ".crdownload", ".part"];
    name.ends_with('~')
        || name.starts_with(".#")
        || (name.starts_with('#') && name.ends_with('#'))
        || name == "4913"
        || name.starts_with(".goutputstream-")
        || name.contains(".tmp.")
        || swap.iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_editors_leave_beside_a_file_is_not_saved() {
        for name in [
            "a.rs~",
            ".#a.rs",
            "#a.rs#",
            ".a.rs.swp",
            "4913",
            "a.rs___jb_tmp___",
            "a.rs.tmp.123.456",
            "x.tmp",
        ] {
            assert!(is_editor_file(Path::new(name)), "{name}");
        }
        for name in ["a.rs", "tmp.rs", "swp", "notes#1.md"] {
            assert!(!is_editor_file(Path::new(name)), "{name}");
        }
    }
}
