//! Where a command works: the workspace around the current folder, and the user's own state.

use std::fmt;
use std::path::PathBuf;

use anyhow::Context;
use event::AbsPath;
use store::Workspace;

use crate::environment;

/// The options every command has.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The workspace to work in, instead of the one around the current folder
    #[arg(long, global = true, value_name = "DIR")]
    workspace: Option<PathBuf>,
}

/// Where a command works.
#[derive(Debug)]
pub(crate) struct Place {
    /// The folder the command was called in.
    pub(crate) folder: AbsPath,
    /// The workspace.
    pub(crate) workspace: Workspace,
    /// Whether `--workspace` named it.
    pub(crate) is_named: bool,
    /// Where the user's own state is kept.
    pub(crate) user_state: Option<AbsPath>,
}

impl Place {
    /// Finds the place.
    pub(crate) fn find(args: &Args) -> anyhow::Result<Self> {
        let folder = std::env::current_dir().context("cannot tell the current folder")?;
        let folder = AbsPath::new(&folder).map_err(|not| {
            anyhow::anyhow!("the current folder `{}` is not an absolute path", not.0.display())
        })?;
        let root = match &args.workspace {
            Some(named) => folder.join(named),
            None => Workspace::root_of(&folder),
        };
        if !root.as_path().is_dir() {
            return Err(NoSuchFolder(root).into());
        }
        let (workspace, _problem) = Workspace::open(root);
        Ok(Self {
            folder,
            workspace,
            is_named: args.workspace.is_some(),
            user_state: environment::user_state(),
        })
    }

    /// Returns the user's state folder, or says why there is none.
    pub(crate) fn user_state(&self) -> anyhow::Result<&AbsPath> {
        self.user_state.as_ref().context(
            "there is no folder for your own state\nhint: set HOME, or STEERSMAN_STATE_DIR to a folder of your choice",
        )
    }
}

/// The workspace that was named is not there.
#[derive(Debug)]
pub(crate) struct NoSuchFolder(AbsPath);

impl fmt::Display for NoSuchFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no folder `{}`\nhint: `--workspace` names a folder that is there", self.0)
    }
}

impl std::error::Error for NoSuchFolder {}
