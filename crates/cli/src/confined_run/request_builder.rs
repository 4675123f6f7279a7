//! Everything that a confined command may and may not write, put together.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use confine::{HiddenFiles, Network, Request, holds_sockets, is_within, real_path};
use event::AbsPath;
use project_config::{Config, ConfineSettings};
use store::{Governed, UserConfig, Workspace};

use super::command_line::CommandLine;
use super::git_command::{git_folders, is_git_alone};
use super::hidden_files::hidden_files;
use super::outside_sockets::OutsideSockets;
use super::scope_choice::{ChosenScope, choose, is_too_wide, resolve};
use super::{Refusal, writable_sets};
use crate::environment;

/// A request whose folders may not exist yet.
#[derive(Debug)]
pub(crate) struct PlannedRequest {
    scope: ChosenScope,
    tools: Vec<PathBuf>,
    temporary: Vec<PathBuf>,
    workspace: PathBuf,
    folder: PathBuf,
    home: Option<PathBuf>,
    read_only: Vec<PathBuf>,
    network: Network,
    sealed: bool,
    own_signals: bool,
    settings: ConfineSettings,
    /// Folders to make before the plan.
    pub(crate) missing: Vec<PathBuf>,
}

impl PlannedRequest {
    /// Reads the command line and the workspace.
    pub(crate) fn of(line: &CommandLine, folder: &Path) -> Result<Self, Refusal> {
        let bad = |path: &Path, error: std::io::Error| {
            Refusal::new(
                crate::exit::Exit::No,
                format!("cannot resolve `{}`: {error}", path.display()),
                "check the path",
            )
        };
        let root = match &line.workspace {
            Some(named) => folder.join(named),
            None => AbsPath::new(folder)
                .map_or_else(|_| folder.to_path_buf(), |it| Workspace::root_of(&it).as_path().to_path_buf()),
        };
        let root = real_path(&root).map_err(|error| bad(&root, error))?;
        let workspace = open_workspace(&root, line.workspace.is_none());
        let settings = settings_of(&workspace);
        let scope = choose(line, folder, &workspace)?;
        let home = environment::home().and_then(|home| real_path(home.as_path()).ok());
        let folder = real_path(folder).unwrap_or_else(|_| folder.to_path_buf());
        let packages = writable_sets::packages(&root, &folder, &scope.open);
        let tools = writable_sets::tool_folders(&root, &packages);
        let more: Vec<PathBuf> = settings
            .caches
            .iter()
            .map(|path| expand(path, home.as_deref()))
            .filter(|path| !is_too_wide(path, home.as_deref()))
            .collect();
        let caches =
            home.as_ref().map(|home| writable_sets::caches(home, &line.command, &more)).unwrap_or_default();
        let mut missing = scope.missing.clone();
        missing.extend(tools.missing);
        missing.extend(caches.missing);
        let mut named_read_only = Vec::new();
        for path in &line.read_only {
            named_read_only.push(resolve(&folder.join(path)).map_err(|error| bad(path, error))?);
        }
        let mut state = Vec::new();
        for path in &line.state {
            let path = resolve(&folder.join(path)).map_err(|error| bad(path, error))?;
            if path.symlink_metadata().is_err() && path.extension().is_none() {
                missing.push(path.clone());
            }
            state.push(path);
        }
        // The folders of tools are open without being named, so a named path shuts them.
        let mut open: Vec<PathBuf> = tools.open.into_iter().chain(caches.open).collect();
        let is_shut = |path: &Path| named_read_only.iter().any(|shut| path.starts_with(shut));
        open.retain(|path| !is_shut(path));
        missing.retain(|path| !is_shut(path));
        let read_only = scope.shut.iter().cloned().chain(named_read_only).collect();
        Ok(Self {
            scope,
            tools: open.into_iter().chain(state).collect(),
            temporary: if line.sealed {
                Vec::new()
            } else {
                writable_sets::temporary(&environment::temporary_folder())
            },
            workspace: root,
            folder,
            home,
            read_only,
            network: line.network,
            sealed: line.sealed,
            own_signals: line.own_signals,
            settings,
            missing,
        })
    }

