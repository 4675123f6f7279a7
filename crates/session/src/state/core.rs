//! The part of the state that decides: ids, turn, phase.

use std::collections::BTreeMap;

use event::{AgentId, Phase, TurnId, WorkId};
use serde::{Deserialize, Serialize};
use store::fingerprint;

use super::Hold;

/// Ids, turn and phase, with the contract's merge rules (§4.2).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Core {
    /// The session; set once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// The host's own id of the session; set once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_session_id: Option<String>,
    /// The host; set once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// When the session was first seen, in milliseconds; set once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_ts: Option<u64>,
    /// The piece of work; set if newer by turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work_id: Option<String>,
    /// The turn in which the piece of work began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work_turn: Option<u64>,
    /// The number of the last prompt; the largest wins.
    pub last_turn_id: u64,
    /// The phase; the furthest within a piece of work wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// Counts the times a person lifted a block in this piece of work; a larger one wins
    /// over any phase.
    #[serde(skip_serializing_if = "is_zero")]
    pub phase_revision: u64,
    /// The phase a block interrupted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked_from: Option<String>,
    /// The byte of the journal up to which this snapshot is current.
    pub last_event_offset: u64,
    /// Our short ids for the host's agents, by a hash of the host's id; each set once.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub agents: BTreeMap<String, String>,
    /// How often hooks kept each agent from stopping, by our id of the agent; the latest wins.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub kept_stops: BTreeMap<String, KeptStops>,
    /// The last order of a person to hold or release the session.
    #[serde(skip_serializing_if = "Hold::is_absent")]
    pub hold: Hold,
    /// The last turn that a person ended; the largest wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended_turn: Option<u64>,
}

/// How often hooks kept an agent from stopping in one turn.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct KeptStops {
    /// The turn.
    pub turn: u64,
    /// How often. One more than the limit after the limit let the agent stop.
    pub count: u64,
    /// A hash of the last reason, which some hosts announce as the next prompt.
    pub reason: String,
    /// The number of lines of that reason.
    #[serde(skip_serializing_if = "is_zero")]
    pub lines: u64,
}

