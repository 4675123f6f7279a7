//! Whose a path is: the workspace's, the user's, the system's.

use super::governing::{self, MovedSettings, Reader};
use crate::path::is_within;
use crate::reading::Reading;
use crate::secrets::below_home;

/// Whose a path is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zone {
    /// `/` itself.
    Root,
    /// A disk or another device.
    Device,
    /// Folders of the operating system.
    System,
    /// Below `/usr/local` and `/opt`: the system's, but meant to be added to.
    Addon,
    /// A home folder itself, or the folder of all homes.
    Home,
    /// Files the shell or the session runs at its start.
    Startup,
    /// Keys and who may log in.
    Keys,
    /// Settings of agents and of the guard itself.
    AgentSettings,
    /// Settings an agent program reads, of less weight.
    SharedSettings,
    /// Caches below a home.
    Cache,
    /// Below a home, outside of the workspace.
    InHome,
    /// The workspace itself, or a folder it lies in.
    Workspace,
    /// The repository's own folder.
    Repository,
    /// Files that git runs or obeys.
    RepositorySettings,
    /// Inside of the workspace.
    Inside,
    /// The folder for temporary files itself.
    TmpRoot,
    /// Below a folder for temporary files.
    Tmp,
    /// Anywhere else.
    Outside,
}

/// The folders that paths are checked against.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ground<'a> {
    pub workspace: &'a str,
    pub home: &'a str,
    pub user_state: Option<&'a str>,
    pub moved_settings: &'a [MovedSettings],
}

impl<'a> Ground<'a> {
    pub(super) fn of(reading: &'a Reading) -> Self {
        let user_state = reading.user_state.as_deref();
        let moved_settings = &reading.moved_settings;
        Self { workspace: &reading.workspace, home: &reading.home, user_state, moved_settings }
    }
}

/// Where a path lies.
pub(super) fn zone(path: &str, ground: Ground<'_>) -> Zone {
    let Ground { workspace, home, user_state, moved_settings } = ground;
    if path == "/" || is_drive(path) {
        return Zone::Root;
    }
    if is_within(path, "/dev") {
        return if is_within(path, "/dev/shm") && path != "/dev/shm" { Zone::Tmp } else { Zone::Device };
    }
    if user_state.is_some_and(|state| is_within(path, state)) {
        return Zone::AgentSettings;
    }
    match governing::find(path).or_else(|| MovedSettings::find(moved_settings, path)) {
        Some(Reader::Host | Reader::Steersman) => return Zone::AgentSettings,
        Some(Reader::Shared) if is_within(path, workspace) => return Zone::SharedSettings,
        Some(Reader::Shared) | None => {}
    }
    // Before the workspace and the temporary folders: who works in a home folder, or has one
    // below `/tmp`, keeps keys and start-up files there all the same.
    let own = path.strip_prefix(home).and_then(|rest| rest.strip_prefix('/')).filter(|_| home != "/");
    // Qwen Code and Gemini CLI read variables from it at every start, such as those that move their settings.
    if own == Some(".env") {
        return Zone::AgentSettings;
    }
    let precious = own.map(below).filter(|zone| matches!(zone, Zone::Startup | Zone::Keys));
    if let Some(precious) = precious {
        return precious;
    }
    if is_within(path, workspace) && workspace != "/" {
        return if path == home { Zone::Home } else { inside(path, workspace) };
    }
    if is_within(workspace, path) && workspace != "/" {
        return if path == home || is_home(path) { Zone::Home } else { Zone::Workspace };
    }
    if path == home || is_home(path) {
        return Zone::Home;
    }
    if is_tmp_root(path) {
        return Zone::TmpRoot;
    }
    let is_below_tmp =
        ["/tmp", "/var/tmp", "/private/tmp", "/var/folders", "/private/var/folders", "/private/var/tmp"]
            .iter()
            .any(|base| is_within(path, base));
    if is_below_tmp && own.is_none() {
        return Zone::Tmp;
    }
    if let Some(rest) = below_home(path, home) {
        return below(rest);
    }
    if ["/usr/local", "/opt", "/srv", "/mnt", "/media", "/Volumes"]
        .iter()
        .any(|base| is_within(path, base) && path != *base)
    {
        return Zone::Addon;
    }
    if is_windows_system(path) {
        return Zone::System;
    }
    if SYSTEM.iter().any(|base| is_within(path, base)) {
        return Zone::System;
    }
    Zone::Outside
}

