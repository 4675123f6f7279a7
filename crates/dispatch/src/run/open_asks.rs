//! The asks of a session that its journal calls open, and the one ask about a call that a host announces to two hooks.

use std::io;
use std::time::Instant;

use asks::{Ask, AskId, Outcome};
use event::{AbsPath, LineKind};
use serde_json::{Value, json};
use session::{ManualChange, ManualChangeError, OpenSession, RepeatKey};
use store::Journal;

use super::ask_run::{NAME, ask_data};
use super::event_run::EventRun;

/// How much of the end of a journal is searched. An ask that is further back ends with its time limit.
const JOURNAL_END: u64 = 1024 * 1024;

/// How long a hook that has recorded its ask may take until clients can connect.
const OPENS_WITHIN: std::time::Duration = std::time::Duration::from_secs(2);

/// Who waits for the answer to a call.
#[derive(Debug)]
pub(super) enum OpenedAsk {
    /// This hook.
    Here,
    /// Another hook, to which the host announced the same call.
    Elsewhere(AskId),
}

/// Returns the `ASK_OPENED` lines of asks that have no answer and were not closed.
pub(super) fn in_journal(session: &OpenSession) -> Vec<Value> {
    let journal = Journal::open_to_read(&session.dir.events_file()).ok().flatten();
    let Some(text) = journal.and_then(|journal| journal.tail(JOURNAL_END).ok()) else { return Vec::new() };
    let mut open: Vec<Value> = Vec::new();
    for line in text.lines().filter(|line| line.contains("\"type\":\"ASK_")) {
        let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
        if line["type"] == LineKind::AskOpened.name() {
            open.push(line);
        } else if line["type"] == LineKind::AskAnswered.name() || line["type"] == LineKind::AskClosed.name() {
            open.retain(|other| other["data"]["ask"] != line["data"]["ask"]);
        }
    }
    open
}

impl EventRun<'_> {
    /// Returns the key that two announcements of this call share.
    pub(super) fn repeat_key(&self) -> Option<String> {
        let registration = self.launch.registration.as_deref();
        RepeatKey::of(self.event, self.host, self.ids.turn, registration).map(|key| key.hash)
    }

    /// Records an ask, unless another hook waits for the answer to the same call.
    pub(super) fn open_ask(
        &self,
        ask: &Ask,
        repeat_key: Option<&str>,
    ) -> Result<OpenedAsk, ManualChangeError> {
        // Under the lock, so that of two hooks one asks.
        let change = ManualChange::begin(&self.session)?;
        let is_same = |line: &Value| repeat_key.is_some() && line["data"]["callKey"].as_str() == repeat_key;
        let open = in_journal(&self.session);
        let other = open.iter().rev().find(|line| is_same(line));
        if let Some(id) = other.and_then(|line| AskId::parse(line["data"]["ask"].as_str()?)) {
            return Ok(OpenedAsk::Elsewhere(id));
        }
        let mut data = ask_data(ask);
        data.extend(repeat_key.map(|key| ("callKey".to_owned(), Value::from(key))));
        change.note_about(self.ids.agent, NAME, LineKind::AskOpened, data)?;
        Ok(OpenedAsk::Here)
    }

    /// Waits with another hook for the answer. Returns `None` if that hook ends without one.
    pub(super) fn follow(
        &self,
        user_state: &AbsPath,
        ask: &AskId,
        until: Instant,
    ) -> Option<io::Result<Outcome>> {
        let answer = || asks::answer_to(&self.session.dir, user_state, ask).map(Outcome::Answered);
        let opens_until = until.min(Instant::now() + OPENS_WITHIN);
        loop {
            if asks::follow(user_state, ask, until) || answer().is_some() {
                break;
            }
            if Instant::now() >= opens_until {
                return None;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let is_late = Instant::now() >= until;
        answer().or(is_late.then_some(Outcome::TimedOut)).map(Ok)
    }

    /// Records once that a line of the journal reports an answer which no hook received.
    pub(super) fn report_forged(&self, ask: &str) {
        let what = format!("events.jsonl: the answer to ask `{ask}`");
        let text = Journal::open_to_read(&self.session.dir.events_file())
            .ok()
            .flatten()
            .and_then(|journal| journal.tail(JOURNAL_END).ok())
            .unwrap_or_default();
        let kind = format!("\"type\":\"{}\"", LineKind::Forged.name());
        let is_known = text.lines().filter(|line| line.contains(&kind)).any(|line| {
            serde_json::from_str::<Value>(line).is_ok_and(|line| line["data"]["what"] == what.as_str())
        });
        if is_known {
            return;
        }
        let why = "no hook received this answer from a person; another program wrote the line";
        let data = json!({"what": what, "why": why});
        if let Ok(change) = ManualChange::begin(&self.session) {
            let data = data.as_object().cloned().unwrap_or_default();
            let _ = change.note_about(self.ids.agent, NAME, LineKind::Forged, data);
        }
    }
}
