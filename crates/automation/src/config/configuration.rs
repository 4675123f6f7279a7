//! The automations of a workspace, as they were last valid.

use std::collections::BTreeSet;

use config_file::{Code, Problem, Spot};
use event::AbsPath;
use store::{AutomationFiles, Workspace};

use super::file::{self, Content};
use crate::{Automation, AutomationId, SourceFile, Trigger};

/// The automations that count now.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Configuration {
    akira: Vec<Automation>,
    gatomia: Vec<Automation>,
}

/// What came of reading the files.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Loaded {
    /// Everything wrong with them, errors and warnings.
    pub problems: Vec<Problem>,
    /// The files that are there.
    pub files: Vec<SourceFile>,
    /// The files whose previous content still counts, since what they say now cannot.
    pub kept: Vec<SourceFile>,
}

impl Loaded {
    /// Returns whether every file says something that can be used.
    pub fn is_valid(&self) -> bool {
        !self.problems.iter().any(Problem::is_error)
    }
}

impl Configuration {
    /// Reads the workspace's files for the first time, to show them: what runs is a
    /// [`crate::TrustedAutomations`]. A file with an error gives nothing.
    pub fn load(workspace: &Workspace) -> (Self, Loaded) {
        let mut configuration = Self::default();
        let loaded = configuration.reload(workspace);
        (configuration, loaded)
    }

    /// Reads the files again. What a file with an error said before stays; a file that is gone
    /// says nothing any more.
    pub fn reload(&mut self, workspace: &Workspace) -> Loaded {
        self.take_files(&AutomationFiles::read(workspace), workspace.root())
    }

    /// Does the same with files of the workspace at `root` that are read already.
    pub fn take_files(&mut self, files: &AutomationFiles, root: &AbsPath) -> Loaded {
        let contents = SourceFile::ALL.map(|source| (source, file::load(source, files, root)));
        self.take(contents)
    }

    /// Returns every automation, in the order of the files.
    pub fn automations(&self) -> impl Iterator<Item = &Automation> {
        self.akira.iter().chain(&self.gatomia)
    }

    /// Returns the automation with this id.
    pub fn get(&self, id: &AutomationId) -> Option<&Automation> {
        self.automations().find(|it| it.id == *id)
    }

    /// Returns whether anything that is enabled waits for such a trigger. What nobody waits
    /// for needs no listener.
    pub fn waits_for(&self, fits: impl Fn(&Trigger) -> bool) -> bool {
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
            } else if !slot.is_empty() {
                loaded.kept.push(source);
            }
            loaded.problems.extend(content.problems);
        }
        loaded.problems.extend(clashes);
        loaded
    }
}

/// Returns the ids that both files give away. Neither file counts then: which of the two was
/// meant is not for us to say.
fn clashes(contents: &[(SourceFile, Option<Content>); 2]) -> Vec<Problem> {
    let [(_, Some(akira)), (second, Some(gatomia))] = contents else { return Vec::new() };
    let taken: BTreeSet<&AutomationId> = akira.automations.iter().map(|it| &it.id).collect();
    let twice = gatomia.automations.iter().filter(|it| taken.contains(&it.id));
    twice
        .map(|it| {
            let first = akira.automations.iter().find(|other| other.id == it.id);
            let line = first.map_or(0, |it| it.origin.line);
            let message = format!("duplicate id `{}`, first in {}:{line}", it.id, SourceFile::Akira.name());
            Problem::error(second.name(), Code::INVALID_SCHEMA, message)
                .at(Spot { line: it.origin.line, column: 1, width: 1, text: String::new() })
                .hint("give each automation an id of its own, in both files")
        })
        .collect()
}
