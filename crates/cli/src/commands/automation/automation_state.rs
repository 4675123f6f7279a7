//! The state of an automation as `list` and `show` print it: whether an event would start a run.

use std::cell::RefCell;
use std::collections::HashMap;

use automation::queue::QueueState;
use automation::{Action, Automation};
use engine::{Impediment, Settings, impediment};

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
    settings: &'a Settings,
    queue: &'a QueueState,
    secrets: SecretFilter,
    /// The impediments on this machine that were already looked for: many automations share a runner, and each search
    /// for an agent reads the files of all agents.
    found: RefCell<HashMap<String, Option<Impediment>>>,
}

impl<'a> AutomationStates<'a> {
    pub(super) fn new(settings: &'a Settings, queue: &'a QueueState) -> Self {
        Self { settings, queue, secrets: SecretFilter::new(settings), found: RefCell::default() }
    }

    /// Returns the state of an automation.
    pub(super) fn of(&self, automation: &Automation) -> AutomationState {
        if !automation.enabled {
            return AutomationState::Off;
        }
        let found = impediment::of(automation, self.settings).or_else(|| self.on_this_machine(automation));
        if let Some(why) = found {
            let message = self.secrets.of(automation)(&why.message);
            return AutomationState::Impeded(Impediment { message, ..why });
        }
        match self.queue.paused(&automation.id) {
            Some(why) => AutomationState::Paused(why.to_owned()),
            None => AutomationState::On,
        }
    }

    fn on_this_machine(&self, automation: &Automation) -> Option<Impediment> {
        let needed = match &automation.action {
            Action::Custom(custom) => format!("{:?} {:?}", custom.agent, custom.kind),
            Action::Command { argv, .. } => format!("{:?}", argv.first()),
            other => other.word().to_owned(),
        };
        let key = format!("{needed} {:?}", automation.runner);
        if let Some(known) = self.found.borrow().get(&key) {
            return known.clone();
        }
        let found = impediment::on_this_machine(automation, self.settings);
        self.found.borrow_mut().insert(key, found.clone());
        found
    }
}
