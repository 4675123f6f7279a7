//! The chain of automations that led to a run.
//!
//! WHY: an automation that runs an agent when an agent stops would run for ever. The engine puts the
//! chain into the environment of the programs that a run starts; hooks and `emit` pass it back with
//! the occurrences that these programs cause.

use serde::{Deserialize, Serialize};

use crate::AutomationId;
use crate::limits::MAX_CHAIN_DEPTH;

/// The automations that led to an occurrence, the earliest first; empty if a user caused it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Chain(Vec<AutomationId>);

/// Why a triggered automation does not run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The automation is already in the chain.
    #[error("`{id}` triggered itself: {}", joined(chain))]
    Cycle {
        /// The automation.
        id: AutomationId,
        /// The chain.
        chain: Vec<AutomationId>,
    },
    /// The chain is too long.
    #[error("{MAX_CHAIN_DEPTH} automations triggered one another: {}", joined(chain))]
    TooDeep {
        /// The chain.
        chain: Vec<AutomationId>,
    },
}

impl Chain {
    /// The environment variable with the chain of a run, for the programs that the run starts.
    pub const VARIABLE: &str = "STEERSMAN_AUTOMATION_CHAIN";

    /// Returns the number of automations.
    pub fn depth(&self) -> usize {
        self.0.len()
    }

    /// Returns whether the chain is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the automations, the earliest first.
    pub fn ids(&self) -> &[AutomationId] {
        &self.0
    }

    /// Checks that an automation may run after this chain.
    pub fn check(&self, id: &AutomationId) -> Result<(), Refusal> {
        if self.0.contains(id) {
            return Err(Refusal::Cycle { id: id.clone(), chain: self.0.clone() });
        }
        if self.0.len() >= MAX_CHAIN_DEPTH {
            return Err(Refusal::TooDeep { chain: self.0.clone() });
        }
        Ok(())
    }

    /// Returns the chain for the programs that this automation starts.
    #[must_use]
    pub fn then(&self, id: &AutomationId) -> Self {
        let mut ids = self.0.clone();
        ids.push(id.clone());
        Self(ids)
    }

    /// Returns the longer of two chains, this one if they are equally long.
    #[must_use]
    pub fn longer(self, other: Self) -> Self {
        if other.depth() > self.depth() { other } else { self }
    }

    /// Returns the value of [`Self::VARIABLE`].
    pub fn to_variable(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Parses the value of [`Self::VARIABLE`]. Malformed input yields an empty chain.
    pub fn from_variable(value: &str) -> Self {
        let texts: Vec<String> = serde_json::from_str(value).unwrap_or_default();
        Self::of(&texts)
    }

    /// Makes a chain of ids, without the invalid ones.
    ///
    /// Cuts a chain beyond the depth limit; [`Self::check`] refuses it all the same.
    pub fn of(texts: &[String]) -> Self {
        let ids = texts.iter().filter_map(|text| AutomationId::new(text).ok());
        Self(ids.take(MAX_CHAIN_DEPTH).collect())
    }
}

fn joined(chain: &[AutomationId]) -> String {
    chain.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(" → ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> AutomationId {
        AutomationId::new(text).unwrap()
    }

    #[test]
    fn an_automation_does_not_lead_to_itself_even_by_way_of_others() {
        let chain = Chain::default().then(&id("a")).then(&id("b"));
        assert_eq!(chain.check(&id("c")), Ok(()));
        let refusal = chain.check(&id("a")).unwrap_err();
        assert_eq!(refusal.to_string(), "`a` triggered itself: `a` → `b`");
    }

    #[test]
    fn ten_are_the_most_that_lead_to_one_another() {
        let mut chain = Chain::default();
        for n in 0..10 {
            assert_eq!(chain.check(&id("next")), Ok(()), "{n}");
            chain = chain.then(&id(&format!("a{n}")));
        }
        assert!(matches!(chain.check(&id("next")), Err(Refusal::TooDeep { .. })));
    }

    #[test]
    fn a_chain_comes_back_from_the_environment_and_nonsense_does_not() {
        let chain = Chain::default().then(&id("a, b")).then(&id("\"c\""));
        assert_eq!(Chain::from_variable(&chain.to_variable()), chain);
        for nonsense in ["", "a", "{}", "[1]", "[\"\"]"] {
            assert!(Chain::from_variable(nonsense).is_empty(), "{nonsense}");
        }
        let endless = serde_json::to_string(&vec!["a"; 500]).unwrap();
        assert_eq!(Chain::from_variable(&endless).depth(), MAX_CHAIN_DEPTH);
    }
}
