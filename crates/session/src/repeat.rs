//! Recognises an event that a host announces twice.
//!
//! A host that reads our registration from two of its settings files fires every hook twice, and some hosts
//! announce the same event again and again. The second run returns the first one's decision and records nothing.
//!
//! INVARIANT: only two announcements of one event share a key. Both have the same payload (seen on every host), so
//! the key contains what differs between an event and the next one of its kind: the host's id of the call, its
//! timestamp with no other event in between, or the length of its transcript. Copilot announces the start of a session
//! and its first prompt at once, and the calls of parallel subagents: there only the names of two registrations tell
//! that they announce the same event.
//!
//! Two events may agree even in these: Copilot gives equal calls of one message the same timestamp, and Claude Code
//! writes its transcript late. But each registration announces an event once, so a second announcement by the same
//! registration is a second event. Registrations name themselves on the command line (`--registration`).

use std::path::Path;

use event::{Decision, Detail, Event, TurnId};
use host::Host;
use store::{fingerprint, plain_file};

use crate::{RecordedDecision, RunRecord, record};

/// How long a host without timestamps may take to announce one event to both of its hooks.
const MOMENT_MS: u64 = 1000;

/// Identifies the repetitions of one event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepeatKey {
    /// A hash that both announcements share; the record's `callKey`.
    pub hash: String,
    /// The registration that made the announcement; `None` if it has no name, or if the hash is unique without it.
    pub registration: Option<String>,
    /// The length of the transcript, where it tells two events of one registration apart.
    ///
    /// WHY not in the hash: the host may write its transcript between two announcements of one event.
    pub transcript_length: Option<u64>,
    reach: Reach,
    /// Whether an equal announcement after a kept stop is the next stop, as far as the payload tells.
    may_be_next_stop: bool,
}

/// How far back the first announcement may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Anywhere: the hash is unique.
    Any,
    /// The event before this one: a host may give several events one timestamp. An announcement by another named
    /// registration may be further back, because a host announces events that happen at once in any order.
    Adjacent,
    /// Within [`MOMENT_MS`].
    Moment,
    /// In this turn, and it was not denied.
    Turn,
}

impl RepeatKey {
    /// The field of a `RESERVED` line with the key of the prompt that took the turn.
    pub(crate) const OF_TURN: &'static str = "turnKey";

    /// Returns the key of an event. Returns `None` if nothing tells a repetition of it from a second event.
    ///
    /// WHY by host: old releases of Qwen announce the prompt before every call of the model, and Gemini a
    /// compression, whether it compresses or not. Scripts that use `raw` may send any timestamp.
    pub fn of(event: &Event, host: Host, turn: TurnId, registration: Option<&str>) -> Option<Self> {
        let agent = event.agent.as_ref().and_then(|agent| agent.id.as_deref()).unwrap_or_default();
        // Claude Code runs a command once even if several of its settings files contain it. A subagent that was kept
        // going may end again in the same millisecond.
        let may_be_next_stop = match &event.detail {
            Detail::SubagentStop { .. } => true,
            Detail::Stop { .. } => host == Host::ClaudeCode,
            Detail::SessionStart { .. }
            | Detail::UserPromptSubmit { .. }
            | Detail::PreToolUse { .. }
            | Detail::PostToolUse { .. }
            | Detail::PreCompact { .. }
            | Detail::SubagentStart => false,
        };
        let key = |parts: &[&str], reach| {
            let name = event.name().as_str();
            let parts = [name, agent].into_iter().chain(parts.iter().copied());
            let counts = matches!(reach, Reach::Adjacent | Reach::Moment);
            Some(Self {
                hash: fingerprint(parts.map(str::as_bytes)).short(),
                registration: registration.filter(|_| counts).map(str::to_owned),
                transcript_length: None,
                reach,
                may_be_next_stop,
            })
        };
        let timestamp = event.timestamp.as_deref().filter(|_| host != Host::Raw);
        let prompt_id = event.prompt_id.as_deref();
        match (&event.detail, timestamp) {
            (Detail::PreToolUse { call } | Detail::PostToolUse { call, .. }, timestamp) => {
                let input = call.input.to_string();
                match (&call.id, timestamp) {
                    (Some(id), _) => key(&[id, &call.name, &input], Reach::Any),
                    (None, Some(timestamp)) => key(&[&call.name, &input, timestamp], Reach::Adjacent),
                    (None, None) => None,
                }
            }
            (Detail::UserPromptSubmit { prompt }, _) if host == Host::Qwen => {
                key(&[prompt, prompt_id.unwrap_or_default()], Reach::Turn)
            }
            (Detail::PreCompact { .. }, _) if host == Host::Gemini => key(&[&turn.to_string()], Reach::Any),
            (Detail::UserPromptSubmit { prompt }, Some(timestamp)) => {
                key(&[prompt, timestamp], Reach::Adjacent)
            }
            (Detail::UserPromptSubmit { prompt }, None) => {
                // A host may send several prompts of one turn, but hardly the same one.
                prompt_id.and_then(|id| key(&[prompt, id], Reach::Any))
            }
            (_, Some(timestamp)) => key(&[timestamp], Reach::Adjacent),
            (_, None) if host == Host::Raw => None,
            (Detail::SessionStart { source }, None) => {
                key(&[source.as_deref().unwrap_or_default()], Reach::Moment)
            }
            (Detail::SubagentStart, None) => (!agent.is_empty()).then(|| key(&[], Reach::Moment)).flatten(),
            (Detail::Stop { .. } | Detail::SubagentStop { .. } | Detail::PreCompact { .. }, None) => {
                let length = plain_file::length(Path::new(event.transcript.as_deref()?))?;
                let key = key(&[prompt_id.unwrap_or_default()], Reach::Moment)?;
                Some(Self { transcript_length: Some(length), ..key })
            }
        }
    }

