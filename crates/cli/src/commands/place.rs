//! The workspace and state folder that a command uses.

use std::fmt;
use std::path::PathBuf;

use anyhow::Context;
use dispatch::replay::Replay;
use event::{AbsPath, SessionId};
use project_config::{Config, Manifest};
use store::{Governed, UserConfig, Workspace};

use crate::environment;

/// The options common to all commands.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Use the workspace DIR instead of the one around the current folder
    #[arg(long, global = true, value_name = "DIR")]
    workspace: Option<PathBuf>,
}

/// The workspace and state folder that a command uses.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// The folder the command was called in.
    pub(crate) folder: AbsPath,
    /// The workspace.
    pub(crate) workspace: Workspace,
    /// Whether `--workspace` named it.
    pub(crate) is_named: bool,
    /// Whether the scope of a registration for all folders leaves this workspace out.
    pub(crate) is_out_of_scope: bool,
    /// The folder of the user's own state.
    pub(crate) user_state: Option<AbsPath>,
}

impl Place {
    /// Determines the workspace and the state folder.
    pub(crate) fn find(args: &Args) -> anyhow::Result<Self> {
        let folder = environment::current_folder().context("cannot determine the current folder")?;
        let folder = AbsPath::new(&folder).map_err(|not| {
            anyhow::anyhow!("the current folder `{}` is not an absolute path", not.0.display())
        })?;
        let root = match &args.workspace {
            Some(named) => folder.join(named),
            None => Workspace::root_of_command(&folder),
        };
        if !root.as_path().is_dir() {
            return Err(NoSuchFolder(root).into());
        }
        let is_named = args.workspace.is_some();
        let user_state = environment::user_state();
        let in_state = user_state.as_ref().filter(|_| !is_named);
        let opened = UserConfig::open(root.clone(), in_state, &environment::user_configs());
        let (workspace, is_out_of_scope) = match opened {
            Governed::In(workspace, _problem) => (workspace, false),
            Governed::Out => (Workspace::at(root), true),
        };
        Ok(Self { folder, workspace, is_named, is_out_of_scope, user_state })
    }

    /// Returns the same place with the records in the workspace itself, where `init` makes them go.
    pub(crate) fn registered(&self) -> Self {
        let (workspace, _problem) = Workspace::open(self.workspace.root().clone());
        Self {
            folder: self.folder.clone(),
            workspace,
            is_named: self.is_named,
            is_out_of_scope: false,
            user_state: self.user_state.clone(),
        }
    }

    /// Returns the replay of a session with the modules of this build.
    pub(crate) fn replay<'a>(
        &'a self,
        session: SessionId,
        manifest: &'a Manifest,
        config: &'a Config,
        home: Option<&'a AbsPath>,
    ) -> Replay<'a> {
        Replay {
            modules: modules::ALL,
            workspace: &self.workspace,
            user_state: self.user_state.as_ref(),
            home,
            manifest,
            config,
            session,
        }
    }

    /// Returns the user's state folder, or an error if the environment names none.
    pub(crate) fn user_state(&self) -> anyhow::Result<&AbsPath> {
        self.user_state.as_ref().context(
            "cannot find your state folder: HOME is not set\nhint: set HOME, or set STEERSMAN_STATE_DIR to a folder",
        )
    }
}

/// The folder in `--workspace` does not exist.
#[derive(Debug)]
pub(crate) struct NoSuchFolder(AbsPath);

impl fmt::Display for NoSuchFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the folder `{}` does not exist\nhint: pass an existing folder as `--workspace`", self.0)
    }
}

impl std::error::Error for NoSuchFolder {}
