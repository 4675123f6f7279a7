//! The status of every specification, and its changes.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use automation::OccurrenceKind;
use event::AbsPath;

/// How many bytes of a specification are searched for its status.
const MAX_HEAD: usize = 16 * 1024;

/// The statuses as last seen, by path within the workspace.
#[derive(Debug, Default)]
pub(crate) struct SpecStatuses {
    statuses: HashMap<String, Option<String>>,
}

impl SpecStatuses {
    /// Reads the statuses of all specifications.
    pub(crate) fn read_all(&mut self, root: &AbsPath) {
        for spec in all(root) {
            let status = read(&root.as_path().join(&spec));
            self.statuses.insert(spec, status);
        }
    }

    /// Checks one file. Returns an occurrence if it is a specification whose status has changed.
    pub(crate) fn check(&mut self, root: &AbsPath, path: &str) -> Option<OccurrenceKind> {
        let spec_id = spec_id(path)?;
        let now = read(&root.as_path().join(path));
        let before = self.statuses.insert(path.to_owned(), now.clone()).flatten();
        let new_status = now.filter(|status| Some(status) != before.as_ref())?;
        Some(OccurrenceKind::SpecStatus {
            spec_id,
            path: path.to_owned(),
            old_status: before,
            new_status,
            change_author: None,
        })
    }
}

/// Returns the folder's name if this is `specs/**/spec.md`.
fn spec_id(path: &str) -> Option<String> {
    let folder = path.strip_prefix("specs/")?.strip_suffix("/spec.md")?;
    folder.rsplit('/').next().map(str::to_owned)
}

fn all(root: &AbsPath) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec!["specs".to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(root.as_path().join(&folder)) else { continue };
        for entry in entries.flatten() {
            let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
            let path = format!("{folder}/{name}");
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && path.matches('/').count() < 8 => folders.push(path),
                Ok(kind) if kind.is_file() && name == "spec.md" => found.push(path),
                _ => {}
            }
        }
    }
    found
}

fn read(path: &Path) -> Option<String> {
    let bytes = fs::read(path).ok()?;
    status(&String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_HEAD)]))
}

/// Finds the status: `status:` in the frontmatter, or the first line such as `**Status**: Draft`.
fn status(text: &str) -> Option<String> {
    let mut fence = None;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fence = if fence.is_some() { None } else { Some(()) };
        }
        if fence.is_some() {
            continue;
        }
        let bare: String = trimmed.trim_start_matches(['-', '*', '>', '#', ' ']).replace("**", "");
        let Some((name, value)) = bare.split_once(':') else { continue };
        if name.trim().eq_ignore_ascii_case("status") {
            let value = value.trim().trim_matches(['"', '\'', '`', '*', '_']).trim();
            return (!value.is_empty()).then(|| value.to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_found_in_every_form_it_is_written_in() {
        for (text, expected) in [
            ("---\nstatus: draft\n---\n# X", Some("draft")),
            ("---\nStatus: \"In Review\"\n---", Some("In Review")),
            ("# X\n\n**Status**: Draft  \n", Some("Draft")),
            ("# X\n**Status:** Approved", Some("Approved")),
            ("- Status: `done`", Some("done")),
            ("# X\n```\nStatus: no\n```\nStatus: yes", Some("yes")),
            ("# X\nno word of it", None),
            ("Status:", None),
        ] {
            assert_eq!(status(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn only_a_change_is_told_with_what_was_before() {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path()).unwrap();
        let path = "specs/011-hooks/spec.md";
        fs::create_dir_all(dir.path().join("specs/011-hooks")).unwrap();
        let write =
            |status: &str| fs::write(dir.path().join(path), format!("**Status**: {status}\n")).unwrap();
        write("Draft");
        let mut specs = SpecStatuses::default();
        specs.read_all(&root);
        assert_eq!(specs.check(&root, path), None);
        write("Review");
        let expected = OccurrenceKind::SpecStatus {
            spec_id: "011-hooks".into(),
            path: path.into(),
            old_status: Some("Draft".into()),
            new_status: "Review".into(),
            change_author: None,
        };
        assert_eq!(specs.check(&root, path), Some(expected));
        assert_eq!(specs.check(&root, path), None);
        assert_eq!(specs.check(&root, "src/spec.md"), None);
    }
}
