//! The automations that may run: those of files that a person trusts.

use event::AbsPath;
use store::TrustedFiles;

use crate::config::{Configuration, Loaded};
use crate::{Automation, WorkspaceSettings};

/// What a person lets run in a workspace.
///
/// INVARIANT: nothing but [`Self::take`] fills it, and that takes only files that were judged. A file
/// that was never trusted while it was valid leaves nothing behind here, even if a broken version of it
/// is trusted later.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TrustedAutomations {
    configuration: Configuration,
    settings: WorkspaceSettings,
}

impl TrustedAutomations {
    /// Takes files that a person trusts. What a file with an error said when it was last trusted stays.
    pub fn take(&mut self, files: &TrustedFiles, root: &AbsPath) -> Loaded {
        self.settings = WorkspaceSettings::of(files.files());
        self.configuration.take_files(files.files(), root)
    }

    /// Returns the automations, in the order of the files.
    pub fn automations(&self) -> impl Iterator<Item = &Automation> {
        self.configuration.automations()
    }

    /// Returns what holds for all of them.
    pub const fn settings(&self) -> &WorkspaceSettings {
        &self.settings
    }
}
