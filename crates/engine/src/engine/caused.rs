//! What happens while runs are at work: it may be theirs, so it carries their chain.

use std::time::Instant;

use automation::queue::Entry;
use automation::{Automation, AutomationId, Chain, ExecutionId, Occurrence, Refusal, matches};

use super::Engine;

/// What an occurrence during runs led to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Offered {
    /// The automations that were queued.
    pub set_off: Vec<AutomationId>,
    /// Those that led to it themselves.
    pub cycles: Vec<AutomationId>,
}

/// A run at work.
#[derive(Debug, Clone, PartialEq)]
pub struct ActiveRun {
    /// Its id.
    pub id: ExecutionId,
    /// What led to it, and its own automation last.
    pub chain: Chain,
    /// What set it off; `None` if the journal does not have it any more.
    pub cause: Option<Occurrence>,
    /// Since when it is at work.
    pub since: Instant,
    /// Whether an agent program does it: writing files is what those are for.
    pub is_agent: bool,
}

impl Engine {
    /// Takes what happened while runs were at work. Of the automations it sets off, those that may have led
    /// to it are returned and neither queued nor refused yet; all others are queued.
    pub fn offer_caused(&mut self, occurrence: &Occurrence, may_have_led: &[AutomationId]) -> Offered {
        for id in self.overtaken_by(std::slice::from_ref(occurrence)) {
            self.metrics.coalesced += 1;
            self.unwritten.push(Entry::Matched { occurrence: id, runs: 0 });
        }
        let now = store::now();
        let mut found = matches(self.able(), occurrence);
        let is_cycle = |refusal: &Refusal| matches!(refusal, Refusal::Cycle { .. });
        let id = |it: &Automation| it.id.clone();
        let refused = found.refused.extract_if(.., |(_, refusal)| is_cycle(refusal)).map(|(it, _)| id(it));
        let mut cycles: Vec<AutomationId> = refused.collect();
        let may_lead = |it: &mut &Automation| may_have_led.contains(&it.id);
        cycles.extend(found.set_off.extract_if(.., may_lead).map(id));
        let offered = Offered { set_off: found.set_off.iter().map(|it| id(it)).collect(), cycles };
        let (runs, refusals) = (found.runs(now, occurrence), found.refusals(now, occurrence));
        self.queue_all(runs, refusals);
        offered
    }

    /// Queues a run of one automation for this, although others may have been set off by it already.
    pub fn offer_to(&mut self, hook: &AutomationId, occurrence: &Occurrence) {
        let now = store::now();
        let mut found = matches(self.able(), occurrence);
        found.set_off.retain(|it| it.id == *hook);
        let runs = found.runs(now, occurrence);
        self.queue_all(runs, Vec::new());
    }

    /// Writes down that an automation did not run since it led to this itself.
    pub fn refuse(&mut self, hook: &AutomationId, occurrence: &Occurrence) {
        let now = store::now();
        let mut found = matches(self.able(), occurrence);
        found.refused.retain(|(it, _)| it.id == *hook);
        let refusals = found.refusals(now, occurrence);
        self.queue_all(Vec::new(), refusals);
    }

    /// Pauses an automation until a person resumes it.
    pub fn pause(&mut self, hook: &AutomationId, why: String) {
        self.unwritten.push(Entry::Paused { hook: hook.clone(), why });
    }

    /// Returns the runs at work.
    pub fn active_runs(&self) -> impl Iterator<Item = ActiveRun> {
        self.active.iter().map(|(id, active)| {
            let cause = self.queue.folded().run(id).map(|run| &run.queued.occurrence);
            ActiveRun {
                id: id.clone(),
                chain: cause.map(|it| it.chain.clone()).unwrap_or_default().then(&active.hook),
                cause: cause.cloned(),
                since: active.since,
                is_agent: self.roster.get(&active.hook).is_some_and(|member| member.is_agent()),
            }
        })
    }
}