    /// Returns the request, once the missing folders exist.
    pub(crate) fn request(self, command: &[OsString]) -> Result<Request, Refusal> {
        let hidden = self.hidden()?;
        let git = if is_git_alone(command) { git_folders(&self.folder, command) } else { Vec::new() };
        let protected = self.protected();
        let mut request = Request {
            scope: self.scope.open,
            tools: self.tools,
            temporary: self.temporary,
            git,
            // Both may lie in the folder for temporary files, which is writable.
            floors: self.home.iter().cloned().chain([self.workspace]).collect(),
            read_only: self.read_only,
            protected,
            network: self.network,
            hidden,
            own_signals: self.own_signals,
            ..Request::default()
        };
        request.open_sockets =
            self.settings.sockets.iter().map(|path| expand(path, self.home.as_deref())).collect();
        // Where the kernel itself keeps commands from sockets, none must be covered.
        if !holds_sockets() {
            let outside = OutsideSockets::find();
            (request.listeners, request.socket_folders) = (outside.sockets, outside.folders);
        }
        Ok(request)
    }

    /// Returns the home folder.
    pub(crate) fn home(&self) -> Option<PathBuf> {
        self.home.clone()
    }

    /// Returns the files that a sealed command must not read.
    fn hidden(&self) -> Result<Option<HiddenFiles>, Refusal> {
        if !self.sealed {
            return Ok(None);
        }
        let state = environment::user_state();
        let state = state.as_ref().map(AbsPath::as_path);
        let hidden = hidden_files(&self.workspace, self.home.as_deref(), state).map_err(|why| {
            Refusal::new(
                crate::exit::Exit::World,
                format!("cannot seal the command: {why}"),
                "run it without `--sealed`; the command did not run",
            )
        })?;
        Ok(Some(hidden))
    }

    /// Returns the paths that no scope opens. Only a path that a command could reach otherwise needs a mount.
    fn protected(&self) -> Vec<PathBuf> {
        let mut all: Vec<PathBuf> = Vec::new();
        all.extend(environment::user_state().map(|state| state.as_path().to_path_buf()));
        all.extend(environment::running_program());
        if let Some(home) = &self.home {
            all.extend(OF_HOME.map(|name| home.join(name)));
        }
        all.extend([".ai", ".orchestration"].map(|name| self.workspace.join(name)));
        all.retain(|path| self.could_write(path));
        all.into_iter().map(|path| real_path(&path).unwrap_or(path)).collect()
    }

    /// Returns whether the command could write at or below a path: the deepest folder around it is open, or a part of it
    /// is.
    fn could_write(&self, path: &Path) -> bool {
        let open = || [&self.scope.open, &self.tools, &self.temporary].into_iter().flatten();
        let floors = self.home.iter().chain([&self.workspace]);
        let length = |around: &PathBuf| around.as_os_str().len();
        let around = open().filter(|it| is_within(path, it)).map(length).max();
        let floor = floors.filter(|it| is_within(path, it)).map(length).max();
        around.is_some() && around >= floor || open().any(|it| is_within(it, path))
    }
}

/// Keys, start-up files and settings of the home that decide which programs run later.
const OF_HOME: [&str; 24] = [
    ".ssh",
    ".gnupg",
    ".config/steersman",
    ".config/git",
    ".config/fish",
    ".config/systemd",
    ".config/autostart",
    ".gitconfig",
    ".npmrc",
    ".cargo/config.toml",
    ".cargo/bin",
    ".local/bin",
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".inputrc",
    ".pam_environment",
    ".gradle/init.d",
];

/// Returns the settings of the workspace. Most have none: then nothing is read as such.
fn settings_of(workspace: &Workspace) -> ConfineSettings {
    let config = Config::load(workspace).unwrap_or_default();
    if config.section(ConfineSettings::SECTION).is_null() {
        return ConfineSettings::default();
    }
    config.typed(ConfineSettings::SECTION).unwrap_or_default()
}

fn open_workspace(root: &Path, in_state: bool) -> Workspace {
    let root = AbsPath::new(root).unwrap_or_else(|_| AbsPath::root());
    let state = environment::user_state().filter(|_| in_state);
    match UserConfig::open(root.clone(), state.as_ref(), &environment::user_configs()) {
        Governed::In(workspace, _problem) => workspace,
        Governed::Out => Workspace::at(root),
    }
}

fn expand(path: &str, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(path),
    }
}
