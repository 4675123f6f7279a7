//! Which runs may have written what the watcher sees.
//!
//! WHY by time: the system does not say who wrote a file. What changed while a run was at work counts as
//! that run's and carries its chain. A person may have saved in that time as well, so an automation that
//! is left out for that reason runs once more when the run has ended, unless the change is surely the
//! run's own; one that comes round more than [`MAX_ROUNDS`] times is paused.

use std::collections::HashMap;
use std::time::{Duration, Instant, SystemTime};

use automation::limits::{MAX_ROUNDS, OWN_WORK};
use automation::{AutomationId, Chain, ExecutionId, What};
use engine::ActiveRun;
use store::Fingerprint;

/// How long it is remembered when a run was at work: longer than a file takes to come to rest.
const REMEMBERED: Duration = Duration::from_secs(30);

/// The clock that files get their times from is behind by up to a tick.
const TICK: Duration = Duration::from_millis(20);

/// The runs at work and those that ended a moment ago, and what waits for their end.
#[derive(Debug, Default)]
pub(crate) struct Authorship {
    runs: HashMap<ExecutionId, Stretch>,
    held: Vec<Held>,
    /// The content for which an automation last ran, by automation and file.
    answered: HashMap<(AutomationId, String), Option<Fingerprint>>,
}

/// When a run was at work.
#[derive(Debug)]
struct Stretch {
    chain: Chain,
    round: u32,
    is_agent: bool,
    since: (Instant, SystemTime),
    until: Option<(Instant, SystemTime)>,
}

/// Something an automation was not set off by, since it may have led to it.
#[derive(Debug)]
struct Held {
    hook: AutomationId,
    what: What,
    content: Option<Fingerprint>,
    chain: Chain,
    round: u32,
    runs: Vec<ExecutionId>,
}

/// The runs that may have done something.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Causes {
    /// None for what a person did.
    pub(crate) runs: Vec<ExecutionId>,
    /// The longest of their chains.
    pub(crate) chain: Chain,
    /// The automations of all their chains.
    pub(crate) may_have_led: Vec<AutomationId>,
    /// The highest of their rounds.
    pub(crate) round: u32,
}

/// What is to be done about something that was held.
#[derive(Debug, PartialEq)]
pub(crate) enum Ruling {
    /// It is the run's own work.
    Refuse { hook: AutomationId, what: What, chain: Chain },
    /// A person may have done it: the automation runs for it.
    RunOnce { hook: AutomationId, what: What, round: u32 },
    /// It came round too often.
    Pause { hook: AutomationId, why: String },
}

impl Authorship {
    /// Takes in which runs are at work now.
    pub(crate) fn update(&mut self, active: impl Iterator<Item = ActiveRun>, now: (Instant, SystemTime)) {
        let mut at_work = Vec::new();
        for run in active {
            let before = now.0.saturating_duration_since(run.since);
            let wall = now.1.checked_sub(before).unwrap_or(now.1);
            self.runs.entry(run.id.clone()).or_insert_with(|| Stretch {
                chain: run.chain,
                round: run.round,
                is_agent: run.is_agent,
                since: (run.since, wall),
                until: None,
            });
            at_work.push(run.id);
        }
        for (id, stretch) in &mut self.runs {
            if stretch.until.is_none() && !at_work.contains(id) {
                stretch.until = Some(now);
            }
        }
        let held = &self.held;
        self.runs.retain(|id, stretch| {
            stretch.until.is_none_or(|(at, _)| now.0 < at + REMEMBERED)
                || held.iter().any(|it| it.runs.contains(id))
        });
    }

    /// Returns the runs that were at work at this time and may have done what happened then; none for
    /// what a person did.
    pub(crate) fn of(&self, at: SystemTime) -> Causes {
        let was_at_work = |stretch: &&Stretch| {
            at + TICK >= stretch.since.1 && stretch.until.is_none_or(|(_, until)| at <= until)
        };
        let found = self.runs.iter().filter(|(_, stretch)| was_at_work(stretch));
        let mut causes = Causes::default();
        for (id, stretch) in found {
            causes.runs.push(id.clone());
            causes.round = causes.round.max(stretch.round);
            causes.may_have_led.extend(stretch.chain.ids().iter().cloned());
            if stretch.chain.depth() > causes.chain.depth() {
                causes.chain = stretch.chain.clone();
            }
        }
        causes
    }