/// How a prompt contains the reason for which a hook kept the main agent from stopping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptReason {
    /// It is nothing else, perhaps several times: a host joins the answers of several registrations.
    Whole,
    /// Among other lines: a host joins the answers of several hooks, and a user may quote it.
    Part,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Core {
    /// Returns the phase.
    pub fn phase(&self) -> Phase {
        self.phase.as_deref().and_then(Phase::from_contract).unwrap_or_default()
    }

    /// Returns the piece of work.
    pub fn work(&self) -> WorkId {
        self.work_id.as_deref().and_then(WorkId::parse).unwrap_or(WorkId::FIRST)
    }

    /// Returns our id for a host's agent; `None` if the agent is new.
    pub fn agent(&self, key: &str) -> Option<AgentId> {
        self.agents.get(key).and_then(|id| AgentId::parse(id))
    }

    /// Returns how often hooks kept an agent from stopping in a turn. Returns 0 for every other turn than its last,
    /// unless the host says that a hook kept the agent going (`kept_going`): then it is the same turn for the user.
    pub fn times_kept(&self, agent: AgentId, turn: TurnId, kept_going: bool) -> u64 {
        let kept = self.kept_stops.get(&agent.to_string());
        kept.filter(|kept| kept.turn == turn || kept_going).map_or(0, |kept| kept.count)
    }

    /// Returns how a prompt contains the reason for which a hook kept the main agent from stopping in this turn.
    /// Returns `None` if it does not.
    pub fn kept_reason_in(&self, prompt: &str, turn: TurnId) -> Option<KeptReason> {
        let kept = self.kept_stops.get(&AgentId::MAIN.to_string()).filter(|kept| kept.turn == turn)?;
        let lines = said_lines(prompt);
        let n_lines = usize::try_from(kept.lines).unwrap_or(0).max(1);
        let is_reason = |lines: &[&str]| hash_of_lines(lines) == kept.reason;
        if is_reason(&lines) || (!lines.is_empty() && lines.chunks(n_lines).all(is_reason)) {
            return Some(KeptReason::Whole);
        }
        lines.windows(n_lines).any(is_reason).then_some(KeptReason::Part)
    }

    /// Returns the id the next new agent gets.
    pub fn next_agent(&self) -> AgentId {
        let highest = self.agents.values().filter_map(|id| AgentId::parse(id)).map(AgentId::number).max();
        AgentId::sub(highest.unwrap_or(0) + 1)
    }

    /// Merges `patch`, each field by its own rule.
    pub(super) fn merge(&mut self, patch: &Self) {
        set_once(&mut self.session_id, patch.session_id.as_ref());
        set_once(&mut self.host_session_id, patch.host_session_id.as_ref());
        set_once(&mut self.host, patch.host.as_ref());
        set_once(&mut self.started_ts, patch.started_ts.as_ref());
        self.merge_work_and_phase(patch);
        self.last_turn_id = self.last_turn_id.max(patch.last_turn_id);
        self.last_event_offset = self.last_event_offset.max(patch.last_event_offset);
        for (key, id) in &patch.agents {
            self.agents.entry(key.clone()).or_insert_with(|| id.clone());
        }
        for (agent, kept) in &patch.kept_stops {
            let ours = self.kept_stops.entry(agent.clone()).or_default();
            if kept > ours {
                ours.clone_from(kept);
            }
        }
        self.hold.merge(&patch.hold);
        self.ended_turn = self.ended_turn.max(patch.ended_turn);
    }

    /// A later piece of work restarts its phases. Within one, a lifted block overrides any phase, and a later
    /// phase an earlier one.
    fn merge_work_and_phase(&mut self, patch: &Self) {
        let patch_work = patch.work_id.as_deref().and_then(WorkId::parse);
        match patch_work {
            Some(work) if work > self.work() || self.work_id.is_none() => {
                self.work_id = Some(work.to_string());
                self.work_turn = patch.work_turn;
                if work > WorkId::FIRST {
                    self.phase.clone_from(&patch.phase);
                    self.phase_revision = patch.phase_revision;
                    self.blocked_from.clone_from(&patch.blocked_from);
                    return;
                }
            }
            Some(work) if work < self.work() => return,
            _ => {}
        }
        let Some(phase) = patch.phase.as_deref().and_then(Phase::from_contract) else { return };
        let theirs = (patch.phase_revision, phase.ordinal());
        let ours = (self.phase_revision, self.phase().ordinal());
        if theirs > ours || self.phase.is_none() {
            self.phase = Some(phase.to_string());
            self.phase_revision = patch.phase_revision;
            self.blocked_from.clone_from(&patch.blocked_from);
        }
    }
}

fn set_once<T: Clone>(slot: &mut Option<T>, value: Option<&T>) {
    if slot.is_none() {
        *slot = value.cloned();
    }
}

/// Returns the hash under which [`KeptStops`] stores a reason, and the number of its lines.
pub fn reason_hash(reason: &str) -> (String, usize) {
    let lines = said_lines(reason);
    (hash_of_lines(&lines), lines.len())
}

/// Returns the lines without blanks around them and without empty ones, which hosts add and remove.
fn said_lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

fn hash_of_lines(lines: &[&str]) -> String {
    fingerprint(lines.iter().map(|line| line.as_bytes())).short()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_repeats_the_reason_of_a_kept_stop_alone_several_times_or_among_other_lines() {
        let (reason, n_lines) = reason_hash("Run the tests.\n\nThen stop.\n");
        let kept = KeptStops { turn: 3, count: 1, reason, lines: n_lines as u64 };
        let core =
            Core { kept_stops: BTreeMap::from([(AgentId::MAIN.to_string(), kept)]), ..Core::default() };
        let twice = "Run the tests.\nThen stop.\nRun the tests.\nThen stop.";
        for (prompt, turn, expected) in [
            ("Run the tests.\n\nThen stop.", 3, Some(KeptReason::Whole)),
            ("  Run the tests.\nThen stop.\n", 3, Some(KeptReason::Whole)),
            (twice, 3, Some(KeptReason::Whole)),
            ("Lint it.\nRun the tests.\nThen stop.", 3, Some(KeptReason::Part)),
            ("Run the tests.", 3, None),
            ("Then stop.\nRun the tests.", 3, None),
            ("", 3, None),
            (twice, 4, None),
        ] {
            assert_eq!(core.kept_reason_in(prompt, turn), expected, "{prompt:?} {turn}");
        }
        for (turn, kept_going, expected) in [(3, false, 1), (4, false, 0), (4, true, 1)] {
            assert_eq!(core.times_kept(AgentId::MAIN, turn, kept_going), expected);
        }
    }
}
