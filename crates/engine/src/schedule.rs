//! Which of the runs that may begin do begin: limits, rates and fairness.
//!
//! Hooks take turns. A hook with a thousand waiting runs delays another hook's only run by at
//! most one of its own.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Instant;

use automation::{AutomationId, ExecutionId, Rate};

/// A run that could begin now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) run: ExecutionId,
    pub(crate) hook: AutomationId,
    /// How many runs of this hook may be at work at once.
    pub(crate) concurrency: usize,
    pub(crate) rate: Option<Rate>,
}

/// What is remembered between decisions.
#[derive(Debug, Default)]
pub(crate) struct Schedule {
    /// The hooks in the order in which their turn comes: the one served longest ago is first.
    served: Vec<AutomationId>,
    /// When recent runs of hooks with a rate began.
    begun: HashMap<AutomationId, VecDeque<Instant>>,
}

/// What was decided.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Decision {
    /// These begin, in this order.
    pub(crate) begin: Vec<ExecutionId>,
    /// A rate holds something up until then.
    pub(crate) next: Option<Instant>,
}

impl Schedule {
    /// Decides which of `candidates`, given in the order of the queue, begin while `active`
    /// says how many runs of each hook are at work.
    pub(crate) fn decide(
        &mut self,
        candidates: &[Candidate],
        active: &HashMap<AutomationId, usize>,
        max_running: usize,
        now: Instant,
    ) -> Decision {
        let mut waiting: HashMap<&AutomationId, VecDeque<&Candidate>> = HashMap::new();
        let mut known: HashSet<AutomationId> = self.served.iter().cloned().collect();
        for candidate in candidates {
            if known.insert(candidate.hook.clone()) {
                self.served.push(candidate.hook.clone());
            }
            waiting.entry(&candidate.hook).or_default().push_back(candidate);
        }
        self.served.retain(|hook| waiting.contains_key(hook) || self.begun.contains_key(hook));
        let mut active = active.clone();
        let mut n_running: usize = active.values().sum();
        let mut decision = Decision::default();
        loop {
            let turn = self.served.iter().position(|hook| {
                let Some(first) = waiting.get(hook).and_then(VecDeque::front) else { return false };
                let n_active = active.get(hook).copied().unwrap_or(0);
                n_running < max_running
                    && n_active < first.concurrency
                    && free_again(&mut self.begun, first, now).is_none_or(|moment| {
                        decision.next = Some(decision.next.map_or(moment, |next| next.min(moment)));
                        false
                    })
            });
            let Some(turn) = turn else { return decision };
            let hook = self.served.remove(turn);
            if let Some(candidate) = waiting.get_mut(&hook).and_then(VecDeque::pop_front) {
                if candidate.rate.is_some() {
                    self.begun.entry(hook.clone()).or_default().push_back(now);
                }
                decision.begin.push(candidate.run.clone());
            }
            *active.entry(hook.clone()).or_default() += 1;
            n_running += 1;
            self.served.push(hook);
        }
    }
}

/// Returns when the hook's rate allows another run, or nothing if it does now.
fn free_again(
    begun: &mut HashMap<AutomationId, VecDeque<Instant>>,
    candidate: &Candidate,
    now: Instant,
) -> Option<Instant> {
    let rate = candidate.rate?;
    let recent = begun.get_mut(&candidate.hook)?;
    while recent.front().is_some_and(|moment| *moment + rate.per <= now) {
        recent.pop_front();
    }
    let is_full = recent.len() >= usize::try_from(rate.runs).unwrap_or(usize::MAX);
    is_full.then(|| recent.front().map_or(now, |oldest| *oldest + rate.per))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use store::Timestamp;

    use super::*;

    fn id(text: &str) -> AutomationId {
        AutomationId::new(text).unwrap()
    }

    fn candidates(hooks: &[&str], concurrency: usize, rate: Option<Rate>) -> Vec<Candidate> {
        let make = |(n, hook): (usize, &&str)| Candidate {
            run: ExecutionId::fresh(Timestamp::from_millis(n as u64)),
            hook: id(hook),
            concurrency,
            rate,
        };
        hooks.iter().enumerate().map(make).collect()
    }

    /// Returns the hooks that begin, in order.
    fn begun(candidates: &[Candidate], decision: &Decision) -> String {
        let hook = |run: &ExecutionId| candidates.iter().find(|it| it.run == *run).unwrap().hook.as_str();
        decision.begin.iter().map(hook).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn hooks_take_turns_however_many_runs_one_of_them_has() {
        let mut schedule = Schedule::default();
        let all = candidates(&["a", "a", "a", "a", "b", "c"], 9, None);
        let decision = schedule.decide(&all, &HashMap::new(), 4, Instant::now());
        assert_eq!(begun(&all, &decision), "a b c a");
        let rest = candidates(&["a", "a", "b"], 9, None);
        let decision = schedule.decide(&rest, &HashMap::new(), 2, Instant::now());
        assert_eq!(begun(&rest, &decision), "b a", "who was served last comes last");
    }

    #[test]
    fn no_hook_and_not_all_together_go_beyond_their_limit() {
        let mut schedule = Schedule::default();
        let all = candidates(&["a", "a", "a", "b"], 2, None);
        let active = HashMap::from([(id("a"), 1)]);
        assert_eq!(begun(&all, &schedule.decide(&all, &active, 9, Instant::now())), "a b");
        assert_eq!(begun(&all, &schedule.decide(&all, &active, 1, Instant::now())), "");
    }

    #[test]
    fn a_rate_lets_some_begin_and_says_when_the_next_may() {
        let mut schedule = Schedule::default();
        let rate = Rate { runs: 2, per: Duration::from_mins(1) };
        let all = candidates(&["a", "a", "a"], 9, Some(rate));
        let start = Instant::now();
        let decision = schedule.decide(&all, &HashMap::new(), 9, start);
        assert_eq!(begun(&all, &decision), "a a");
        assert_eq!(decision.next, Some(start + rate.per));
        let rest = candidates(&["a"], 9, Some(rate));
        let early = schedule.decide(&rest, &HashMap::new(), 9, start + Duration::from_secs(59));
        assert_eq!((early.begin.len(), early.next), (0, Some(start + rate.per)));
        let later = schedule.decide(&rest, &HashMap::new(), 9, start + rate.per);
        assert_eq!(begun(&rest, &later), "a");
    }
}