    /// Notes that automations run for this.
    pub(crate) fn answered(&mut self, hooks: &[AutomationId], what: &What, content: Option<&Fingerprint>) {
        for hook in hooks {
            self.answered.insert((hook.clone(), subject(what)), content.copied());
        }
    }

    /// Holds something for automations that may have led to it, until these runs have ended.
    pub(crate) fn hold(
        &mut self,
        hooks: Vec<AutomationId>,
        what: &What,
        content: Option<&Fingerprint>,
        causes: &Causes,
    ) {
        for hook in hooks {
            // Of several saves of a file the latest counts; each commit is one of its own.
            let is_same = |it: &Held| it.hook == hook && it.what == *what;
            self.held.retain(|it| !is_same(it));
            let chains = causes.runs.iter().filter_map(|id| self.runs.get(id)).map(|it| &it.chain);
            let chain = chains.into_iter().find(|it| it.ids().contains(&hook)).cloned();
            self.held.push(Held {
                chain: chain.unwrap_or_else(|| causes.chain.clone()),
                hook,
                what: what.clone(),
                content: content.copied(),
                round: causes.round,
                runs: causes.runs.clone(),
            });
        }
    }

    /// Returns what is to be done about everything whose runs have ended; `content` reads a file as it
    /// is now.
    pub(crate) fn rule(&mut self, content: &dyn Fn(&What) -> Option<Fingerprint>) -> Vec<Ruling> {
        let runs = &self.runs;
        let has_ended = |id: &ExecutionId| runs.get(id).is_none_or(|stretch| stretch.until.is_some());
        let due: Vec<Held> = self.held.extract_if(.., |it| it.runs.iter().all(has_ended)).collect();
        let mut rulings = Vec::new();
        for held in due {
            let key = (held.hook.clone(), subject(&held.what));
            let is_own = held.runs.iter().filter_map(|id| self.runs.get(id)).all(Stretch::wrote_surely);
            let now = content(&held.what);
            let is_answered = now.is_some() && self.answered.get(&key) == Some(&now);
            // What differs from what the run left was saved since, and comes as a save of its own.
            let is_over =
                matches!(held.what, What::FileSaved { .. } | What::SpecStatus { .. }) && now != held.content;
            if is_answered || is_over {
                continue;
            }
            if is_own {
                rulings.push(Ruling::Refuse { hook: held.hook, what: held.what, chain: held.chain });
                continue;
            }
            let round = held.round + 1;
            if round > MAX_ROUNDS {
                let about = &key.1;
                let why = format!(
                    "`{about}` changed while it ran, and set it off again, {MAX_ROUNDS} times in a row"
                );
                rulings.push(Ruling::Pause { hook: held.hook, why });
                continue;
            }
            self.answered.insert(key, now);
            rulings.push(Ruling::RunOnce { hook: held.hook, what: held.what, round });
        }
        rulings
    }
}

impl Stretch {
    /// Returns whether what changed in this time is surely the run's own work.
    fn wrote_surely(&self) -> bool {
        let took = self.until.map(|(until, _)| until.saturating_duration_since(self.since.0));
        self.is_agent || took.is_some_and(|took| took < OWN_WORK)
    }
}

