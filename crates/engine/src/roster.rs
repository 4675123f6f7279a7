//! The automations that count now, each with its filter for secrets.

use std::sync::Arc;

use automation::{Automation, AutomationId};
use redact::{Filter, PatternError};
use runner::Environment;

/// The automations of a workspace as last loaded.
#[derive(Debug, Clone, Default)]
pub struct Roster {
    members: Vec<Arc<Member>>,
}

/// One automation, ready to be run.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) automation: Automation,
    /// The built-in kinds, the automation's own patterns and the values of secret variables.
    pub(crate) filter: Filter,
}

impl Roster {
    /// Takes automations that were loaded and found valid.
    ///
    /// WHY an error all the same: patterns were checked when the file was loaded, and a run
    /// without its filter must not happen.
    pub fn new(
        automations: impl IntoIterator<Item = Automation>,
        environment: &Environment,
    ) -> Result<Self, PatternError> {
        let known = environment.secret_patterns();
        let members = automations.into_iter().map(|automation| {
            let filter = Filter::with_patterns(automation.secret_patterns.iter().chain(&known))?;
            Ok(Arc::new(Member { automation, filter }))
        });
        Ok(Self { members: members.collect::<Result<_, _>>()? })
    }

    /// Returns the automations.
    pub fn automations(&self) -> impl Iterator<Item = &Automation> {
        self.members.iter().map(|member| &member.automation)
    }

    pub(crate) fn get(&self, id: &AutomationId) -> Option<&Arc<Member>> {
        self.members.iter().find(|member| member.automation.id == *id)
    }
}
