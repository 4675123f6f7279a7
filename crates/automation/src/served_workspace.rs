//! The workspaces that servers of this user serve now, so that each page links to the others and the guard knows every port.
//!
//! A server writes one entry into the user's state folder. An entry says only where the record of a server is. A running
//! server holds a lock on its record, so entries of dead servers do no harm.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::Path;

use event::AbsPath;
use store::Workspace;

use crate::ServerRecord;

/// How many entries are read; more are leftovers.
const MAX_ENTRIES: usize = 256;
/// The most that a record has.
const MAX_RECORD: u64 = 64 * 1024;

/// A workspace with a running server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServedWorkspace {
    /// The folder of the workspace.
    pub root: AbsPath,
    /// The server's own record.
    pub server: ServerRecord,
}

impl ServedWorkspace {
    /// Returns all served workspaces, sorted by their folders.
    pub fn all(user_state: &AbsPath) -> Vec<Self> {
        let entries =
            fs::read_dir(store::served_folder(user_state).as_path()).into_iter().flatten().flatten();
        let mut all: Vec<Self> =
            entries.take(MAX_ENTRIES).filter_map(|entry| Self::of_entry(&entry.path())).collect();
        all.sort_by(|one, other| one.root.cmp(&other.root));
        all.dedup_by(|one, other| one.root == other.root);
        all
    }

    /// Adds an entry for a workspace, and removes those of servers that no longer run.
    pub fn register(user_state: &AbsPath, workspace: &Workspace) -> io::Result<()> {
        let folder = store::served_folder(user_state);
        store::create_private_folder(folder.as_path())?;
        for entry in fs::read_dir(folder.as_path()).into_iter().flatten().flatten() {
            if Self::of_entry(&entry.path()).is_none() {
                let _ = store::remove_file(&entry.path());
            }
        }
        let root = workspace.root().to_string();
        let name = store::fingerprint([root.as_bytes()]).short();
        let text = format!("{root}\n{}\n", workspace.automation_server());
        store::write_private(folder.child(&name).as_path(), text.as_bytes()).map_err(io::Error::other)
    }

    fn of_entry(path: &Path) -> Option<Self> {
        let text = String::from_utf8(start_of(path)?).ok()?;
        let (root, rest) = text.split_once('\n')?;
        let server = ServerRecord::of_holder(&AbsPath::new(rest.trim_end()).ok()?)?;
        Some(Self { root: AbsPath::new(root).ok()?, server })
    }
}

impl ServerRecord {
    /// Returns the record in `path` if the process that wrote it runs: it holds a lock on the file.
    pub fn of_holder(path: &AbsPath) -> Option<Self> {
        let file =
            File::open(path.as_path()).ok().filter(|file| file.metadata().is_ok_and(|it| it.is_file()))?;
        match file.try_lock_shared() {
            Err(TryLockError::WouldBlock) => serde_json::from_slice(&content(file)?).ok(),
            _ => None,
        }
    }
}

fn start_of(path: &Path) -> Option<Vec<u8>> {
    File::open(path).ok().and_then(content)
}

fn content(file: File) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(MAX_RECORD).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_workspaces_whose_server_runs_are_listed() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| AbsPath::new(dir.path().join(name)).unwrap();
        let state = at("state");
        assert_eq!(ServedWorkspace::all(&state), []);
        let mut held = Vec::new();
        for (name, runs) in [("b", true), ("a", true), ("gone", false)] {
            let workspace = Workspace::at(at(name));
            fs::create_dir_all(workspace.automation_dir().as_path()).unwrap();
            let record = ServerRecord { port: Some(4717), ..ServerRecord::of_this_process() };
            let path = workspace.automation_server();
            fs::write(path.as_path(), serde_json::to_string(&record).unwrap()).unwrap();
            ServedWorkspace::register(&state, &workspace).unwrap();
            if runs {
                let file = File::open(path.as_path()).unwrap();
                file.lock().unwrap();
                held.push(file);
            }
        }
        let roots: Vec<AbsPath> = ServedWorkspace::all(&state).into_iter().map(|it| it.root).collect();
        assert_eq!(roots, [at("a"), at("b")]);
        ServedWorkspace::register(&state, &Workspace::at(at("c"))).unwrap();
        let n_entries = fs::read_dir(store::served_folder(&state).as_path()).unwrap().count();
        assert_eq!(n_entries, 3, "the entry of the dead server is removed");
    }
}
