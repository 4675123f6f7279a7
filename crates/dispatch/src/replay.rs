//! Judges the recorded events of a session again, under the current manifest or another one.
//!
//! Each event is judged in the state that the recorded patches give, not in the one that the replay's own decisions
//! would give. Modules read the project's files as they are now.
//!
//! INVARIANT: a replay writes nothing.

use std::ops::ControlFlow;

use event::{AbsPath, AgentId, EventName, RunId, SessionId, WorkId};
use modules::Module;
use project_config::{Config, Manifest};
use session::history::{self, NotReplayable, Run, RunCollector};
use session::{Ids, JournalTail, PromptRecord, RecordedDecision, RunRecord, State, fold, recorded_input};
use store::{JournalError, SessionDir, Workspace};

use crate::rejudge::{Permission, Rejudge, Rejudged, rejudge};

/// A session and the inputs of its judgement.
#[derive(Clone, Copy)]
pub struct Replay<'a> {
    /// The modules of this build.
    pub modules: &'a [&'a dyn Module],
    /// The workspace of the session.
    pub workspace: &'a Workspace,
    /// The user's state folder, which lists the trusted workspaces; scripts of others do not run.
    pub user_state: Option<&'a AbsPath>,
    /// The user's home.
    pub home: Option<&'a AbsPath>,
    /// The manifest.
    pub manifest: &'a Manifest,
    /// Each module's own settings.
    pub config: &'a Config,
    /// The session's id.
    pub session: SessionId,
}

/// One run, judged again.
#[derive(Debug)]
pub struct Replayed {
    /// The run as it was recorded.
    pub run: Run,
    /// The new verdict.
    pub now: Result<Rejudged, NotReplayable>,
}

/// How the new verdict compares with the recorded one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// The same decision for the same reason.
    Same,
    /// The same decision, but another module or another wording.
    OtherReason,
    /// Another decision, or the tool would run with another input.
    Different,
}

impl Replay<'_> {
    /// Judges every run of the session and passes it to `each`, in the order of the journal, until `each` breaks.
    pub fn run(&self, mut each: impl FnMut(Replayed) -> ControlFlow<()>) -> Result<(), JournalError> {
        let dir = self.workspace.session(self.session);
        let prompts = history::prompts(&dir).unwrap_or_default();
        let journal = store::read_lines(&dir.events_file(), 0)?;
        let mut state = State::new();
        let mut gather = RunCollector::default();
        let (mut folded, mut run_start, mut line_end) = (0, 0, 0);
        for text in journal.split_inclusive('\n') {
            let line_start = line_end;
            line_end += text.len();
            let Some(line) = history::parse(text) else { continue };
            if gather.begins_with(&line) {
                fold(&mut state, &journal[folded..line_start]);
                (folded, run_start) = (line_start, line_start);
            }
            let Some(run) = gather.add(line) else { continue };
            let recent = recent_lines(&journal[..run_start]);
            let prompt = run.lines.first().and_then(|line| prompts.get(&line.turn_id));
            let now = self.judge(&dir, &run, prompt, &state, recent);
            if each(Replayed { run, now }).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn judge(
        &self,
        session: &SessionDir,
        run: &Run,
        prompt: Option<&PromptRecord>,
        state: &State,
        recent: &str,
    ) -> Result<Rejudged, NotReplayable> {
        let event = history::recorded_event(run, prompt)?;
        let record = run.record.as_ref().ok_or(NotReplayable::CutShort)?;
        let target = record.target().ok_or(NotReplayable::Incomplete)?;
        let ids = self.ids(run).ok_or(NotReplayable::Incomplete)?;
        let mut state = state.clone();
        if event.name() == EventName::UserPromptSubmit {
            // The turn is taken before the modules see the prompt.
            state.core.last_turn_id = state.core.last_turn_id.max(ids.turn);
        }
        Ok(rejudge(&Rejudge {
            modules: self.modules,
            workspace: self.workspace,
            user_state: self.user_state,
            home: self.home,
            running_agent: record.running_agent.as_deref(),
            manifest: self.manifest,
            config: self.config,
            target: &target,
            event: &event,
            ids,
            session,
            state: &state,
            journal_tail: recent,
            permission: if record.was_permitted() { Permission::Once } else { Permission::None },
        }))
    }

    fn ids(&self, run: &Run) -> Option<Ids> {
        let line = run.lines.last()?;
        Some(Ids {
            session: self.session,
            work: WorkId::parse(&line.work_id)?,
            agent: AgentId::parse(&line.agent_id)?,
            turn: line.turn_id,
            run: RunId::parse(&line.hook_run_id)?,
        })
    }
}

impl Rejudged {
    /// Compares the verdict with a record. A record is redacted and cut, so the verdict is first turned into one.
    pub fn compare(&self, record: &RunRecord) -> Comparison {
        let verdict = &self.verdict;
        let rewrite = verdict.rewrite.clone().map(serde_json::Value::Object);
        let rewrite = rewrite.map(|input| recorded(&recorded_input::of(&input).value));
        if RecordedDecision::from(&verdict.decision) != record.decision || rewrite != record.rewrite {
            return Comparison::Different;
        }
        let reason = verdict.decision.reason().map(|reason| recorded(&reason.into()));
        let same_reason = reason == record.reason.as_deref().map(serde_json::Value::from);
        if same_reason && self.decided_by == record.module {
            Comparison::Same
        } else {
            Comparison::OtherReason
        }
    }
}

fn recorded(value: &serde_json::Value) -> serde_json::Value {
    let text = redact::value(value).to_text();
    serde_json::from_str(text.as_str()).unwrap_or_default()
}

/// Returns the end of the journal that a run at this point would read.
fn recent_lines(before: &str) -> &str {
    let at_most = usize::try_from(JournalTail::BYTES).unwrap_or(usize::MAX);
    if before.len() <= at_most {
        return before;
    }
    let bytes = &before.as_bytes()[before.len() - at_most..];
    let first_whole = bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1);
    // A line break is never part of a longer character.
    &before[before.len() - at_most + first_whole..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_saw_of_the_journal_begins_with_a_whole_line() {
        let line = format!("{}é\n", "x".repeat(1000));
        let journal = line.repeat(100);
        let recent = recent_lines(&journal);
        assert!(recent.len() as u64 <= JournalTail::BYTES && recent.len() as u64 > JournalTail::BYTES - 2000);
        assert!(recent.starts_with("xxx") && recent.len().is_multiple_of(line.len()));
        assert_eq!(recent_lines("short\n"), "short\n");
    }
}
