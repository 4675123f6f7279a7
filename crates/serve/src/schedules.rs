//! The times of scheduled automations.
//!
//! An interval is counted on the monotonic clock, so that setting the machine's clock neither skips nor repeats a
//! run; a cron expression is about that clock, and after it was set back the next time counts from then. The engine
//! stores when each automation last ran, together with the run: the next server continues from there and runs once
//! for the times it missed.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use automation::limits::CATCH_UP;
use automation::{AutomationId, Schedule, parse_cron};
use chrono::{DateTime, Local, Utc};
use croner::Cron;
use store::Timestamp;

/// The scheduled automations.
#[derive(Debug, Default)]
pub(crate) struct Schedules {
    entries: HashMap<AutomationId, Entry>,
}

#[derive(Debug)]
struct Entry {
    schedule: Schedule,
    times: Times,
    /// The wall-clock time up to which its times are done.
    done_until: Timestamp,
}

#[derive(Debug)]
enum Times {
    Every { interval: Duration, next: Instant },
    Cron(Box<Cron>),
}

/// An automation whose time has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Due {
    pub(crate) hook: AutomationId,
    /// The time of the schedule.
    pub(crate) at: Timestamp,
}

/// Returns the source name under which the engine stores up to when the times of an automation are done.
pub(crate) fn source(hook: &AutomationId) -> String {
    format!("schedule {hook}")
}

impl Schedules {
    /// Takes the current scheduled automations; `known` returns what the engine stored. Returns the sources to store
    /// for new ones, whose times count from now on.
    pub(crate) fn set<'a>(
        &mut self,
        scheduled: impl Iterator<Item = (&'a AutomationId, &'a Schedule)>,
        known: &dyn Fn(&str) -> Option<u64>,
        (wall, now): (Timestamp, Instant),
    ) -> Vec<(String, u64)> {
        let mut before = std::mem::take(&mut self.entries);
        let mut stored = Vec::new();
        for (hook, schedule) in scheduled {
            let entry = before.remove(hook).filter(|it| it.schedule == *schedule).or_else(|| {
                let done = known(&source(hook)).map(Timestamp::from_millis);
                if done.is_none() {
                    stored.push((source(hook), wall.as_millis()));
                }
                Entry::new(schedule, done.unwrap_or(wall).min(wall), wall, now)
            });
            self.entries.extend(entry.map(|entry| (hook.clone(), entry)));
        }
        // Times of a removed automation do not count when it returns.
        stored
            .extend(before.keys().filter(|hook| !self.entries.contains_key(*hook)).map(|it| (source(it), 0)));
        stored
    }

    /// Returns the automations whose time has come, each once, however many of its times have passed.
    pub(crate) fn due(&mut self, wall: Timestamp, now: Instant) -> Vec<Due> {
        let due = |(hook, entry): (&AutomationId, &mut Entry)| {
            Some(Due { hook: hook.clone(), at: entry.due(wall, now)? })
        };
        let mut due: Vec<Due> = self.entries.iter_mut().filter_map(due).collect();
        due.sort_by(|one, other| (one.at, &one.hook).cmp(&(other.at, &other.hook)));
        due
    }

    /// Returns when the next time comes.
    pub(crate) fn next(&self, wall: Timestamp, now: Instant) -> Option<Instant> {
        self.entries.values().filter_map(|entry| entry.next(wall, now)).min()
    }
}

impl Entry {
    fn new(schedule: &Schedule, done_until: Timestamp, wall: Timestamp, now: Instant) -> Option<Self> {
        let times = match schedule {
            Schedule::Every(interval) => {
                let passed = Duration::from_millis(wall.millis_since(done_until));
                Times::Every { interval: *interval, next: now + interval.saturating_sub(passed) }
            }
            // The loader has checked it.
            Schedule::Cron(expression) => Times::Cron(Box::new(parse_cron(expression).ok()?)),
        };
        Some(Self { schedule: schedule.clone(), times, done_until })
    }

    /// Returns the latest time that has come since the last call.
    fn due(&mut self, wall: Timestamp, now: Instant) -> Option<Timestamp> {
        match &mut self.times {
            Times::Every { interval, next } => {
                if now < *next {
                    return None;
                }
                // In the same rhythm, without the times in between.
                let n_missed = now.duration_since(*next).as_millis() / interval.as_millis().max(1);
                *next += *interval * (u32::try_from(n_missed).unwrap_or(u32::MAX) + 1);
                self.done_until = wall;
                Some(wall)
            }
            Times::Cron(cron) => {
                // The clock was set back.
                self.done_until = self.done_until.min(wall);
                let first = cron.find_next_occurrence(&local(self.done_until)?, false).ok()?;
                let now = local(wall)?;
                if first > now {
                    return None;
                }
                let latest = cron.find_previous_occurrence(&now, true).unwrap_or(first);
                self.done_until = wall;
                let latest = Timestamp::from_millis(u64::try_from(latest.timestamp_millis()).unwrap_or(0));
                // After a long time without a server the last time is not made up for.
                (u128::from(wall.millis_since(latest)) <= CATCH_UP.as_millis()).then_some(latest)
            }
        }
    }

