//! Chooses the runs to start: limits, rates and fairness.
//!
//! Hooks take turns. A hook with a thousand pending runs delays another hook's only run by at
//! most one of its own.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Instant;

use automation::{AutomationId, ExecutionId, Rate};

use crate::pending_runs::PendingRuns;

/// An automation's limits on starting runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// How many runs may be active at once.
    pub(crate) concurrency: usize,
    pub(crate) rate: Option<Rate>,
}

/// The order of the hooks, and their recent starts.
#[derive(Debug, Default)]
pub(crate) struct Schedule {
    /// The hooks in the order of their next turn: the one served longest ago is first.
    served: Vec<AutomationId>,
    /// When recent runs of hooks with a rate started.
    begun: HashMap<AutomationId, VecDeque<Instant>>,
}

/// The runs to start.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Decision {
    /// The runs, in the order in which they start.
    pub(crate) begin: Vec<ExecutionId>,
    /// When a rate allows another run.
    pub(crate) next: Option<Instant>,
}

impl Schedule {
    /// Chooses the runs to start; `active` has the number of active runs of each hook.
    pub(crate) fn decide(
        &mut self,
        pending: &PendingRuns,
        limits: &dyn Fn(&AutomationId) -> Option<Limits>,
        mut active: HashMap<AutomationId, usize>,
        max_running: usize,
        now: Instant,
    ) -> Decision {
        self.line_up(pending);
        let mut n_running: usize = active.values().sum();
        let mut begun: HashMap<AutomationId, usize> = HashMap::new();
        let mut decision = Decision::default();
        while n_running < max_running {
            let turn = self.served.iter().enumerate().find_map(|(turn, hook)| {
                let run = pending.ready(hook).nth(begun.get(hook).copied().unwrap_or(0))?;
                let limits = limits(hook)?;
                if active.get(hook).copied().unwrap_or(0) >= limits.concurrency {
                    return None;
                }
                match limits.rate.and_then(|rate| free_again(&mut self.begun, hook, rate, now)) {
                    None => Some((turn, run, limits)),
                    Some(moment) => {
                        decision.next = Some(decision.next.map_or(moment, |next| next.min(moment)));
                        None
                    }
                }
            });
            let Some((turn, run, limits)) = turn else { break };
            let hook = self.served.remove(turn);
            if limits.rate.is_some() {
                self.begun.entry(hook.clone()).or_default().push_back(now);
            }
            decision.begin.push(run.clone());
            *active.entry(hook.clone()).or_default() += 1;
            *begun.entry(hook.clone()).or_default() += 1;
            n_running += 1;
            self.served.push(hook);
        }
        decision
    }

    /// Appends hooks that have pending runs again behind the others.
    fn line_up(&mut self, pending: &PendingRuns) {
        let first: HashMap<&AutomationId, u64> = pending.hooks().collect();
        self.served.retain(|hook| first.contains_key(hook) || self.begun.contains_key(hook));
        let known: HashSet<&AutomationId> = self.served.iter().collect();
        let mut new: Vec<_> = first.into_iter().filter(|(hook, _)| !known.contains(hook)).collect();
        new.sort_by_key(|(_, place)| *place);
        let new: Vec<AutomationId> = new.into_iter().map(|(hook, _)| hook.clone()).collect();
        self.served.extend(new);
    }
}

/// Returns when the hook's rate allows another run. Returns `None` if it allows one now.
fn free_again(
    begun: &mut HashMap<AutomationId, VecDeque<Instant>>,
    hook: &AutomationId,
    rate: Rate,
    now: Instant,
) -> Option<Instant> {
    let recent = begun.get_mut(hook)?;
    while recent.front().is_some_and(|moment| *moment + rate.per <= now) {
        recent.pop_front();
    }
    let is_full = recent.len() >= usize::try_from(rate.runs).unwrap_or(usize::MAX);
    is_full.then(|| recent.front().map_or(now, |oldest| *oldest + rate.per))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use automation::queue::{Changes, Entry, Line, QueueState, QueuedRun};
    use automation::{Occurrence, OccurrenceKind};
    use store::Timestamp;

    use super::*;

    fn id(text: &str) -> AutomationId {
        AutomationId::new(text).unwrap()
    }

    /// A queue with a pending run of each given hook.
    struct Queue {
        queue_state: QueueState,
        pending: PendingRuns,
    }

    impl Queue {
        fn of(hooks: &[&str]) -> Self {
            let (mut queue_state, ts) = (QueueState::default(), Timestamp::from_millis(1));
            for hook in hooks {
                let kind =
                    OccurrenceKind::Custom { name: "go".into(), path: None, data: serde_json::Map::new() };
                let run = QueuedRun::new(ts, id(hook), Occurrence::new(ts, kind));
                queue_state.add(Line::new(ts, Entry::Queued { run }));
            }
            let mut pending = PendingRuns::default();
            pending.update(Changes::Everything, &queue_state, ts, Instant::now());
            Self { queue_state, pending }
        }

        /// Returns the hooks of the runs to start, in order, and when a rate allows more.
        fn decide(
            &self,
            schedule: &mut Schedule,
            limits: Limits,
            active: &[(&str, usize)],
            max_running: usize,
            now: Instant,
        ) -> (String, Option<Instant>) {
            let active = active.iter().map(|(hook, n)| (id(hook), *n)).collect();
            let decision = schedule.decide(&self.pending, &|_| Some(limits), active, max_running, now);
            let hook = |run| self.queue_state.run(run).unwrap().queued.hook.as_str();
            (decision.begin.iter().map(hook).collect::<Vec<_>>().join(" "), decision.next)
        }
    }

    #[test]
    fn hooks_take_turns_however_many_runs_one_of_them_has() {
        let (mut schedule, now) = (Schedule::default(), Instant::now());
        let limits = Limits { concurrency: 9, rate: None };
        let queue = Queue::of(&["a", "a", "a", "a", "b", "c"]);
        assert_eq!(queue.decide(&mut schedule, limits, &[], 4, now).0, "a b c a");
        let rest = Queue::of(&["a", "a", "b"]);
        assert_eq!(
            rest.decide(&mut schedule, limits, &[], 2, now).0,
            "b a",
            "the hook served last comes last"
        );
    }

    #[test]
    fn no_hook_and_not_all_together_go_beyond_their_limit() {
        let (mut schedule, now) = (Schedule::default(), Instant::now());
        let limits = Limits { concurrency: 2, rate: None };
        let queue = Queue::of(&["a", "a", "a", "b"]);
        assert_eq!(queue.decide(&mut schedule, limits, &[("a", 1)], 9, now).0, "a b");
        assert_eq!(queue.decide(&mut schedule, limits, &[("a", 1)], 1, now).0, "");
    }

    #[test]
    fn a_rate_lets_some_begin_and_says_when_the_next_may() {
        let (mut schedule, start) = (Schedule::default(), Instant::now());
        let rate = Rate { runs: 2, per: Duration::from_mins(1) };
        let limits = Limits { concurrency: 9, rate: Some(rate) };
        let free = Some(start + rate.per);
        let queue = Queue::of(&["a", "a", "a"]);
        assert_eq!(queue.decide(&mut schedule, limits, &[], 9, start), ("a a".to_owned(), free));
        let (rest, early) = (Queue::of(&["a"]), start + Duration::from_secs(59));
        assert_eq!(rest.decide(&mut schedule, limits, &[], 9, early), (String::new(), free));
        assert_eq!(rest.decide(&mut schedule, limits, &[], 9, start + rate.per).0, "a");
    }
}
