//! The specifications of a workspace: the status of each, and the one that an operation is about.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use automation::SpecAgent;
use event::AbsPath;

/// How many bytes of a specification are searched for its status.
const MAX_HEAD: usize = 16 * 1024;
/// How deep below `specs/` specifications are searched.
const MAX_DEPTH: usize = 8;

/// A specification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Specification {
    /// The name of its folder.
    pub id: String,
    /// Its file, relative to the workspace, with `/`.
    pub path: String,
}

impl Specification {
    /// Returns the specification if this is the path of one: `specs/**/spec.md`.
    pub fn of_path(path: &str) -> Option<Self> {
        let folder = path.strip_prefix("specs/")?.strip_suffix("/spec.md")?;
        let id = folder.rsplit('/').next()?.to_owned();
        Some(Self { id, path: path.to_owned() })
    }

    /// Returns all of `specs/**/spec.md`.
    pub fn all(root: &AbsPath) -> Vec<Self> {
        let mut found = Vec::new();
        let mut folders = vec!["specs".to_owned()];
        while let Some(folder) = folders.pop() {
            let Ok(entries) = fs::read_dir(root.as_path().join(&folder)) else { continue };
            for entry in entries.flatten() {
                let Some(name) = entry.file_name().to_str().map(str::to_owned) else { continue };
                let path = format!("{folder}/{name}");
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() && path.matches('/').count() < MAX_DEPTH => folders.push(path),
                    Ok(kind) if kind.is_file() => found.extend(Self::of_path(&path)),
                    _ => {}
                }
            }
        }
        found
    }

    /// Returns the specification that an agent works on: that of the branch by name, then by number, else the
    /// one written last.
    pub fn current(root: &AbsPath, agent: SpecAgent, branch: Option<&str>) -> Option<Self> {
        let mut all = match agent {
            SpecAgent::SpecKit => Self::all(root),
            SpecAgent::OpenSpec => Self::proposals(root),
        };
        if all.is_empty() && agent == SpecAgent::OpenSpec {
            all = Self::all(root);
        }
        if let Some(of_branch) = branch.and_then(|branch| Self::of_branch(&all, branch)) {
            return Some(of_branch);
        }
        all.into_iter().max_by_key(|it| written_at(&root.as_path().join(&it.path)))
    }

    /// Returns the specification of a branch: `011-hooks` of `feature/011-hooks`, or the only one with its number.
    pub fn of_branch(all: &[Self], branch: &str) -> Option<Self> {
        let name = branch.rsplit('/').next().unwrap_or(branch);
        let number =
            |it: &str| it.split('-').next().filter(|it| it.parse::<u64>().is_ok()).map(str::to_owned);
        let same_name = all.iter().find(|it| it.id == name);
        let wanted = number(name);
        let mut same_number = all.iter().filter(|it| wanted.is_some() && number(&it.id) == wanted);
        let only = same_number.next().filter(|_| same_number.next().is_none());
        same_name.or(only).cloned()
    }

    /// Returns the open changes of `OpenSpec`: `openspec/changes/*/proposal.md`.
    fn proposals(root: &AbsPath) -> Vec<Self> {
        let entries = fs::read_dir(root.as_path().join("openspec/changes")).into_iter().flatten().flatten();
        let names = entries.filter_map(|it| it.file_name().to_str().map(str::to_owned));
        let change = |id: String| Self { path: format!("openspec/changes/{id}/proposal.md"), id };
        names.map(change).filter(|it| root.as_path().join(&it.path).is_file()).collect()
    }

    /// Returns its status, as the file says now.
    pub fn status(&self, root: &AbsPath) -> Option<String> {
        let bytes = fs::read(root.as_path().join(&self.path)).ok()?;
        status(&String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_HEAD)]))
    }
}

fn written_at(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|meta| meta.modified()).ok()
}

/// Finds the status: `status:` in the frontmatter, or the first line such as `**Status**: Draft`.
fn status(text: &str) -> Option<String> {
    let mut is_fenced = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            is_fenced = !is_fenced;
        }
        if is_fenced {
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
    fn the_branch_names_the_specification_and_else_the_latest_counts() {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path()).unwrap();
        for (at, path) in ["specs/001-a/spec.md", "specs/002-b/spec.md", "openspec/changes/add-x/proposal.md"]
            .iter()
            .enumerate()
        {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "").unwrap();
            let later = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(at as u64 + 1);
            fs::File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
        }
        for (agent, branch, expected) in [
            (SpecAgent::SpecKit, Some("001-a"), "001-a"),
            (SpecAgent::SpecKit, Some("me/001-renamed"), "001-a"),
            (SpecAgent::SpecKit, Some("main"), "002-b"),
            (SpecAgent::SpecKit, None, "002-b"),
            (SpecAgent::OpenSpec, Some("main"), "add-x"),
        ] {
            let found = Specification::current(&root, agent, branch).map(|it| it.id);
            assert_eq!(found.as_deref(), Some(expected), "{agent} {branch:?}");
        }
    }
}
