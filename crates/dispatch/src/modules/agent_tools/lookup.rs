//! Rules that were found before in this session are read back, not worked out again.
//!
//! WHY: reading one YAML file takes as long as all the rest of a hook. What is kept names
//! the size and time of everything it was made from, and is thrown away when one differs.

use agent::registry::{Ruled, Ruling};
use redact::Redacted;
use store::ModuleName;

use super::NAME;
use crate::{Content, Context, Output};

/// Finds rulings, and collects those that are worth keeping.
pub(super) struct Lookup<'a> {
    context: &'a Context<'a>,
    files: Vec<Output>,
}

impl<'a> Lookup<'a> {
    pub(super) fn new(context: &'a Context<'_>) -> Self {
        Self { context, files: Vec::new() }
    }

    /// Finds the ruling of an agent, or of none.
    pub(super) fn find(&mut self, agent: Option<&str>, work_out: impl FnOnce() -> Ruled) -> Ruling {
        let name = file_name(agent);
        let kept = ModuleName::new(NAME)
            .map(|module| self.context.session.feature(&module).output.child(name.as_str()))
            .and_then(|path| std::fs::read(path.as_path()).ok());
        if let Some(ruled) = kept.as_deref().and_then(Ruled::recall) {
            return ruled.ruling;
        }
        let ruled = work_out();
        self.files.extend(ruled.keep().and_then(|text| {
            let redacted = Redacted::from_text(&text);
            // A rule that looks like a secret would be another rule without it.
            (redacted.as_str() == text).then_some(Output { name, content: Content::Replace(redacted) })
        }));
        ruled.ruling
    }

    /// Returns what is to be kept.
    pub(super) fn into_outputs(self) -> Vec<Output> {
        self.files
    }
}

/// A name from a payload is never part of a path: its hash is.
fn file_name(agent: Option<&str>) -> String {
    match agent {
        Some(name) => format!("agent-{}.json", store::fingerprint([name.as_bytes()]).short()),
        None => "project.json".to_owned(),
    }
}
