//! How often in a row an automation was triggered by changes during its own runs.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use automation::limits::{COALESCE_WINDOW, MAX_ROUNDS, MAX_ROUNDS_IN_ALL, MAX_UNALIKE_ROUNDS, OWN_WORK};
use automation::{AutomationId, ExecutionId};

/// After this many short runs in a row that changed their own file, the runs count as its author.
///
/// A person would have to save in each of them, and in none of the pauses between them.
const SHORT_ROUNDS: u32 = 3;

/// The rounds of every automation: per file or repository, and in all.
#[derive(Debug, Default)]
pub(super) struct SelfTriggers {
    rows: HashMap<Key, Row>,
    /// The runs of each automation, and those beside them, during which files changed that triggered it again: one that
    /// handles many files counts once.
    in_all: HashMap<AutomationId, RoundsInAll>,
    /// The automations that write their own file, with that file; `true` if the latest run did.
    writers: HashMap<Key, bool>,
}

/// An automation and the file or repository it was triggered by.
pub(super) type Key = (AutomationId, String);

/// Where in a run a change lay: after its start, and before its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) after_start: Duration,
    pub(super) before_end: Duration,
}

#[derive(Debug, Default)]
struct Row {
    n: u32,
    /// How many of them, up to the latest, changed the file at the same point of the run.
    n_alike: u32,
    last: Option<Position>,
}

/// The rounds of one automation for any files.
#[derive(Debug, Default)]
struct RoundsInAll {
    n: u32,
    counted: HashSet<ExecutionId>,
}

/// The consequence of one more round.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Consequence {
    /// The automation runs again: a person may have made the change.
    Run,
    /// The run wrote the file itself.
    Own,
    /// The automation repeats itself, for this reason.
    Pause(String),
}

impl SelfTriggers {
    /// Returns how long after a run no run of its automation may start for a change during it.
    ///
    /// WHY: a change in that time is certainly not the run's, so a person made it and the row of rounds
    /// ends. The pause grows, or a person who saves in the rhythm of the runs would never hit it.
    pub(super) fn pause_after(&self, key: &Key) -> Duration {
        COALESCE_WINDOW * self.rows.get(key).map_or(1, |row| row.n + 1)
    }

    /// Returns whether the file or repository changed during an earlier run of the row.
    pub(super) fn has_row(&self, key: &Key) -> bool {
        self.rows.contains_key(key)
    }

    /// Counts a round.
    ///
    /// WHY the position counts: a long run that writes its own trigger does so at the same point of every run,
    /// right after its start or right before its end. A person who keeps saving during the runs of a slow
    /// automation does not, and may go on for longer.
    pub(super) fn count(&mut self, key: &Key, at: Option<Position>, runs: &[ExecutionId]) -> Consequence {
        if let Some(wrote) = self.writers.get_mut(key) {
            *wrote = true;
            return Consequence::Own;
        }
        let row = self.rows.entry(key.clone()).or_default();
        let is_alike = match (row.last, at) {
            (Some(before), Some(now)) => before.is_like(now),
            _ => true,
        };
        row.n += 1;
        row.n_alike = if is_alike { row.n_alike + 1 } else { 1 };
        row.last = at;
        let in_all = self.in_all.entry(key.0.clone()).or_default();
        let n_before = in_all.counted.len();
        in_all.counted.extend(runs.iter().cloned());
        in_all.n += u32::from(in_all.counted.len() > n_before);
        if row.n_alike > SHORT_ROUNDS && at.is_some_and(|at| at.took() < OWN_WORK) {
            self.rows.remove(key);
            self.writers.insert(key.clone(), true);
            return Consequence::Own;
        }
        let about = &key.1;
        let why = if row.n_alike > MAX_ROUNDS || row.n > MAX_UNALIKE_ROUNDS {
            format!("{} runs in a row changed `{about}`, which triggered it again", row.n)
        } else if in_all.n > MAX_ROUNDS_IN_ALL {
            let n = in_all.n;
            format!("its runs changed files that triggered it again {n} times, `{about}` the last time")
        } else {
            return Consequence::Run;
        };
        self.rows.retain(|(hook, _), _| *hook != key.0);
        self.in_all.remove(&key.0);
        Consequence::Pause(why)
    }

    /// Ends the rows about this file or repository, and those in all of these automations: a person changed it.
    pub(super) fn end(&mut self, hooks: &[AutomationId], about: &str) {
        self.rows.retain(|(_, it), _| it != about);
        self.in_all.retain(|hook, _| !hooks.contains(hook));
        // If the latest run did not change the file, its automation does not write it any more.
        let hooks: HashSet<&AutomationId> = hooks.iter().collect();
        let is_asked = |key: &Key| key.1 == about && hooks.contains(&key.0);
        self.writers.retain(|key, wrote| !is_asked(key) || std::mem::take(wrote));
    }
}

