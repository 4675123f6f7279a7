//! The files of automations as they apply: a file with errors counts as the version that the user trusted, or as
//! absent.

use config_file::Problem;
use event::AbsPath;
use store::{AutomationFiles, FileReading};

use super::configuration::{Configuration, Loaded, clashes};
use super::file::{self, Content};
use super::workspace;
use crate::{SourceFile, WorkspaceSettings};

/// The files that apply, and the problems of those that do not.
#[derive(Debug, Clone, PartialEq)]
pub struct EffectiveFiles {
    files: AutomationFiles,
    /// The names of the files that were replaced by their trusted version.
    replaced: Vec<&'static str>,
    /// The files with errors that the user never trusted.
    ignored: Vec<SourceFile>,
    problems: Vec<Problem>,
}

/// Returns a file as the user trusted it, by its name.
type TrustedVersion<'a> = &'a dyn Fn(&str) -> Option<String>;

impl EffectiveFiles {
    /// Replaces each file with errors by its trusted version, which `trusted_version` knows by the file's name.
    ///
    /// Without a trusted version the file counts as absent, so that it does not stop the automations of the
    /// other file. Trust is checked afterwards, for all files together: this only chooses a version.
    pub fn of(read: AutomationFiles, root: &AbsPath, trusted_version: TrustedVersion<'_>) -> Self {
        let (replaced, ignored, problems) = (Vec::new(), Vec::new(), Vec::new());
        let mut effective = Self { files: read, replaced, ignored, problems };
        for source in SourceFile::ALL {
            if let Some(content) = file::load(source, &effective.files, root).filter(has_errors)
                && effective.replace(source, root, trusted_version)
            {
                effective.problems.extend(content.problems);
            }
        }
        effective.separate(root, trusted_version);
        effective.replace_settings(trusted_version);
        effective
    }

    /// Replaces a file by its trusted version, or by none. Returns `false` if the user trusted it with its errors.
    fn replace(&mut self, source: SourceFile, root: &AbsPath, trusted_version: TrustedVersion<'_>) -> bool {
        let files = self.files.clone();
        let Some(text) = trusted_version(source.name()) else {
            self.files = files.without(source.name());
            self.ignored.push(source);
            return true;
        };
        let files = files.with(source.name(), &text);
        let is_valid = file::load(source, &files, root).is_some_and(|it| !has_errors(&it));
        if is_valid {
            self.files = files;
            self.replaced.push(source.name());
        }
        is_valid
    }

    /// If both files declare an id, replaces those that changed since the user trusted them: the change is the error.
    fn separate(&mut self, root: &AbsPath, trusted_version: TrustedVersion<'_>) {
        let exists = |source: SourceFile| {
            self.files.reading(source.name()).is_some_and(|it| *it != FileReading::Absent)
        };
        // Files are not parsed once more for nothing: most workspaces have one of them.
        if !SourceFile::ALL.into_iter().all(exists) {
            return;
        }
        let contents = SourceFile::ALL.map(|source| (source, file::load(source, &self.files, root)));
        let clashes = clashes(&contents);
        if clashes.is_empty() {
            return;
        }
        let changed =
            SourceFile::ALL.into_iter().filter(|source| !self.is_as_trusted(*source, trusted_version));
        let changed: Vec<SourceFile> = changed.collect();
        let replaced =
            changed.into_iter().filter(|source| self.replace(*source, root, trusted_version)).count();
        if replaced > 0 {
            self.problems.extend(clashes);
        }
    }

    fn is_as_trusted(&self, source: SourceFile, trusted_version: TrustedVersion<'_>) -> bool {
        let trusted = trusted_version(source.name());
        matches!(
            (self.files.reading(source.name()), trusted),
            (Some(FileReading::Bytes(now)), Some(then)) if now == then.as_bytes()
        )
    }

    /// Replaces invalid settings of all automations in the same way.
    fn replace_settings(&mut self, trusted_version: TrustedVersion<'_>) {
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

    /// Loads the automations. The result contains the problems of replaced and ignored files, too.
    pub fn load_into(&self, configuration: &mut Configuration, root: &AbsPath) -> Loaded {
        let mut loaded = configuration.take_files(&self.files, root);
        loaded.problems.splice(0..0, self.problems.iter().cloned());
        loaded.kept.extend(&self.replaced);
        loaded.ignored.extend(&self.ignored);
        loaded.files.extend(&self.ignored);
        loaded.files.sort_unstable();
        loaded
    }
}

fn has_errors(content: &Content) -> bool {
    content.problems.iter().any(Problem::is_error)
}
