//! Which runs may have written what the watcher sees.
//!
//! WHY by time: the system does not say who wrote a file. What changed while a run was at work counts as
//! that run's and carries its chain. A person may have saved in that time as well, so an automation that
//! is left out for that reason runs once more when the run has ended. Only a change during that very run
//! of the same file, if the run is short, is surely its own; one that comes round more than
//! [`MAX_ROUNDS`] times is paused.

use std::collections::HashMap;
use std::time::{Duration, Instant, SystemTime};

use automation::limits::{MAX_ROUNDS, MAX_ROUNDS_IN_ALL, OWN_WORK};
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
    /// How often in a row each automation was set off by something that changed during runs it led to.
    rounds: HashMap<(AutomationId, String), u32>,
    /// The same for anything that did.
    rounds_in_all: HashMap<AutomationId, u32>,
    /// The content for which an automation last ran, by automation and file.
    answered: HashMap<(AutomationId, String), Option<Fingerprint>>,
}

/// When a run was at work.
#[derive(Debug)]
struct Stretch {
    chain: Chain,
    /// What the run is about, and how often in a row its automation was set off by that.
    about: Option<(String, u32)>,
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
                about: run.cause.map(|cause| (subject(&cause.what), cause.round)),
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

    /// Notes that a person did this and set these automations off: whatever went round before is over.
    pub(crate) fn by_person(&mut self, hooks: &[AutomationId], what: &What) {
        let subject = subject(what);
        self.rounds.retain(|(_, about), _| *about != subject);
        self.rounds_in_all.retain(|hook, _| !hooks.contains(hook));
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
            let runs: Vec<&Stretch> = held.runs.iter().filter_map(|id| self.runs.get(id)).collect();
            let own: Vec<&Stretch> = runs.iter().filter(|it| it.is_of(&key.0, &key.1)).copied().collect();
            // An agent program writes for as long as it is at work.
            let is_agent = runs.iter().any(|it| it.is_agent && it.chain.ids().last() == Some(&key.0));
            let is_own = is_agent || own.iter().any(|it| it.is_known_to_write());
            let round = own.iter().filter_map(|it| it.about.as_ref()).map(|(_, round)| round + 1).max();
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
            let of_this = self.rounds.entry(key.clone()).or_default();
            let in_all = self.rounds_in_all.entry(key.0.clone()).or_default();
            (*of_this, *in_all) = (*of_this + 1, *in_all + 1);
            if *of_this > MAX_ROUNDS || *in_all > MAX_ROUNDS_IN_ALL {
                let n = *in_all - 1;
                let why = format!(
                    "changes during runs it led to, of `{}` at last, set it off {n} times in a row",
                    key.1
                );
                self.rounds.retain(|(hook, _), _| *hook != key.0);
                self.rounds_in_all.remove(&key.0);
                rulings.push(Ruling::Pause { hook: held.hook, why });
                continue;
            }
            let round = round.unwrap_or(0);
            self.answered.insert(key, now);
            rulings.push(Ruling::RunOnce { hook: held.hook, what: held.what, round });
        }
        rulings
    }
}

impl Stretch {
    /// Returns whether this is a run of an automation about this file or repository.
    fn is_of(&self, hook: &AutomationId, about: &str) -> bool {
        self.chain.ids().last() == Some(hook) && self.about.as_ref().is_some_and(|(it, _)| it == about)
    }

