//! The sockets of programs outside that a confined command must not reach, as the disk shows them.

use std::collections::VecDeque;
use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use confine::{listeners, real_path};

use crate::environment;

/// Sockets, and folders that hold nothing but sockets.
#[derive(Debug, Default)]
pub(crate) struct OutsideSockets {
    pub(crate) sockets: Vec<PathBuf>,
    pub(crate) folders: Vec<PathBuf>,
}

/// Sockets of daemons that do things for others. They may belong to another network namespace, whose table is not
/// visible here.
const DAEMONS: [&str; 9] = [
    "/run/docker.sock",
    "/run/containerd/containerd.sock",
    "/run/podman/podman.sock",
    "/run/crio/crio.sock",
    "/run/buildkit/buildkitd.sock",
    "/run/dbus/system_bus_socket",
    "/run/snapd.socket",
    "/run/systemd/private",
    "/run/systemd/io.systemd.ManagedOOM",
];

/// The folders around sockets that are read because a socket has another name by now.
const MAX_FOLDERS: usize = 16;

/// The processes whose current folders are read because a socket has a relative name.
const MAX_PROCESSES: usize = 512;

/// Returns the folder of hooks that wait for a person. Creates it: a folder that appears later could not be covered.
fn folder_of_asks() -> Option<PathBuf> {
    let state = environment::user_state().filter(|state| state.as_path().is_dir())?;
    let folder = store::asks_folder(&state).as_path().to_path_buf();
    store::create_private_folder(&folder).ok()?;
    real_path(&folder).ok()
}

impl OutsideSockets {
    /// Finds the sockets that this user may connect to.
    pub(crate) fn find() -> Self {
        let user = fs::metadata("/proc/self").map_or(0, |meta| meta.uid());
        let (mut found, mut relative, mut renamed_in) = (Vec::new(), Vec::new(), Vec::new());
        for listener in listeners() {
            if listener.path.is_relative() {
                relative.push(listener.path);
                continue;
            }
            match (listener.path.metadata(), listener.path.parent()) {
                (Ok(meta), _) => found.extend(may_connect(&meta, user).then_some(listener.path)),
                (Err(_), Some(folder)) => renamed_in.push(folder.to_path_buf()),
                (Err(_), None) => {}
            }
        }
        let mut others: Vec<PathBuf> = sockets_in(renamed_in);
        if !relative.is_empty() {
            others.extend(bound_by_name(&relative));
        }
        others.extend(DAEMONS.map(PathBuf::from));
        others.retain(|path| path.metadata().is_ok_and(|meta| may_connect(&meta, user)));
        found.extend(others);
        let sockets = found.iter().filter_map(|path| real_path(path).ok()).collect();
        let folders = [
            format!("/run/user/{user}"),
            format!("/tmp/tmux-{user}"),
            "/tmp/.X11-unix".to_owned(),
            "/tmp/.ICE-unix".to_owned(),
            "/run/screen".to_owned(),
        ];
        let mut folders = folders.map(PathBuf::from).to_vec();
        folders.extend(folder_of_asks());
        Self { sockets, folders }
    }
}

fn may_connect(meta: &fs::Metadata, user: u32) -> bool {
    meta.file_type().is_socket() && (user == 0 || meta.uid() == user || meta.mode() & 0o022 != 0)
}

/// Returns the sockets in folders where a socket was bound under a name that is gone: programs rename a socket into its
/// place, and ssh gives it a second link.
fn sockets_in(mut folders: Vec<PathBuf>) -> Vec<PathBuf> {
    folders.sort();
    folders.dedup();
    let entries = folders.iter().take(MAX_FOLDERS).filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    let socket = |entry: fs::DirEntry| entry.file_type().ok()?.is_socket().then(|| entry.path());
    entries.filter_map(|entry| socket(entry.ok()?)).collect()
}

/// Returns the sockets with these relative names, as seen from the current folders of running processes.
fn bound_by_name(names: &[PathBuf]) -> Vec<PathBuf> {
    let is_process = |name: &std::ffi::OsStr| name.to_str().is_some_and(|it| it.parse::<u32>().is_ok());
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = processes
        .filter(|entry| is_process(&entry.file_name()))
        .take(MAX_PROCESSES)
        .filter_map(|entry| fs::read_link(entry.path().join("cwd")).ok())
        .collect();
    folders.sort();
    folders.dedup();
    let at = |folder: &Path| names.iter().map(|name| folder.join(name)).collect::<Vec<_>>();
    let mut found: Vec<PathBuf> =
        folders.iter().flat_map(|folder| at(folder)).filter(|path| path.symlink_metadata().is_ok()).collect();
    let is_missing = |name: &&PathBuf| !found.iter().any(|path| path.ends_with(name));
    let missing: Vec<&PathBuf> = names.iter().filter(is_missing).collect();
    if !missing.is_empty() {
        found.extend(bound_by_hidden_process(&missing));
    }
    found
}

/// The most entries that steersman reads for the socket of a process that cannot be seen, and the depth of the search.
const MAX_SEARCHED: usize = 4096;
const MAX_DEPTH: usize = 3;

/// Returns the sockets with these relative names in the folders where programs put sockets.
///
/// WHY: inside the sandbox of an agent program, with processes of its own, the current folder of a process outside is unknown.
fn bound_by_hidden_process(names: &[&PathBuf]) -> Vec<PathBuf> {
    let mut queue: VecDeque<(PathBuf, usize)> =
        ["/run", "/tmp", "/var/tmp"].map(|root| (PathBuf::from(root), 1)).into();
    queue.extend(environment::home().map(|home| (home.as_path().to_path_buf(), 1)));
    let (mut found, mut n_left) = (Vec::new(), MAX_SEARCHED);
    while let Some((folder, depth)) = queue.pop_front() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Some(left) = n_left.checked_sub(1) else { return found };
            n_left = left;
            let (Ok(kind), path) = (entry.file_type(), entry.path()) else { continue };
            if kind.is_socket() && names.iter().any(|name| path.ends_with(name)) {
                found.push(path);
            } else if kind.is_dir() && depth < MAX_DEPTH {
                queue.push_back((path, depth + 1));
            }
        }
    }
    found
}
