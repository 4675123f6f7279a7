//! The files of automations as they apply: a file with errors counts as the version that the user trusted.

use config_file::Problem;
use event::AbsPath;
use store::AutomationFiles;

use super::configuration::{Configuration, Loaded};
use super::file::{self, Content};
use super::workspace;
use crate::{SourceFile, WorkspaceSettings};

/// The files that apply, and the problems of those that do not.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectiveFiles {
    files: AutomationFiles,
    /// The names of the replaced files.
    replaced: Vec<&'static str>,
    problems: Vec<Problem>,
}

impl EffectiveFiles {
    /// Replaces each file with errors by its trusted version, if `trusted_version` knows one by the file's name.
    ///
    /// Trust is checked afterwards, for all files together: this only chooses a version.
    pub fn of(
        read: AutomationFiles,
        root: &AbsPath,
        trusted_version: &dyn Fn(&str) -> Option<String>,
    ) -> Self {
        let mut effective = Self { files: read, replaced: Vec::new(), problems: Vec::new() };
        for source in SourceFile::ALL {
            let Some(content) = file::load(source, &effective.files, root).filter(has_errors) else {
                continue;
            };
            let Some(text) = trusted_version(source.name()) else { continue };
            let files = effective.files.clone().with(source.name(), &text);
            if file::load(source, &files, root).is_some_and(|it| !has_errors(&it)) {
                effective.files = files;
                effective.replaced.push(source.name());
                effective.problems.extend(content.problems);
            }
        }
        effective.replace_settings(trusted_version);
        effective
    }

    /// Replaces invalid settings of all automations in the same way.
    fn replace_settings(&mut self, trusted_version: &dyn Fn(&str) -> Option<String>) {
        let name = WorkspaceSettings::FILE;
        if !workspace::has_errors(&self.files) {
            return;
        }
        let Some(text) = trusted_version(name) else { return };
        let files = self.files.clone().with(name, &text);
        if !workspace::has_errors(&files) {
            self.problems.extend(WorkspaceSettings::read(&self.files).1);
            self.replaced.push(name);
            self.files = files;
        }
    }

    /// Returns the files.
    pub const fn files(&self) -> &AutomationFiles {
        &self.files
    }

    /// Loads the automations. The result contains the problems of replaced files, too.
    pub fn load_into(&self, configuration: &mut Configuration, root: &AbsPath) -> Loaded {
        let mut loaded = configuration.take_files(&self.files, root);
        loaded.problems.splice(0..0, self.problems.iter().cloned());
        loaded.kept.extend(&self.replaced);
        loaded
    }
}

fn has_errors(content: &Content) -> bool {
    content.problems.iter().any(Problem::is_error)
}
