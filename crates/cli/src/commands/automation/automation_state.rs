//! The state of an automation as `list` and `show` print it: whether an event would start a run.

use automation::Automation;
use automation::queue::QueueState;
use engine::{Impediment, ImpedimentSearch, Settings};

use super::secret_filter::SecretFilter;

/// Whether an event would start a run of an automation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum AutomationState {
    /// Its file disables it.
    Off,
    /// It cannot run here.
    Impeded(Impediment),
    /// It triggered itself too often, for this reason.
    Paused(String),
    /// It runs.
    On,
}

impl AutomationState {
    /// Returns the state in one word: `on`, `off`, `paused`, or the code of the impediment.
    pub(super) const fn word(&self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Impeded(why) => why.code,
            Self::Paused(_) => "paused",
            Self::On => "on",
        }
    }
}

/// Determines the states of the automations of one workspace.
pub(super) struct AutomationStates<'a> {
    impediments: ImpedimentSearch<'a>,
    queue: &'a QueueState,
    secrets: SecretFilter,
}

impl<'a> AutomationStates<'a> {
    pub(super) fn new(settings: &'a Settings, queue: &'a QueueState) -> Self {
        Self { impediments: ImpedimentSearch::new(settings), queue, secrets: SecretFilter::new(settings) }
    }

    /// Returns the state of an automation.
    pub(super) fn of(&self, automation: &Automation) -> AutomationState {
        if !automation.enabled {
            return AutomationState::Off;
        }
        if let Some(why) = self.impediments.of(automation) {
            let message = self.secrets.of(automation)(&why.message);
            return AutomationState::Impeded(Impediment { message, ..why });
        }
        match self.queue.paused(&automation.id) {
            Some(why) => AutomationState::Paused(why.to_owned()),
            None => AutomationState::On,
        }
    }
}
