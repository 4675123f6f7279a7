//! Caches the rules of an agent for the session.
//!
//! WHY: parsing one YAML file takes as long as the rest of a hook. The cache records the size and time of each source
//! file and is invalid when one of them differs.

use agent::registry::{CachedRules, SessionRules};
use redact::Redacted;
use store::ModuleName;

use super::NAME;
use crate::{Content, Context, Output};

/// Finds rulings, and collects those to cache.
pub(super) struct Lookup<'a> {
    context: &'a Context<'a>,
    files: Vec<Output>,
}

impl<'a> Lookup<'a> {
    pub(super) fn new(context: &'a Context<'_>) -> Self {
        Self { context, files: Vec::new() }
    }

    /// Finds the ruling of an agent, or of a session without one.
    pub(super) fn find(
        &mut self,
        agent: Option<&str>,
        work_out: impl FnOnce() -> CachedRules,
    ) -> SessionRules {
        let name = file_name(agent);
        let kept = ModuleName::new(NAME)
            .and_then(|module| self.context.session.feature(&module).output_file(name.as_str()))
            .and_then(|path| std::fs::read(path.as_path()).ok());
        if let Some(ruled) = kept.as_deref().and_then(CachedRules::recall) {
            return ruled.ruling;
        }
        let ruled = work_out();
        self.files.extend(ruled.keep().and_then(|text| {
            let redacted = Redacted::from_text(&text);
            // Redaction would change a rule that looks like a secret.
            (redacted.as_str() == text).then_some(Output { name, content: Content::Replace(redacted) })
        }));
        ruled.ruling
    }

    /// Returns the rulings to cache.
    pub(super) fn into_outputs(self) -> Vec<Output> {
        self.files
    }
}

/// Returns the path of a cached ruling: file names contain the hash of an agent's name, never the name itself.
fn file_name(agent: Option<&str>) -> String {
    match agent {
        Some(name) => format!("agent-{}.json", store::fingerprint([name.as_bytes()]).short()),
        None => "project.json".to_owned(),
    }
}