const SYSTEM: [&str; 24] = [
    "/etc",
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/boot",
    "/sys",
    "/proc",
    "/var",
    "/opt",
    "/run",
    "/srv",
    "/mnt",
    "/media",
    "/root",
    "/snap",
    "/System",
    "/Library",
    "/Applications",
    "/private/etc",
    "/Volumes",
    "/nix",
];

/// `/home`, `/home/you`, `/Users/you`, `/root`.
fn is_home(path: &str) -> bool {
    matches!(path, "/home" | "/Users" | "/root")
        || path.get(2..) == Some("/users")
        || ["/home/", "/Users/"]
            .iter()
            .any(|base| path.strip_prefix(base).is_some_and(|rest| !rest.is_empty() && !rest.contains('/')))
}

/// The folder for temporary files itself.
pub(super) fn is_tmp_root(path: &str) -> bool {
    matches!(path, "/tmp" | "/var/tmp" | "/private/tmp" | "/var/folders" | "/private/var/tmp")
}

/// `/c`: a drive of Windows.
fn is_drive(path: &str) -> bool {
    path.len() == 2 && path.as_bytes()[1].is_ascii_lowercase()
}

fn is_windows_system(path: &str) -> bool {
    let rest = path.get(2..).unwrap_or("");
    ["/windows", "/program files", "/program files (x86)", "/programdata"]
        .iter()
        .any(|base| is_within(rest, base))
        && path.as_bytes().get(2) == Some(&b'/')
}

fn inside(path: &str, workspace: &str) -> Zone {
    let rest = path.strip_prefix(workspace).unwrap_or("").trim_start_matches('/');
    if rest.is_empty() {
        return Zone::Workspace;
    }
    if rest == ".git" {
        return Zone::Repository;
    }
    match rest.strip_prefix(".git/") {
        Some(inner) if inner.starts_with("hooks") || inner == "config" => Zone::RepositorySettings,
        // Lock files and leftovers of an interrupted git are removed every day.
        Some(inner)
            if inner.ends_with(".lock")
                || inner.starts_with("rebase-")
                || inner.starts_with("MERGE_")
                || inner == "COMMIT_EDITMSG"
                || inner.starts_with("info/") =>
        {
            Zone::Inside
        }
        Some(_) => Zone::Repository,
        None => Zone::Inside,
    }
}

/// A path below a home folder.
fn below(rest: &str) -> Zone {
    const STARTUP: [&str; 30] = [
        ".bashrc",
        ".bash_profile",
        ".bash_login",
        ".bash_logout",
        ".bash_aliases",
        ".profile",
        ".zshrc",
        ".zshenv",
        ".zprofile",
        ".zlogin",
        ".zlogout",
        ".kshrc",
        ".cshrc",
        ".tcshrc",
        ".login",
        ".inputrc",
        ".xinitrc",
        ".xprofile",
        ".pam_environment",
        ".config/fish/config.fish",
        ".config/fish/conf.d",
        ".config/autostart",
        ".config/systemd",
        ".config/powershell",
        "Documents/PowerShell",
        "documents/powershell",
        "documents/windowspowershell",
        "Library/LaunchAgents",
        ".oh-my-zsh",
        ".gitconfig",
    ];
    if STARTUP
        .iter()
        .any(|name| rest == *name || rest.strip_prefix(name).is_some_and(|tail| tail.starts_with('/')))
    {
        return Zone::Startup;
    }
    if rest == ".ssh"
        || rest.starts_with(".ssh/")
        || rest == ".gnupg"
        || rest.starts_with(".gnupg/")
        || rest.starts_with(".aws/")
        || rest == ".kube/config"
        || rest == ".netrc"
    {
        return Zone::Keys;
    }
    if [
        ".cache",
        ".npm",
        ".cargo/registry",
        ".cargo/git",
        ".gradle/caches",
        ".m2/repository",
        "Library/Caches",
        ".yarn/cache",
        ".pnpm-store",
        ".local/share/Trash",
        "Library/Developer/Xcode/DerivedData",
        ".rustup/tmp",
        ".bun/install/cache",
    ]
    .iter()
    .any(|name| rest == *name || rest.strip_prefix(name).is_some_and(|tail| tail.starts_with('/')))
    {
        return Zone::Cache;
    }
    Zone::InHome
}
