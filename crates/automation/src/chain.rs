//! Which automations led to one another.
//!
//! WHY: an automation that runs an agent when an agent stops would run for ever. The chain
//! goes with a run into the environment of what it starts, and comes back with whatever that
//! hands to us.

use serde::{Deserialize, Serialize};

use crate::AutomationId;
use crate::limits::MAX_CHAIN_DEPTH;

/// The automations that led here, the first first; empty for what a person did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Chain(Vec<AutomationId>);

/// Why an automation is not run although it is set off.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is already part of what led here.
    #[error("`{id}` led to itself: {}", shown(way))]
    Cycle {
        /// The automation.
        id: AutomationId,
        /// What led here.
        way: Vec<AutomationId>,
    },
    /// Too many led to one another.
    #[error("{MAX_CHAIN_DEPTH} automations led to one another: {}", shown(way))]
    TooDeep {
        /// What led here.
        way: Vec<AutomationId>,
    },
}

impl Chain {
    /// The variable that hands a chain to the programs a run starts.
    pub const VARIABLE: &str = "STEERSMAN_AUTOMATION_CHAIN";

    /// Returns how many automations led here.
    pub fn depth(&self) -> usize {
        self.0.len()
    }

    /// Returns whether no automation led here.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the automations that led here, the first first.
    pub fn ids(&self) -> &[AutomationId] {
        &self.0
    }

    /// Returns why this automation may not run after this chain.
    pub fn check(&self, id: &AutomationId) -> Result<(), Refusal> {
        if self.0.contains(id) {
            return Err(Refusal::Cycle { id: id.clone(), way: self.0.clone() });
        }
        if self.0.len() >= MAX_CHAIN_DEPTH {
            return Err(Refusal::TooDeep { way: self.0.clone() });
        }
        Ok(())
    }

    /// Returns the chain for what this automation starts.
    #[must_use]
    pub fn then(&self, id: &AutomationId) -> Self {
        let mut ids = self.0.clone();
        ids.push(id.clone());
        Self(ids)
    }

    /// Returns it as the value of [`Self::VARIABLE`].
    pub fn to_variable(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads the value of [`Self::VARIABLE`]; what is no chain is none.
    pub fn from_variable(value: &str) -> Self {
        let texts: Vec<String> = serde_json::from_str(value).unwrap_or_default();
        Self::of(&texts)
    }

    /// Takes the ids of the automations that led here; what is no id is left out.
    ///
    /// A longer chain than there can be is cut: it is refused all the same.
    pub fn of(texts: &[String]) -> Self {
        let ids = texts.iter().filter_map(|text| AutomationId::new(text).ok());
        Self(ids.take(MAX_CHAIN_DEPTH).collect())
    }
}

fn shown(way: &[AutomationId]) -> String {
    way.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(" → ")
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
        assert_eq!(refusal.to_string(), "`a` led to itself: `a` → `b`");
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
