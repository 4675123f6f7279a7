//! The part of the user's state folder about one workspace, and its removal.

use std::fs;
use std::io;

use event::AbsPath;

use crate::{Workspace, fingerprint};

/// Folders of the state folder with an entry per workspace, named by the hash of its path.
const FOLDERS: [&str; 7] = ["intents", "plans", "hosts", "holds", "governed", "persons", "workspaces"];

impl Workspace {
    /// Lists the files and folders about this workspace in the user's state folder that exist: caches, the agent programs
    /// that called steersman, orders to hold, marks of sessions, a person's changes, and records that are kept there.
    /// Trust, pins of MCP servers and asks are in files for all workspaces.
    pub fn in_user_state(&self, user_state: &AbsPath) -> Vec<AbsPath> {
        let name = fingerprint([self.root().to_string().as_bytes()]).short();
        let entry = |folder: &&str| {
            let folder = user_state.child(folder);
            [folder.child(&name), folder.child(&format!("{name}.json"))]
        };
        let all = FOLDERS.iter().flat_map(entry);
        all.filter(|path| fs::symlink_metadata(path.as_path()).is_ok()).collect()
    }

    /// Removes all records of this workspace: its state folder, and its files in the user's state folder. Returns
    /// whether there were any.
    pub fn remove_records(&self, user_state: Option<&AbsPath>) -> io::Result<bool> {
        let of_user = user_state.map(|state| self.in_user_state(state)).unwrap_or_default();
        let mut n_removed = 0;
        for path in of_user.iter().chain([self.tmp_dir()]) {
            n_removed += usize::from(remove(path)?);
        }
        Ok(n_removed > 0)
    }
}

/// Removes a file, a link, or a folder with its content. Returns whether it existed.
#[expect(clippy::disallowed_methods, reason = "this crate removes files")]
fn remove(path: &AbsPath) -> io::Result<bool> {
    let path = path.as_path();
    let removed = match fs::symlink_metadata(path) {
        Ok(kind) if kind.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_records_of_the_workspace_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path()).unwrap();
        let state = root.child("state");
        let (one, other) = (Workspace::at(root.child("one")), Workspace::at(root.child("other")));
        for workspace in [&one, &other] {
            fs::create_dir_all(workspace.tmp_dir().child("s").as_path()).unwrap();
            for folder in [workspace.intent_cache_dir(&state), workspace.host_records(&state)] {
                fs::create_dir_all(folder.as_path()).unwrap();
            }
            for file in [workspace.hold_file(&state), workspace.person_changes(&state)] {
                fs::create_dir_all(file.as_path().parent().unwrap()).unwrap();
                fs::write(file.as_path(), "").unwrap();
            }
        }
        assert_eq!(one.in_user_state(&state).len(), 4);
        assert!(one.remove_records(Some(&state)).unwrap());
        assert!(one.in_user_state(&state).is_empty() && !one.tmp_dir().as_path().exists());
        assert_eq!(other.in_user_state(&state).len(), 4);
        assert!(other.tmp_dir().as_path().exists());
        assert!(!one.remove_records(Some(&state)).unwrap());
    }
}
