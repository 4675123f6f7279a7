//! The files that a command may write, and those that it must never write.

use std::path::PathBuf;

/// The wish of the caller. Every path is absolute and free of links; the executor refuses to follow one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    /// Folders and files of the scope.
    pub scope: Vec<PathBuf>,
    /// Folders that tools fill: build output, dependencies, caches.
    pub tools: Vec<PathBuf>,
    /// Folders for temporary files.
    pub temporary: Vec<PathBuf>,
    /// Git folders that the command may write, because it consists of git alone.
    pub git: Vec<PathBuf>,
    /// Folders that are read-only even inside a folder for temporary files, unless the scope opens them: the workspace
    /// and the home.
    pub floors: Vec<PathBuf>,
    /// Paths that stay read-only unless a deeper path of the lists above opens a part of them.
    pub read_only: Vec<PathBuf>,
    /// Paths that nothing opens: the governor's state, its binary, keys, start-up files.
    pub protected: Vec<PathBuf>,
    /// Sockets of programs outside that the command can reach otherwise.
    pub listeners: Vec<PathBuf>,
    /// Folders in which programs outside put their sockets, now or later.
    pub socket_folders: Vec<PathBuf>,
    /// Sockets, and folders of sockets, that the user lets the command reach.
    pub open_sockets: Vec<PathBuf>,
    /// Whether the command reaches the network.
    pub network: Network,
    /// The files that the command must not read; `None` if it may read whatever its user may.
    pub hidden: Option<HiddenFiles>,
    /// Whether the command cannot signal processes outside, also with the network.
    pub own_signals: bool,
}

/// The files that a command must not read. With them the command also sees no process outside.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HiddenFiles {
    /// Folders that are empty for it.
    pub folders: Vec<PathBuf>,
    /// Folders that are replaced for it by empty, writable ones.
    pub emptied: Vec<PathBuf>,
    /// Parts of both that stay visible, read-only.
    pub shown: Vec<PathBuf>,
    /// Files and folders in visible places that are empty for it.
    pub secrets: Vec<PathBuf>,
}

/// Whether a command reaches the network.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Network {
    /// As without confinement.
    #[default]
    Shared,
    /// Only a loopback of its own. It cannot signal processes outside either: ending the program that listens is the
    /// other half of cutting it off.
    Own,
}
