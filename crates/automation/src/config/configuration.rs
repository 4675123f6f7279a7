//! The automations of a workspace, from the last valid version of each file.

use std::collections::BTreeSet;

use config_file::{Code, Excerpt, Problem};
use event::AbsPath;
use store::{AutomationFiles, Workspace};

use super::file::{self, Content};
use crate::{Automation, AutomationId, SourceFile, Trigger, WorkspaceSettings};

/// The automations of both files.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Configuration {
    akira: Vec<Automation>,
    gatomia: Vec<Automation>,
}

/// The result of loading the files.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Loaded {
    /// Their errors and warnings, and those of the section of `config.json`.
    pub problems: Vec<Problem>,
    /// The existing files.
    pub files: Vec<SourceFile>,
    /// The names of the files with errors whose previous content stays in use.
    pub kept: Vec<&'static str>,
    /// The files with errors without such content: none of their automations applies.
    pub ignored: Vec<SourceFile>,
}

impl Loaded {
    /// Returns whether no file has an error.
    pub fn is_valid(&self) -> bool {
        !self.problems.iter().any(Problem::is_error)
    }

    /// Returns a sentence for each file with errors: which of its automations apply.
    pub fn consequences(&self) -> Vec<String> {
        let has_invalid_settings =
            self.problems.iter().any(|problem| problem.is_error() && problem.file == WorkspaceSettings::FILE);
        let sentence = |name: &str| {
            let consequence = if self.kept.contains(&name) {
                "the version that you trusted stays in use"
            } else if self.ignored.iter().any(|it| it.name() == name) {
                "none of its automations runs"
            } else if name == WorkspaceSettings::FILE && has_invalid_settings {
                "its invalid settings have their defaults"
            } else {
                return None;
            };
            Some(format!("{name} has errors; {consequence}"))
        };
        let names = SourceFile::ALL.map(SourceFile::name);
        names.into_iter().chain([WorkspaceSettings::FILE]).filter_map(sentence).collect()
    }
}

impl Configuration {
    /// Reads the workspace's files for display; runs use [`crate::TrustedAutomations`]. A file with an
    /// error yields no automations.
    pub fn load(workspace: &Workspace) -> (Self, Loaded) {
        let mut configuration = Self::default();
        let loaded = configuration.reload(workspace);
        (configuration, loaded)
    }

    /// Reads the files again. A file with an error keeps its previous automations; a deleted file
    /// has none.
    pub fn reload(&mut self, workspace: &Workspace) -> Loaded {
        self.take_files(&AutomationFiles::read(workspace), workspace.root())
    }

    /// Does the same with the bytes of files that were already read; `root` is the workspace.
    pub fn take_files(&mut self, files: &AutomationFiles, root: &AbsPath) -> Loaded {
        let contents = SourceFile::ALL.map(|source| (source, file::load(source, files, root)));
        let mut loaded = self.take(contents);
        loaded.problems.extend(WorkspaceSettings::read(files).1);
        loaded
    }

    /// Returns all automations, in file order.
    pub fn automations(&self) -> impl Iterator<Item = &Automation> {
        self.akira.iter().chain(&self.gatomia)
    }

    /// Returns the automation with this id.
    pub fn get(&self, id: &AutomationId) -> Option<&Automation> {
        self.automations().find(|it| it.id == *id)
    }

    /// Returns whether an enabled automation has such a trigger; without one, no listener is needed.
    pub fn has_trigger(&self, fits: impl Fn(&Trigger) -> bool) -> bool {
        self.automations().any(|it| it.enabled && fits(&it.trigger))
    }

    fn take(&mut self, contents: [(SourceFile, Option<Content>); 2]) -> Loaded {
        let mut loaded = Loaded::default();
        let clashes = clashes(&contents);
        for (source, content) in contents {
            let slot = match source {
                SourceFile::Akira => &mut self.akira,
                SourceFile::Gatomia => &mut self.gatomia,
            };
            let Some(content) = content else {
                slot.clear();
                continue;
            };
            loaded.files.push(source);
            if clashes.is_empty() && !content.problems.iter().any(Problem::is_error) {
                *slot = content.automations;
            } else if slot.is_empty() {
                loaded.ignored.push(source);
            } else {
                loaded.kept.push(source.name());
            }
            loaded.problems.extend(content.problems);
        }
        loaded.problems.extend(clashes);
        loaded
    }
}

/// Returns an error for each id that both files declare. Both files are ignored then, since neither
/// has precedence.
pub(super) fn clashes(contents: &[(SourceFile, Option<Content>); 2]) -> Vec<Problem> {
    let [(_, Some(akira)), (second, Some(gatomia))] = contents else { return Vec::new() };
    let taken: BTreeSet<&AutomationId> = akira.automations.iter().map(|it| &it.id).collect();
    let twice = gatomia.automations.iter().filter(|it| taken.contains(&it.id));
    twice
        .map(|it| {
            let first = akira.automations.iter().find(|other| other.id == it.id);
            let line = first.map_or(0, |it| it.origin.line);
            let message = format!("duplicate id `{}`, first in {}:{line}", it.id, SourceFile::Akira.name());
            Problem::error(second.name(), Code::INVALID_SCHEMA, message)
                .at(Excerpt { line: it.origin.line, column: 1, width: 1, text: String::new() })
                .hint("give each automation a unique id across both files")
        })
        .collect()
}