    fn next(&self, wall: Timestamp, now: Instant) -> Option<Instant> {
        match &self.times {
            Times::Every { next, .. } => Some(*next),
            Times::Cron(cron) => {
                let next = cron.find_next_occurrence(&local(self.done_until.min(wall))?, false).ok()?;
                let left = next.signed_duration_since(local(wall)?).to_std().unwrap_or_default();
                Some(now + left)
            }
        }
    }
}

fn local(at: Timestamp) -> Option<DateTime<Local>> {
    let millis = i64::try_from(at.as_millis()).ok()?;
    DateTime::<Utc>::from_timestamp_millis(millis).map(|it| it.with_timezone(&Local))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: u64 = 60_000;

    struct Clock {
        start: Instant,
        schedules: Schedules,
    }

    impl Clock {
        /// A schedule that was last done at this minute, at the minute `now`.
        fn new(schedule: &Schedule, done: Option<u64>, now: u64) -> Self {
            let hook = AutomationId::new("a").unwrap();
            let start = Instant::now();
            let mut schedules = Schedules::default();
            let known = |_: &str| done.map(|it| it * MINUTE);
            schedules.set([(&hook, schedule)].into_iter(), &known, (minute(now), start));
            Self { start, schedules }
        }

        /// Returns the minute of the time that has come `passed` minutes after the start, when the clock shows `wall`.
        fn due(&mut self, passed: u64, wall: u64) -> Option<u64> {
            let now = self.start + Duration::from_millis(passed * MINUTE);
            let due = self.schedules.due(minute(wall), now);
            assert!(
                self.schedules.next(minute(wall), now).is_some_and(|next| next > now),
                "the next lies ahead"
            );
            due.first().map(|it| it.at.as_millis() / MINUTE)
        }
    }

    fn minute(n: u64) -> Timestamp {
        Timestamp::from_millis(n * MINUTE)
    }

    #[test]
    fn an_interval_goes_on_across_servers_and_does_not_care_about_the_clock() {
        let every = Schedule::every("10m").unwrap();
        let mut fresh = Clock::new(&every, None, 1000);
        assert_eq!([fresh.due(9, 1009), fresh.due(10, 1010), fresh.due(11, 1011)], [None, Some(1010), None]);
        assert_eq!(fresh.due(35, 1035), Some(1035), "one run for two times");
        assert_eq!([fresh.due(39, 1039), fresh.due(40, 1040)], [None, Some(1040)], "the rhythm stays");
        assert_eq!([fresh.due(41, 99_000), fresh.due(42, 3)], [None, None], "the clock was set");
        assert_eq!(fresh.due(50, 11), Some(11));
        let mut resumed = Clock::new(&every, Some(995), 1000);
        assert_eq!([resumed.due(4, 1004), resumed.due(5, 1005)], [None, Some(1005)]);
        let mut late = Clock::new(&every, Some(900), 1000);
        assert_eq!([late.due(0, 1000), late.due(1, 1001)], [Some(1000), None], "once for the missed times");
    }

    #[test]
    fn a_cron_expression_is_about_the_clock() {
        let cron = Schedule::cron("*/10 * * * *").unwrap();
        let mut clock = Clock::new(&cron, None, 1001);
        assert_eq!([clock.due(8, 1009), clock.due(9, 1010), clock.due(9, 1010)], [None, Some(1010), None]);
        assert_eq!(clock.due(10, 1035), Some(1030), "the clock was set forward");
        assert_eq!([clock.due(11, 995), clock.due(16, 1000)], [None, Some(1000)], "and back");
        let mut late = Clock::new(&cron, Some(900), 1003);
        assert_eq!([late.due(0, 1003), late.due(1, 1004)], [Some(1000), None], "once for the missed times");
        let yearly = Schedule::cron("0 0 1 1 *").unwrap();
        let mut long_ago = Clock::new(&yearly, Some(1), 300_000);
        assert_eq!(long_ago.due(0, 300_000), None, "a time of last winter is not made up for");
    }
}
