//! A person's order that a session stops: held, held after a few more calls, or its turn ended.
//!
//! INVARIANT: an order holds whatever the modules decide, and no setting of the project switches it off.

use std::time::Duration;

use event::{AbsPath, ContextNote, Decision, Event, EventName, TurnId};
use session::{HoldRuling, OpenSession, RepeatKey};
use store::{HoldOfAll, Workspace};

use crate::loop_breaker::HELD_BY_LOOP;
use crate::merged_verdict::MergedVerdict;

/// The name under which the record of a run lists the decision.
const DECIDED_BY: &str = "hold";

/// An order that concerns an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PersonOrder {
    /// Every call is denied until a person releases the session.
    Held {
        /// The person's reason.
        reason: Option<String>,
    },
    /// A few more calls pass.
    Leashed {
        /// How many after this one.
        calls_left: u64,
    },
    /// Every call is denied until the next prompt.
    TurnEnded,
}

impl PersonOrder {
    /// The order without a reason.
    pub(crate) const HELD: Self = Self::Held { reason: None };

    /// Returns whether a person holds a session of the workspace, for a call whose session is unknown.
    pub(crate) fn holds_any(workspace: &Workspace, user_state: Option<&AbsPath>) -> bool {
        let has_record =
            |id| user_state.is_some_and(|state| HoldOfAll::load_one(workspace, id, state).is_some());
        user_state.is_some_and(|state| HoldOfAll::load(workspace, state).is_some())
            || session::history::overviews(workspace)
                .is_ok_and(|all| all.iter().any(|it| it.hold.is_in_force() || has_record(it.id)))
    }

    /// Returns the order in force for an event. A call that a leash lets pass is recorded at once.
    pub(crate) fn about(
        event: &Event,
        turn: TurnId,
        key: impl FnOnce() -> Option<RepeatKey>,
        session: &mut OpenSession,
        (workspace, user_state): (&Workspace, Option<&AbsPath>),
        lock_timeout: Duration,
    ) -> Option<Self> {
        let is_call = event.name() == EventName::PreToolUse;
        let mut record = None;
        if is_call && let Some(user_state) = user_state {
            record = HoldOfAll::load_one(workspace, session.id, user_state);
            if let Some(record) = &record {
                session.obey_hold(record);
            }
            if let Some(of_all) = HoldOfAll::load(workspace, user_state) {
                session.adopt_hold(&of_all);
            }
        }
        let core = &session.state.core;
        if core.ended_turn.is_some_and(|ended| turn <= ended) {
            return Some(Self::TurnEnded);
        }
        if !core.hold.is_in_force() {
            return None;
        }
        let held = Self::Held { reason: core.hold.reason.clone() };
        if !is_call {
            return (core.hold.calls_left() == 0).then_some(held);
        }
        // Without a key nothing tells two announcements of one call apart from two calls.
        let unique = || format!("{}-{}", store::now().as_millis(), std::process::id());
        let key = key().map_or_else(unique, |key| key.hash);
        let ruling = session.pass_hold(event.name(), &key, record.is_some(), lock_timeout);
        let calls_left = session.state.core.hold.calls_left();
        // The calls that passed are counted in the journal; that there are no more is not left to it.
        if let (Some(record), 0, Some(user_state)) =
            (record.filter(|it| it.after > 0), calls_left, user_state)
        {
            let spent = HoldOfAll::new(record.ts, 0, record.reason.as_deref());
            let _ = spent.save_one(workspace, session.id, user_state);
        }
        Some(match ruling {
            HoldRuling::Passed | HoldRuling::Passes => Self::Leashed { calls_left },
            HoldRuling::Denied => held,
        })
    }

    /// Returns the denial of a call that is not judged in time. Returns `None` if the order lets it pass.
    pub(crate) fn denial(&self, event: EventName) -> Option<(Decision, &'static str)> {
        let is_stopped = event == EventName::PreToolUse && !matches!(self, Self::Leashed { .. });
        is_stopped.then(|| (Decision::Deny { reason: self.reason() }, DECIDED_BY))
    }

    /// Makes the verdict obey the order.
    pub(crate) fn apply(&self, event: EventName, merged: &mut MergedVerdict) {
        let verdict = &mut merged.verdict;
        match (self, event) {
            (Self::Leashed { calls_left }, EventName::PreToolUse) => {
                let value = match calls_left {
                    0 => "A person holds this session after this call. End your turn with it.".to_owned(),
                    1 => "A person lets one more call pass before this session is held.".to_owned(),
                    n => format!("A person lets {n} more calls pass before this session is held."),
                };
                verdict.context.push(ContextNote { key: DECIDED_BY.to_owned(), value });
            }
            (Self::Held { .. } | Self::TurnEnded, EventName::PreToolUse) => {
                verdict.decision = Decision::Deny { reason: self.reason() };
                verdict.rewrite = None;
                merged.decided_by = Some(DECIDED_BY.to_owned());
                if *self == Self::TurnEnded {
                    verdict.end_turn = Some(ENDED.to_owned());
                }
            }
            (Self::TurnEnded, EventName::PostToolUse) => verdict.end_turn = Some(ENDED.to_owned()),
            (Self::Held { .. }, EventName::SessionStart | EventName::UserPromptSubmit) => {
                verdict.warnings.push(
                    "this session is held: every tool call is denied until you run `steersman release`"
                        .to_owned(),
                );
            }
            _ => {}
        }
    }

    fn reason(&self) -> String {
        match self {
            Self::Held { reason: Some(reason) } if reason.starts_with(HELD_BY_LOOP) => {
                let reason = &reason[HELD_BY_LOOP.len()..];
                format!("steersman holds this session, because {reason}. {NO_MORE}")
            }
            Self::Held { reason: Some(reason) } => {
                format!("A person holds this session: {reason}. {NO_MORE}")
            }
            Self::Held { reason: None } | Self::Leashed { .. } => {
                format!("A person holds this session. {NO_MORE}")
            }
            Self::TurnEnded => format!("{ENDED}. {NO_MORE}"),
        }
    }
}

const ENDED: &str = "A person ended this turn";

const NO_MORE: &str =
    "No tool call passes now, in whatever form. End your turn and tell the user what you were about to do.";