    /// Finds the turn that the first announcement of a prompt reserved.
    pub(crate) fn turn_reserved_in(&self, lines: &str, now_ms: u64) -> Option<TurnId> {
        let needle = format!("\"{}\":\"{}\"", Self::OF_TURN, self.hash);
        let in_reach = |line: &&str| self.reach != Reach::Turn || !ends_turn(line);
        let mut reserved = lines.lines().rev().take_while(in_reach).filter(|line| line.contains(&needle));
        let reserved = reserved.find_map(record::of_dispatcher)?;
        if self.reach == Reach::Moment && now_ms.saturating_sub(reserved.ts) > MOMENT_MS {
            return None;
        }
        reserved.data.get("patch")?.get("core")?.get("lastTurnId")?.as_u64()
    }

    /// Finds the decision about the first announcement in the last lines of a journal.
    pub fn decision_in(&self, lines: &str, now_ms: u64) -> Option<Decision> {
        // The input of another call may contain the same bytes.
        let is_first = |run: &RunRecord| run.call_key.as_ref() == Some(&self.hash);
        let begins_with_key = RunRecord::begins_with_key(&self.hash);
        if self.reach == Reach::Adjacent {
            let candidates = lines.lines().rev().filter(|line| begins_with_key(line));
            let (_, run) = candidates.filter_map(RunRecord::of_line).find(|(_, run)| is_first(run))?;
            let is_last = || {
                let last = lines.lines().rev().find_map(RunRecord::of_line);
                last.is_some_and(|(_, last)| is_first(&last))
            };
            let is_repeated =
                !self.is_by_same_registration(&run) && (run.registration != self.registration || is_last());
            return is_repeated.then(|| run.verdict());
        }
        let in_reach = |line: &&str| self.reach != Reach::Turn || !ends_turn(line);
        let candidates = lines.lines().rev().take_while(in_reach).filter(|line| begins_with_key(line));
        let (ts, run) = candidates.filter_map(RunRecord::of_line).find(|(_, run)| is_first(run))?;
        let is_late = || now_ms.saturating_sub(ts) > MOMENT_MS;
        if self.reach == Reach::Moment && (is_late() || self.is_by_same_registration(&run)) {
            return None;
        }
        Some(run.verdict()).filter(|decision| self.reach != Reach::Turn || !decision.is_deny())
    }
}

impl RepeatKey {
    /// Returns whether the registration that made this announcement also made the one of an earlier record.
    /// Unnamed registrations may be two: then it is another event by all that the host tells.
    fn is_by_same_registration(&self, earlier: &RunRecord) -> bool {
        match (&self.registration, &earlier.registration) {
            (Some(ours), Some(theirs)) => ours == theirs,
            (None, None) => {
                let was_kept = earlier.decision == RecordedDecision::Deny;
                earlier.transcript_length != self.transcript_length || (self.may_be_next_stop && was_kept)
            }
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}

fn ends_turn(line: &str) -> bool {
    line.contains("\"hookRunId\":\"Stop-") && record::of_dispatcher(line).is_some()
}

/// Returns the decision about the last stop in the last lines of a journal.
pub fn last_stop(lines: &str) -> Option<Decision> {
    let (_, run) = lines.lines().rev().filter(|line| ends_turn(line)).find_map(RunRecord::of_line)?;
    Some(run.verdict())
}
