//! Selects the sessions that `steersman session gc` may delete.
//!
//! A session expires when it is older than `gc.maxAgeDays` *and* not among the latest `gc.maxSessions`. An active
//! session never expires. Hooks delete nothing.

use serde::Deserialize;
use store::Timestamp;

use crate::history::Overview;

/// The section `gc` of `config.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Retention {
    /// Keeps every session whose last event is no older than this.
    pub max_age_days: u64,
    /// Keeps this many of the latest sessions, regardless of their age.
    pub max_sessions: usize,
    /// Keeps every session for this long, for audits: `"forever"`, or a number of days.
    pub keep: Option<Keep>,
}

/// How long every session is kept, whatever their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged, expecting = "expected `\"forever\"` or a number of days")]
pub enum Keep {
    /// This many days.
    Days(u64),
    /// For ever.
    Forever(Forever),
}

/// The word `forever`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Forever {
    /// No session is ever removed.
    Forever,
}

/// A session with an event within the last hour counts as active.
const ACTIVE_MS: u64 = 60 * 60 * 1000;

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

impl Default for Retention {
    fn default() -> Self {
        Self { max_age_days: 7, max_sessions: 20, keep: None }
    }
}

impl Retention {
    /// The name of the section.
    pub const SECTION: &'static str = "gc";

    /// Returns the sessions to delete. `sessions` has all of them, the latest first.
    pub fn expired<'a>(&self, sessions: &'a [Overview], now: Timestamp) -> Vec<&'a Overview> {
        let Some(max_age) = self.max_age_ms() else { return Vec::new() };
        let beyond = sessions.iter().skip(self.max_sessions);
        beyond.filter(|session| is_older(session, now, max_age)).collect()
    }
}

impl Retention {
    /// Returns the age beyond which a session may be removed, in milliseconds. Returns `None` if none ever is.
    pub fn max_age_ms(&self) -> Option<u64> {
        let kept = match self.keep {
            None => 0,
            Some(Keep::Days(days)) => days,
            Some(Keep::Forever(_)) => return None,
        };
        Some(self.max_age_days.max(kept).saturating_mul(DAY_MS).max(ACTIVE_MS))
    }

    /// Returns when the next session may be removed: of those beyond the number, the oldest. `sessions` has all of
    /// them, the latest first. Returns `None` if no session is beyond the number, or none is ever removed.
    pub fn next_expiry(&self, sessions: &[Overview]) -> Option<Timestamp> {
        let max_age = self.max_age_ms()?;
        let oldest =
            sessions.iter().skip(self.max_sessions).filter_map(|session| session.last_event).min()?;
        Some(Timestamp::from_millis(oldest.as_millis().saturating_add(max_age)))
    }
}

/// Returns `false` for a session without a time.
fn is_older(session: &Overview, now: Timestamp, millis: u64) -> bool {
    session.last_event.is_some_and(|last| now.millis_since(last) > millis)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hold;
    use event::{Phase, SessionId, WorkId};

    const NOW: Timestamp = Timestamp::from_millis(100 * DAY_MS);

    /// Sessions whose last events are so many minutes ago.
    fn sessions(ages: &[u64]) -> Vec<Overview> {
        let of = |(number, age): (usize, &u64)| Overview {
            id: SessionId::from_hash(u32::try_from(number).unwrap().to_be_bytes()),
            host: None,
            started: None,
            last_event: Some(Timestamp::from_millis(NOW.as_millis() - age * 60_000)),
            work: WorkId::FIRST,
            turn: 0,
            phase: Phase::default(),
            hold: Hold::default(),
            tool_calls: 0,
            denies: 0,
            asks: 0,
            counted_all: true,
            problem: None,
        };
        ages.iter().enumerate().map(of).collect()
    }

    fn n_expired(max_age_days: u64, max_sessions: usize, ages: &[u64]) -> usize {
        Retention { max_age_days, max_sessions, keep: None }.expired(&sessions(ages), NOW).len()
    }

    const DAY: u64 = 24 * 60;

    #[test]
    fn only_what_is_both_old_and_beyond_the_number_goes() {
        let ages = [1, DAY, 8 * DAY, 9 * DAY, 30 * DAY];
        assert_eq!(n_expired(7, 20, &ages), 0, "few sessions are kept, however old");
        assert_eq!(n_expired(7, 2, &ages), 3);
        assert_eq!(n_expired(7, 4, &ages), 1);
        assert_eq!(n_expired(7, 0, &ages), 3, "young sessions are kept, however many");
        assert_eq!(n_expired(365, 0, &ages), 0);
    }

    #[test]
    fn an_active_session_stays_whatever_the_settings_say() {
        assert_eq!(n_expired(0, 0, &[0, 30, 59, 61]), 1);
    }

    #[test]
    fn a_session_without_a_time_stays() {
        let mut all = sessions(&[30 * DAY]);
        all[0].last_event = None;
        assert!(Retention { max_age_days: 0, max_sessions: 0, keep: None }.expired(&all, NOW).is_empty());
    }

    #[test]
    fn sessions_are_kept_for_audits_as_long_as_the_settings_say() {
        let read = |text: &str| serde_json::from_str::<Retention>(text).unwrap();
        let ages = [1, 8 * DAY, 40 * DAY];
        let n_expired = |text: &str| read(text).expired(&sessions(&ages), NOW).len();
        assert_eq!(n_expired(r#"{"maxSessions": 0}"#), 2);
        assert_eq!(n_expired(r#"{"maxSessions": 0, "keep": 30}"#), 1);
        assert_eq!(n_expired(r#"{"maxSessions": 0, "keep": "forever"}"#), 0);
        let soon = read(r#"{"maxSessions": 1, "keep": 90}"#).next_expiry(&sessions(&ages)).unwrap();
        assert_eq!(soon.as_millis(), NOW.as_millis() + 50 * DAY_MS);
        assert_eq!(read(r#"{"maxSessions": 0, "keep": "forever"}"#).next_expiry(&sessions(&ages)), None);
        assert!(serde_json::from_str::<Retention>(r#"{"keep": "always"}"#).is_err());
    }
}