impl Position {
    fn took(self) -> Duration {
        self.after_start + self.before_end
    }

    fn is_like(self, other: Self) -> bool {
        let tolerance = Duration::from_millis(150).max(self.took() / 20);
        self.after_start.abs_diff(other.after_start) <= tolerance
            || self.before_end.abs_diff(other.before_end) <= tolerance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(about: &str) -> Key {
        (AutomationId::new("a").unwrap(), about.to_owned())
    }

    fn run() -> ExecutionId {
        ExecutionId::fresh(store::Timestamp::from_millis(1))
    }

    fn at((start, end): (u64, u64)) -> Position {
        Position { after_start: Duration::from_millis(start), before_end: Duration::from_millis(end) }
    }

    /// Returns after how many further runs the row ended, and how.
    fn end_of_row(
        positions: impl Iterator<Item = (u64, u64)>,
        about: impl Fn(usize) -> String,
    ) -> (usize, Consequence) {
        let mut rounds = SelfTriggers::default();
        let mut counted =
            positions.enumerate().map(|(n, it)| rounds.count(&key(&about(n)), Some(at(it)), &[run()]));
        let mut n_runs = 0;
        loop {
            match counted.next().unwrap() {
                Consequence::Run => n_runs += 1,
                end => return (n_runs, end),
            }
        }
    }

    #[test]
    fn a_change_at_the_same_point_of_each_run_pauses_after_five_rounds_and_others_later() {
        let same = |_| "f".to_owned();
        let ends = (1..).map(|n| (n * 1_000, 10));
        let starts = (1..).map(|n| (10, n * 1_000));
        // A person saves early in one run and late in the next.
        let scattered = (0..).map(|n| if n % 2 == 0 { (1_000, 9_000) } else { (8_000, 2_000) });
        for (n, (n_runs, end)) in [
            (5, end_of_row(ends, same)),
            (5, end_of_row(starts, same)),
            (20, end_of_row(scattered, same)),
            (50, end_of_row(std::iter::repeat((10, 10)), |n| n.to_string())),
        ] {
            assert!(n_runs == n && matches!(end, Consequence::Pause(_)), "{n_runs} {end:?}");
        }
    }

    #[test]
    fn the_rounds_of_an_automation_count_beside_those_of_another() {
        let other = |about: &str| (AutomationId::new("b").unwrap(), about.to_owned());
        let mut rounds = SelfTriggers::default();
        let mut paused = Vec::new();
        for n in 0.. {
            // Each file changes during a run of both.
            let runs = [run(), run()];
            for key in [other(&n.to_string()), key(&n.to_string())] {
                if matches!(rounds.count(&key, Some(at((10, 10))), &runs), Consequence::Pause(_)) {
                    paused.push(n);
                }
            }
            if paused.len() == 2 {
                break;
            }
        }
        assert_eq!(paused, [50, 50]);
    }

    #[test]
    fn an_automation_that_writes_its_file_in_every_short_run_is_known_until_it_stops() {
        let short = Some(at((10, 10)));
        let (n_runs, end) = end_of_row(std::iter::repeat((10, 10)), |_| "f".to_owned());
        assert_eq!((n_runs, end), (3, Consequence::Own));
        let mut rounds = SelfTriggers::default();
        for _ in 0..4 {
            rounds.count(&key("f"), short, &[run()]);
        }
        let person = |rounds: &mut SelfTriggers| rounds.end(std::slice::from_ref(&key("f").0), "f");
        for _ in 0..2 {
            person(&mut rounds);
            assert_eq!(
                rounds.count(&key("f"), short, &[run()]),
                Consequence::Own,
                "every later run writes it too"
            );
        }
        person(&mut rounds);
        person(&mut rounds);
        assert_eq!(
            rounds.count(&key("f"), short, &[run()]),
            Consequence::Run,
            "the run before left the file alone"
        );
    }

    #[test]
    fn the_pause_before_the_next_run_grows_with_the_row() {
        let mut rounds = SelfTriggers::default();
        let mut pauses = Vec::new();
        for _ in 0..3 {
            pauses.push(rounds.pause_after(&key("f")).as_millis());
            rounds.count(&key("f"), Some(at((1_000, 10))), &[run()]);
        }
        assert_eq!(pauses, [500, 1_000, 1_500]);
    }
}
