//! The values that templates of a run are filled in with.

use std::collections::BTreeMap;

use automation::{Occurrence, Template, template};
use store::Workspace;

/// Values by the names of their variables.
#[derive(Debug, Clone, Default)]
pub(crate) struct Filling {
    values: BTreeMap<String, String>,
}

impl Filling {
    /// Returns what an occurrence has to say.
    pub(crate) fn of(occurrence: &Occurrence, workspace: &Workspace) -> Self {
        Self { values: template::context(occurrence, workspace.root()) }
    }

    /// Fills a template in. A value is data: it is not looked at for further variables.
    pub(crate) fn fill(&self, template: &Template) -> String {
        template.fill(&self.values).text
    }
}
