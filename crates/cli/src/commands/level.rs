//! For whom steersman is registered: one project, one user, or all users of this machine.

use std::fs;

use anyhow::Context;
use event::AbsPath;
use host::install::HookPlan;
use store::{UserConfig, Workspace};

use super::Place;
use crate::change::{ChangeError, Mode, Writer};
use crate::environment;

/// The options that choose a level.
#[derive(Debug, clap::Args)]
pub(crate) struct LevelArgs {
    /// Use your own settings of each program, in your home folder, which hold in every folder
    #[arg(long, conflicts_with_all = ["managed"])]
    user: bool,
    /// Use the settings that only an administrator can change, for all users of this machine; needs root
    #[arg(long)]
    managed: bool,
}

/// For whom steersman is registered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// A project.
    Project,
    /// A user, in every folder.
    User,
    /// All users of a machine, in every folder.
    Managed,
}

impl LevelArgs {
    /// Returns the chosen level.
    pub(crate) fn level(&self) -> Level {
        match (self.user, self.managed) {
            (true, _) => Level::User,
            (false, true) => Level::Managed,
            (false, false) => Level::Project,
        }
    }
}

impl Level {
    /// Returns the plans of the settings files.
    pub(crate) fn plans(self) -> [&'static HookPlan; 6] {
        match self {
            Self::Project => HookPlan::ALL,
            Self::User => HookPlan::USER,
            Self::Managed => HookPlan::MANAGED,
        }
    }

    /// Returns the text before a file's name in messages.
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            Self::Project => "",
            Self::User => "~/",
            Self::Managed => "/",
        }
    }

    /// Returns the file with the settings of a registration for all folders.
    pub(crate) fn config_file(self) -> Option<&'static str> {
        match self {
            Self::Project => None,
            Self::User => Some(UserConfig::IN_HOME),
            Self::Managed => Some(UserConfig::MANAGED),
        }
    }

    /// Returns the folder of the settings files as a workspace whose backups are in the user's state folder.
    pub(crate) fn workspace(self, place: &Place) -> Result<Workspace, ChangeError> {
        let folder = match self {
            Self::Project => return Ok(place.workspace.clone()),
            Self::User => environment::home().context(
                "cannot find your home folder: HOME is not set\nhint: set HOME to your home folder",
            )?,
            Self::Managed => {
                let root = environment::managed_root();
                check_owner(&root)?;
                root
            }
        };
        Ok(Workspace::with_records_in(place.user_state()?, folder))
    }
}

/// Fails unless the folder of administrators' settings belongs to the user of this process.
#[cfg(unix)]
fn check_owner(root: &AbsPath) -> Result<(), ChangeError> {
    use std::os::unix::fs::MetadataExt;

    let owner = fs::metadata(root.as_path()).with_context(|| format!("cannot read `{root}`"))?.uid();
    // A new file belongs to the user of the process.
    let own =
        tempfile::tempfile().and_then(|file| file.metadata()).context("cannot create a temporary file")?;
    if own.uid() == owner {
        return Ok(());
    }
    Err(ChangeError::Content {
        what: "cannot change managed settings: only an administrator may, and you are not root".to_owned(),
        place: None,
        hint: "run the command with `sudo`, or use `--user` for your own settings".to_owned(),
    })
}

#[cfg(not(unix))]
fn check_owner(_root: &AbsPath) -> Result<(), ChangeError> {
    Err(ChangeError::Content {
        what: "cannot change managed settings on this system: steersman knows their place on Linux and macOS only"
            .to_owned(),
        place: None,
        hint: "use `--user` for your own settings".to_owned(),
    })
}

/// Calls `edit` with a writer of the user's home that works in the mode of `writer`, and adds its results to `writer`.
pub(super) fn in_home(place: &Place, writer: &mut Writer<'_>, edit: impl FnOnce(&mut Writer<'_>)) {
    match Level::User.workspace(place) {
        Err(error) => writer.fail(&error),
        Ok(home) => {
            let mode = if writer.writes() { Mode::Write } else { Mode::DryRun };
            let mut of_home = Writer::new(&home, mode).with_prefix(Level::User.prefix());
            edit(&mut of_home);
            writer.take_over(of_home);
        }
    }
}