/// Returns what goes round: the file, or the repository.
fn subject(what: &What) -> String {
    match what {
        What::FileSaved { path } | What::FileWillBeSaved { path } | What::SpecStatus { path, .. } => {
            path.clone()
        }
        What::Commit { repo_root, .. } => repo_root.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::{Timestamp, fingerprint};

    fn id(text: &str) -> AutomationId {
        AutomationId::new(text).unwrap()
    }

    fn saved(path: &str) -> What {
        What::FileSaved { path: path.into() }
    }

    /// Makes runs of `chains` that begin at once and end after `took`; returns when they began.
    fn after(authorship: &mut Authorship, chains: &[&[&str]], round: u32, took: Duration) -> SystemTime {
        let (moment, wall) = (Instant::now(), SystemTime::now());
        let run = |chain: &&[&str]| ActiveRun {
            id: ExecutionId::fresh(Timestamp::from_millis(1)),
            chain: Chain::of(&chain.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()),
            round,
            since: moment,
            is_agent: false,
        };
        authorship.update(chains.iter().map(run), (moment, wall));
        authorship.update(std::iter::empty(), (moment + took, wall + took));
        wall
    }

    const LONG: Duration = Duration::from_secs(3);
    const SHORT: Duration = Duration::from_millis(100);

    #[test]
    fn what_happens_while_runs_are_at_work_is_theirs_and_nothing_before_or_after() {
        let mut authorship = Authorship::default();
        let began = after(&mut authorship, &[&["a"], &["x", "b"]], 2, LONG);
        let causes = authorship.of(began + LONG / 2);
        let mut led = causes.may_have_led.clone();
        led.sort();
        assert_eq!((causes.runs.len(), causes.round, led), (2, 2, vec![id("a"), id("b"), id("x")]));
        assert_eq!(causes.chain.ids(), [id("x"), id("b")], "the longest chain is carried on");
        for at in [began - LONG, began + LONG + Duration::from_millis(1)] {
            assert_eq!(authorship.of(at), Causes::default());
        }
    }

    #[test]
    fn a_file_that_changed_during_a_run_is_ruled_on_once_the_run_has_ended() {
        let (now, before) = (fingerprint([b"now".as_slice()]), fingerprint([b"before".as_slice()]));
        for (took, round, left, answered, expected) in [
            (SHORT, 0, now, before, "refuse"),
            (LONG, 0, now, before, "run 1"),
            (LONG, 4, now, before, "run 5"),
            (LONG, 5, now, before, "pause"),
            (LONG, 0, now, now, ""),
            (LONG, 0, before, before, ""),
        ] {
            let mut authorship = Authorship::default();
            let began = after(&mut authorship, &[&["a"]], round, took);
            authorship.answered(&[id("a")], &saved("f"), Some(&answered));
            let causes = authorship.of(began + took / 2);
            authorship.hold(vec![id("a")], &saved("f"), Some(&left), &causes);
            let rulings = authorship.rule(&|_| Some(now));
            let told = rulings.iter().map(|ruling| match ruling {
                Ruling::Refuse { .. } => "refuse".to_owned(),
                Ruling::RunOnce { round, .. } => format!("run {round}"),
                Ruling::Pause { .. } => "pause".to_owned(),
            });
            assert_eq!(told.collect::<String>(), expected, "{took:?} {round}");
            assert_eq!(authorship.rule(&|_| Some(now)), [], "it is ruled on once");
        }
    }

    #[test]
    fn nothing_is_decided_before_the_run_has_ended() {
        let mut authorship = Authorship::default();
        let now = (Instant::now(), SystemTime::now());
        let run = ActiveRun {
            id: ExecutionId::fresh(Timestamp::from_millis(1)),
            chain: Chain::default().then(&id("a")),
            round: 0,
            since: now.0,
            is_agent: true,
        };
        authorship.update([run.clone()].into_iter(), now);
        let causes = authorship.of(now.1);
        authorship.hold(vec![id("a")], &saved("f"), None, &causes);
        assert_eq!(authorship.rule(&|_| None), []);
        authorship.update(std::iter::empty(), (now.0 + LONG, now.1 + LONG));
        let ruled = authorship.rule(&|_| None);
        let refused = Ruling::Refuse { hook: id("a"), what: saved("f"), chain: run.chain };
        assert_eq!(ruled, [refused], "an agent program writes files");
    }
}
