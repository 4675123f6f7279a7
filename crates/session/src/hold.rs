//! Holding a session: a person denies every further call of an agent, at once or after a few more, until they release
//! the session; or ends the agent's turn.
//!
//! An order is a file in the user's state folder ([`HoldOfAll`]), about all sessions, also those that start later, or about
//! one. Each session adopts it at its next call. An order about one session is a change of its state as well, for people
//! to see: the journal in the workspace can be edited by any program, so it cannot release a session.

use std::time::Duration;

use event::{AbsPath, EventName, LineKind, SessionId, TurnId};
use serde_json::{Map, Value};
use store::{HoldOfAll, Workspace};

use crate::{Hold, HoldRuling, ManualChange, ManualChangeError, OpenSession, patch_of_core};

/// How many calls a leash may let pass at most: the state lists each of them.
pub const MAX_CALLS: u64 = 1000;

/// Denies every further call of a session, after `after` more.
pub fn hold(
    (workspace, user_state): (&Workspace, Option<&AbsPath>),
    id: SessionId,
    after: u64,
    reason: Option<&str>,
) -> Result<(), ManualChangeError> {
    let order = Hold {
        ts: store::now().as_millis(),
        after: after.min(MAX_CALLS),
        reason: reason.map(str::to_owned),
        ..Hold::default()
    };
    let data = Map::from_iter([
        ("after".to_owned(), Value::from(order.after)),
        ("reason".to_owned(), Value::from(reason)),
    ]);
    give(workspace, id, "hold", LineKind::Held, data, &order)?;
    let Some(user_state) = user_state else { return Ok(()) };
    let record = HoldOfAll::new(order.ts, order.after, reason);
    let saved = record.save_one(workspace, id, user_state);
    saved.map_err(|error| ManualChangeError::Unwritable(std::io::Error::other(error)))
}

/// Releases a session. Returns whether it was held.
pub fn release(
    (workspace, user_state): (&Workspace, Option<&AbsPath>),
    id: SessionId,
) -> Result<bool, ManualChangeError> {
    let was_held = OpenSession::existing(workspace, id)?.state.core.hold.is_in_force();
    let order = Hold { ts: store::now().as_millis(), released: true, ..Hold::default() };
    give(workspace, id, "release", LineKind::Released, Map::new(), &order)?;
    let removed = user_state.map(|state| HoldOfAll::remove_one(workspace, id, state));
    let had_record = removed.transpose().map_err(ManualChangeError::Unwritable)?;
    Ok(was_held || had_record == Some(true))
}

/// Ends the present turn of a session: its calls are denied until the next prompt, and the agent is stopped where the
/// host can.
pub fn end_turn(
    workspace: &Workspace,
    id: SessionId,
    reason: Option<&str>,
) -> Result<TurnId, ManualChangeError> {
    let open = OpenSession::existing(workspace, id)?;
    let change = ManualChange::begin(&open)?;
    let turn = change.state.core.last_turn_id;
    let data =
        Map::from_iter([("turn".to_owned(), Value::from(turn)), ("reason".to_owned(), Value::from(reason))]);
    // Turn 0 is a session whose first prompt no hook saw.
    change.change("stop", LineKind::TurnEnded, data, &patch_of_core([("endedTurn", Value::from(turn))]))?;
    Ok(turn)
}

fn give(
    workspace: &Workspace,
    id: SessionId,
    command: &str,
    kind: LineKind,
    data: Map<String, Value>,
    order: &Hold,
) -> Result<(), ManualChangeError> {
    let open = OpenSession::existing(workspace, id)?;
    ManualChange::begin(&open)?.change(command, kind, data, &patch_of(order))
}

fn patch_of(order: &Hold) -> Map<String, Value> {
    patch_of_core([("hold", serde_json::to_value(order).unwrap_or_default())])
}

impl OpenSession {
    /// Makes a later order about all sessions the order about this one.
    pub fn adopt_hold(&mut self, of_all: &HoldOfAll) {
        if of_all.ts > self.state.core.hold.ts {
            let order =
                Hold { ts: of_all.ts, after: of_all.after, reason: of_all.reason.clone(), ..Hold::default() };
            self.state.apply(&patch_of(&order));
        }
    }

    /// Makes the order about this session in the user's state folder the one in force, whatever the journal says.
    pub fn obey_hold(&mut self, record: &HoldOfAll) {
        let known = &mut self.state.core.hold;
        if known.ts != record.ts || known.released {
            *known = Hold { ts: record.ts, reason: record.reason.clone(), ..Hold::default() };
        }
        known.after = record.after;
    }

    /// Decides whether a call passes in a held session, and records it under the journal's lock if it is one of those
    /// that may still pass: of several calls at once no more pass than may. If the order `is_recorded` in the user's
    /// state folder, no line of the journal releases the session.
    pub fn pass_hold(
        &mut self,
        event: EventName,
        key: &str,
        is_recorded: bool,
        lock_timeout: Duration,
    ) -> HoldRuling {
        let order = self.state.core.hold.clone();
        match order.rule(key) {
            HoldRuling::Passes => {}
            decided => return decided,
        }
        self.reserve(event, None, lock_timeout, |state, under_lock| {
            // Calls that nothing counts would pass without end.
            if under_lock.is_none() {
                return (HoldRuling::Denied, Map::new());
            }
            // The journal may not know an order about all sessions yet.
            let mut current = if is_recorded || state.core.hold.ts < order.ts {
                order.clone()
            } else {
                state.core.hold.clone()
            };
            if state.core.hold.ts == current.ts {
                let passed = state.core.hold.passed.iter();
                current.passed.extend(passed.map(|(key, passed)| (key.clone(), *passed)));
            }
            let ruling = if current.is_in_force() { current.rule(key) } else { HoldRuling::Passed };
            let mut patch = Map::new();
            if ruling == HoldRuling::Passes {
                let passed = std::iter::once((key.to_owned(), true)).collect();
                patch = patch_of(&Hold { passed, ..current.clone() });
            }
            (ruling, patch)
        })
    }
}
