//! The automations of this workspace as they apply now.

use automation::config::{EffectiveFiles, Loaded};
use automation::queue::QueueState;
use automation::{Configuration, matches};
use store::{AutomationFiles, Trust};

use super::problems;
use crate::commands::Place;
use crate::commands::trust::hidden_from_trust;
use crate::output;

/// The automations that apply, and the problems of their files.
pub(crate) struct Applied {
    /// The files; one with errors is replaced by the version that the user trusted, or left out.
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
        let effective = effective_files(place);
        let mut configuration = Configuration::default();
        let loaded = effective.load_into(&mut configuration, root);
        Self { files: effective.files().clone(), configuration, loaded }
    }

    /// Returns how many events that trigger an automation no server has taken from the queue.
    pub(crate) fn n_waiting(&self, queue: &QueueState) -> usize {
        let triggers_any = |it: &&_| !matches(self.configuration.automations(), it).triggered.is_empty();
        queue.unmatched().filter(triggers_any).count()
    }

    /// Returns why a user cannot trust the files. Returns `None` if none of them has errors.
    pub(crate) fn cannot_be_trusted(&self) -> Option<&'static str> {
        if !self.loaded.kept.is_empty() {
            Some("cannot trust files with errors: the version that you trusted before keeps running")
        } else if !self.loaded.ignored.is_empty() {
            Some("cannot trust files with errors: none of their automations runs")
        } else {
            None
        }
    }

    /// Prints which automations apply in spite of errors in the files, and where the errors are.
    pub(crate) fn note_errors(&self) {
        let sentences = self.loaded.consequences();
        for sentence in &sentences {
            output::note(sentence);
        }
        if !sentences.is_empty() {
            output::hint("run `steersman automation validate` for the errors");
        }
    }

    /// Prints the errors of the files, and which automations apply in spite of them.
    pub(crate) fn print_errors(&self) {
        if !self.loaded.is_valid() || !self.loaded.kept.is_empty() {
            problems::print_problems(&self.loaded.problems);
            for sentence in self.loaded.consequences() {
                output::note(&sentence);
            }
        }
    }
}

/// Reads the files of the workspace as they apply.
pub(crate) fn effective_files(place: &Place) -> EffectiveFiles {
    let read = AutomationFiles::read(&place.workspace);
    EffectiveFiles::of(read, place.workspace.root(), &|name| trusted_version(place, name))
}

/// Returns a file as the user trusted it. Returns `None` if there is no faithful copy.
pub(crate) fn trusted_version(place: &Place, file: &str) -> Option<String> {
    let user_state = place.user_state().ok()?;
    let now = AutomationFiles::read(&place.workspace);
    let hide = hidden_from_trust();
    let trust = Trust::load(user_state).ok()?;
    trust.trusted_version(user_state, place.workspace.root(), file, (&now, &hide))
}
