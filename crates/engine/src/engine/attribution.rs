//! Occurrences during active runs: a run may have caused them, so they carry its chain.

use std::time::Instant;

use automation::queue::Entry;
use automation::{
    Automation, AutomationId, Chain, ExecutionId, Occurrence, OccurrenceKind, Refusal, matches,
};

use super::Engine;

/// The automations that an occurrence during active runs triggers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Offered {
    /// The automations with a newly queued run.
    pub queued: Vec<AutomationId>,
    /// The automations that caused the occurrence themselves.
    pub cycles: Vec<AutomationId>,
}

/// An active run.
#[derive(Debug, Clone, PartialEq)]
pub struct ActiveRun {
    /// Its id.
    pub id: ExecutionId,
    /// The automations that led to it, its own last.
    pub chain: Chain,
    /// The occurrence that triggered it; `None` if the journal does not have it any more.
    pub cause: Option<Occurrence>,
    /// When it started.
    pub since: Instant,
    /// Whether an agent program executes it: writing files is the purpose of those.
    pub is_agent: bool,
}

impl Engine {
    /// Matches an occurrence during active runs. Queues a run of each automation it triggers, except
    /// of those that may have caused it: these are only returned, neither queued nor refused.
    pub fn offer_caused(&mut self, occurrence: &Occurrence, may_have_caused: &[AutomationId]) -> Offered {
        for id in self.superseded_by(std::slice::from_ref(occurrence)) {
            self.metrics.coalesced += 1;
            self.buffer.push(Entry::Matched { occurrence: id, runs: 0 });
        }
        let now = store::now();
        let mut found = matches(self.runnable(), occurrence);
        let is_cycle = |refusal: &Refusal| matches!(refusal, Refusal::Cycle { .. });
        let id = |it: &Automation| it.id.clone();
        let refused = found.refused.extract_if(.., |(_, refusal)| is_cycle(refusal)).map(|(it, _)| id(it));
        let mut cycles: Vec<AutomationId> = refused.collect();
        let is_possible_cause = |it: &mut &Automation| may_have_caused.contains(&it.id);
        cycles.extend(found.triggered.extract_if(.., is_possible_cause).map(id));
        let offered = Offered { queued: found.triggered.iter().map(|it| id(it)).collect(), cycles };
        let (runs, refusals) = (found.runs(now, occurrence), found.refusals(now, occurrence));
        self.queue_all(runs, refusals);
        offered
    }

    /// Queues a run of one automation, although the occurrence may have triggered others already.
    pub fn offer_to(&mut self, hook: &AutomationId, occurrence: &Occurrence) {
        let now = store::now();
        let mut found = matches(self.runnable(), occurrence);
        found.triggered.retain(|it| it.id == *hook);
        let runs = found.runs(now, occurrence);
        self.queue_all(runs, Vec::new());
    }

    /// Returns whether an occurrence of this kind would trigger an automation.
    pub fn would_trigger(&self, hook: &AutomationId, kind: &OccurrenceKind) -> bool {
        self.runnable().any(|it| it.id == *hook && it.enabled && it.trigger.is_met_by(kind))
    }

    /// Records that an automation does not run because it caused the occurrence itself.
    pub fn refuse(&mut self, hook: &AutomationId, occurrence: &Occurrence) {
        let now = store::now();
        let mut found = matches(self.runnable(), occurrence);
        found.refused.retain(|(it, _)| it.id == *hook);
        let refusals = found.refusals(now, occurrence);
        self.queue_all(Vec::new(), refusals);
    }

    /// Pauses an automation until a user resumes it.
    pub fn pause(&mut self, hook: &AutomationId, why: String) {
        self.buffer.push(Entry::Paused { hook: hook.clone(), why });
    }

    /// Returns the active runs.
    pub fn active_runs(&self) -> impl Iterator<Item = ActiveRun> {
        self.active.iter().map(|(id, active)| {
            let cause = self.queue.state().run(id).map(|run| &run.queued.occurrence);
            ActiveRun {
                id: id.clone(),
                chain: cause.map(|it| it.chain.clone()).unwrap_or_default().then(&active.hook),
                cause: cause.cloned(),
                since: active.since,
                is_agent: self.automations.get(&active.hook).is_some_and(|loaded| loaded.is_agent()),
            }
        })
    }
}
