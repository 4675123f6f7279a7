//! The automations that may run: those of files that the user trusts.

use event::AbsPath;
use store::TrustedFiles;

use crate::config::{Configuration, Loaded};
use crate::{Automation, WorkspaceSettings};

/// The trusted automations of a workspace and their settings.
///
/// INVARIANT: only [`Self::take`] fills it, and that accepts only [`TrustedFiles`]. A valid file that
/// the user never trusted leaves nothing here, even if the user trusts a broken version of it later.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TrustedAutomations {
    configuration: Configuration,
    settings: WorkspaceSettings,
}

impl TrustedAutomations {
    /// Loads trusted files. A file with an error leaves its last trusted automations in place.
    pub fn take(&mut self, files: &TrustedFiles, root: &AbsPath) -> Loaded {
        self.settings = WorkspaceSettings::of(files.files());
        self.configuration.take_files(files.files(), root)
    }

    /// Returns the automations, in the order of the files.
    pub fn automations(&self) -> impl Iterator<Item = &Automation> {
        self.configuration.automations()
    }

    /// Returns the workspace's settings for all of them.
    pub const fn settings(&self) -> &WorkspaceSettings {
        &self.settings
    }
}
