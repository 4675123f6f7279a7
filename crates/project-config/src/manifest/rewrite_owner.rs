//! The module whose rewrite of a tool input counts (contract §9.2).

use std::collections::BTreeMap;

use event::{EventName, contract_name};
use serde::{Deserialize, Serialize};

/// One module for every event, or one for each.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum RewriteOwner {
    /// The same module for every event.
    One(String),
    /// A module for each event; the default for other events.
    PerEvent(BTreeMap<String, String>),
}

const DEFAULT_OWNER: &str = "planGraph-exec";

impl Default for RewriteOwner {
    fn default() -> Self {
        Self::One(DEFAULT_OWNER.into())
    }
}

impl RewriteOwner {
    /// Returns whether this module, by the contract's name, may rewrite inputs at this event.
    pub fn is_at(&self, event: EventName, module: &str) -> bool {
        let owner = self.at(event);
        owner == module || contract_name(owner) == module
    }

    /// Returns the module that may rewrite inputs at this event, as the manifest names it.
    pub fn at(&self, event: EventName) -> &str {
        match self {
            Self::One(module) => module,
            Self::PerEvent(modules) => modules.get(event.as_str()).map_or(DEFAULT_OWNER, String::as_str),
        }
    }
}
