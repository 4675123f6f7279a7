//! For whom steersman is registered: one project, one user, or all users of this machine.

use std::fs;

use anyhow::Context;
use event::AbsPath;
use host::install::HookPlan;
use store::{UserConfig, Workspace};

use super::Place;
use crate::change::{ChangeError, Writer};
use crate::environment::{self, UserFile};

const NO_HOME: &str = "cannot find your home folder: HOME is not set\nhint: set HOME to your home folder";

/// The options that choose a level.
#[derive(Debug, clap::Args)]
pub(crate) struct LevelArgs {
    /// Use your own settings of each program, in your home folder, which apply in every folder
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
            Self::User => UserFile::IN_HOME,
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
            Self::User => environment::home().context(NO_HOME)?,
            Self::Managed => {
                let root = environment::managed_root();
                check_owner(&root)?;
                root
            }
        };
        Ok(Workspace::with_records_in(place.user_state()?, folder))
    }
}

/// Calls `edit` with the writer of the folder that contains a file of the user, and the path of the file below it: a
/// variable may have moved it out of the home.
pub(crate) fn in_folder_of_user(
    file: &'static str,
    place: &Place,
    writer: &mut Writer<'_>,
    edit: impl FnOnce(&mut Writer<'_>, &'static str),
) {
    match user_folder(file, place) {
        Err(error) => writer.fail(&error),
        Ok((folder, UserFile { file, prefix, .. })) => {
            let mut own = writer.for_folder(&folder, prefix);
            edit(&mut own, file);
            writer.take_over(own);
        }
    }
}

/// Returns the place of a file of the user, and its folder as a workspace whose backups are in the user's state folder.
fn user_folder(file: &'static str, place: &Place) -> Result<(Workspace, UserFile), ChangeError> {
    let file = UserFile::of(file).context(NO_HOME)?;
    Ok((Workspace::with_records_in(place.user_state()?, file.root.clone()), file))
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