    /// Returns whether what it is about changed during the run before it already, and it is short.
    fn is_known_to_write(&self) -> bool {
        let took = self.until.map(|(until, _)| until.saturating_duration_since(self.since.0));
        self.about.as_ref().is_some_and(|(_, round)| *round > 0) && took.is_some_and(|took| took < OWN_WORK)
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
    use automation::Occurrence;
    use store::{Timestamp, fingerprint};

    fn id(text: &str) -> AutomationId {
        AutomationId::new(text).unwrap()
    }

    fn saved(path: &str) -> What {
        What::FileSaved { path: path.into() }
    }

    /// Makes runs of `chains` about the file `f` that begin at once and end after `took`; returns when they began.
    fn after(authorship: &mut Authorship, chains: &[&[&str]], round: u32, took: Duration) -> SystemTime {
        let (moment, wall) = (Instant::now(), SystemTime::now());
        let mut cause = Occurrence::new(Timestamp::from_millis(1), saved("f"));
        cause.round = round;
        let run = |chain: &&[&str]| ActiveRun {
            id: ExecutionId::fresh(Timestamp::from_millis(1)),
            chain: Chain::of(&chain.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()),
            cause: Some(cause.clone()),
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
        let began = after(&mut authorship, &[&["a"], &["x", "b"]], 0, LONG);
        let causes = authorship.of(began + LONG / 2);
        let mut led = causes.may_have_led.clone();
        led.sort();
        assert_eq!((causes.runs.len(), led), (2, vec![id("a"), id("b"), id("x")]));
        assert_eq!(causes.chain.ids(), [id("x"), id("b")], "the longest chain is carried on");
        for at in [began - LONG, began + LONG + Duration::from_millis(1)] {
            assert_eq!(authorship.of(at), Causes::default());
        }
    }

    #[test]
    fn a_file_that_changed_during_a_run_is_ruled_on_once_the_run_has_ended() {
        let (now, before) = (fingerprint([b"now".as_slice()]), fingerprint([b"before".as_slice()]));
        // How long the run took, its round, the file, what it held, what was answered.
        for (took, round, file, left, answered, expected) in [
            (SHORT, 0, "f", now, before, "run 1"),
            (SHORT, 1, "f", now, before, "refuse"),
            (SHORT, 1, "other", now, before, "run 0"),
            (LONG, 0, "f", now, before, "run 1"),
            (LONG, 4, "f", now, before, "run 5"),
            (LONG, 0, "f", now, now, ""),
            (LONG, 0, "f", before, before, ""),
        ] {
            let mut authorship = Authorship::default();
            let began = after(&mut authorship, &[&["a"]], round, took);
            authorship.answered(&[id("a")], &saved(file), Some(&answered));
            let causes = authorship.of(began + took / 2);
            authorship.hold(vec![id("a")], &saved(file), Some(&left), &causes);
            assert_eq!(told(&authorship.rule(&|_| Some(now))), expected, "{took:?} {round} {file}");
            assert_eq!(authorship.rule(&|_| Some(now)), [], "it is ruled on once");
        }
    }

    fn told(rulings: &[Ruling]) -> String {
        let told = rulings.iter().map(|ruling| match ruling {
            Ruling::Refuse { .. } => "refuse".to_owned(),
            Ruling::RunOnce { round, .. } => format!("run {round}"),
            Ruling::Pause { .. } => "pause".to_owned(),
        });
        told.collect()
    }

    #[test]
    fn five_rounds_in_a_row_are_the_most_unless_a_person_saves_in_between() {
        let mut authorship = Authorship::default();
        let rulings = |authorship: &mut Authorship, path: &str| {
            let began = after(authorship, &[&["a"]], 0, LONG);
            let causes = authorship.of(began + LONG / 2);
            authorship.hold(vec![id("a")], &saved(path), None, &causes);
            told(&authorship.rule(&|_| None))
        };
        for n in 0..MAX_ROUNDS {
            assert_eq!(rulings(&mut authorship, "f"), "run 1", "{n}");
        }
        authorship.by_person(&[id("a")], &saved("f"));
        for n in 0..MAX_ROUNDS {
            assert_eq!(rulings(&mut authorship, "f"), "run 1", "{n}");
        }
        assert_eq!(rulings(&mut authorship, "f"), "pause");
        for n in 0..MAX_ROUNDS_IN_ALL {
            assert_eq!(rulings(&mut authorship, &n.to_string()), "run 0", "{n}");
        }
        assert_eq!(rulings(&mut authorship, "new"), "pause", "a new file each time goes round, too");
    }

    #[test]
    fn nothing_is_decided_before_the_run_has_ended() {
        let mut authorship = Authorship::default();
        let now = (Instant::now(), SystemTime::now());
        let run = ActiveRun {
            id: ExecutionId::fresh(Timestamp::from_millis(1)),
            chain: Chain::default().then(&id("a")),
            cause: None,
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
