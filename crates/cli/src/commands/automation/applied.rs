//! The automations of this workspace as they apply now.

use automation::config::{EffectiveFiles, Loaded};
use automation::{Configuration, SourceFile};
use store::{AutomationFiles, Trust};

use super::problems;
use crate::commands::Place;
use crate::output;

/// The automations that apply, and the problems of their files.
pub(crate) struct Applied {
    /// The files; one with errors is replaced by the version that the user trusted.
    pub(crate) files: AutomationFiles,
    /// Their automations, trusted or not.
    pub(crate) configuration: Configuration,
    /// Their problems.
    pub(crate) loaded: Loaded,
}

impl Applied {
    /// Reads the files of the workspace.
    pub(crate) fn read(place: &Place) -> Self {
        let root = place.workspace.root();
        let read = AutomationFiles::read(&place.workspace);
        let effective = EffectiveFiles::of(read, root, &|source| trusted_version(place, source));
        let mut configuration = Configuration::default();
        let loaded = effective.load_into(&mut configuration, root);
        Self { files: effective.files().clone(), configuration, loaded }
    }

    /// Prints the errors of the files, and which automations apply in spite of them.
    pub(crate) fn print_errors(&self) {
        if !self.loaded.is_valid() {
            problems::print_problems(&self.loaded.problems);
            for sentence in self.loaded.consequences() {
                output::note(&sentence);
            }
        }
    }
}

/// Returns a file as the user trusted it. Returns `None` if there is no faithful copy.
pub(crate) fn trusted_version(place: &Place, source: SourceFile) -> Option<String> {
    let user_state = place.user_state().ok()?;
    Trust::load(user_state).ok()?.trusted_version(user_state, place.workspace.root(), source.name())
}
