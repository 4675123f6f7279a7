//! The session of an event, opened: its folder, its journal, its state.

use std::io;
use std::time::Duration;

use event::{AgentId, Event, EventName, LineKind, Phase, RunId, SessionId, TurnId, WorkId};
use host::Host;
use serde_json::{Map, Value};
use store::{
    Batch, Fingerprint, Journal, JournalLock, SessionDir, Workspace, WriteError, fingerprint, plain_file,
    write_atomic,
};

use crate::{
    Core, Emitted, Ids, JournalTail, LineWriter, ManualChangeError, RepeatKey, SessionFault, State,
    StateFault, record,
};

/// How long a run waits for the session's lock before it continues without it.
pub const LOCK_TIMEOUT: Duration = Duration::from_millis(20);

/// How much of a journal is folded into a lost state: as much as fits into a small part of any budget.
/// No module of a run needs older patches.
const FOLD_BYTES: u64 = 2 * 1024 * 1024;

/// How far the snapshot may lag behind the journal before a run rewrites it. Every run reads the lines in
/// between.
const MAX_LAG: u64 = JournalTail::BYTES;

/// A session, opened for one run.
#[derive(Debug)]
pub struct OpenSession {
    /// Its id.
    pub id: SessionId,
    /// Its folder.
    pub dir: SessionDir,
    /// Its journal; `None` if the disk does not permit one.
    pub journal: Option<Journal>,
    /// Its state when the run began.
    pub state: State,
    /// The state as it was read.
    state_on_disk: State,
    /// Whether the state file may be written.
    state_is_ours: bool,
    /// Whether no state file could be read.
    state_is_missing: bool,
    /// Whether the journal has patches that the snapshot lacks.
    snapshot_is_behind: bool,
    /// The ids of host and session, as a patch.
    identity: Map<String, Value>,
    /// Where the journal ended when it was opened.
    pub seen: u64,
    /// The end of the journal, if opening the session had to read it.
    pub tail: Option<String>,
}

impl OpenSession {
    /// Opens the event's session. Parts that cannot be opened fall back to defaults and are returned as faults.
    pub fn open(workspace: &Workspace, host: Host, event: &Event) -> (Self, Vec<SessionFault>) {
        let mut faults = Vec::new();
        let host_id = event.session.clone().unwrap_or_else(|| workspace.root().to_string());
        let hash = fingerprint([host.name().as_bytes(), host_id.as_bytes()]);
        let (id, dir, read) = find_folder(workspace, &hash, &host_id);
        let state_is_missing = !matches!(read, Ok(Some(_)));
        let (state, state_is_ours) = match read {
            Ok(state) => (state.unwrap_or_else(State::new), true),
            Err(StateReadFault::Unusable(fault @ StateFault::Newer(_))) => {
                faults.push(SessionFault::State(fault));
                (State::new(), false)
            }
            Err(StateReadFault::Unusable(fault)) => {
                faults.push(SessionFault::State(fault));
                (State::new(), true)
            }
            Err(StateReadFault::Unreadable(error)) => {
                faults.push(SessionFault::StateUnreadable(error));
                (State::new(), true)
            }
        };
        let journal = open_journal(workspace, &dir, &mut faults);
        let seen = journal.as_ref().map_or(0, |journal| journal.length_when_opened);
        let mut session = Self {
            id,
            dir,
            journal,
            state_on_disk: state.clone(),
            state,
            state_is_ours,
            state_is_missing,
            snapshot_is_behind: false,
            identity: identity(id, host, &host_id),
            seen,
            tail: None,
        };
        session.catch_up();
        (session, faults)
    }

    /// Opens an existing session without an event.
    pub fn existing(workspace: &Workspace, id: SessionId) -> Result<Self, ManualChangeError> {
        let dir = workspace.session(id);
        let read = read_state(&dir);
        let state_is_missing = !matches!(read, Ok(Some(_)));
        let state = match read {
            Ok(state) => state.unwrap_or_else(State::new),
            Err(StateReadFault::Unusable(fault @ StateFault::Newer(_))) => return Err(fault.into()),
            // The journal restores it.
            Err(_) => State::new(),
        };
        let journal = Journal::open(&dir.events_file())?;
        let seen = journal.length_when_opened;
        let mut session = Self {
            id,
            dir,
            journal: Some(journal),
            state_on_disk: state.clone(),
            state,
            state_is_ours: true,
            state_is_missing,
            snapshot_is_behind: false,
            identity: Map::new(),
            seen,
            tail: None,
        };
        session.catch_up();
        Ok(session)
    }

    /// Folds in the patches that the snapshot lacks: its last writer may have died before it wrote the
    /// snapshot, or the file is lost.
    fn catch_up(&mut self) {
        self.state.apply(&self.identity);
        let known = self.state.core.last_event_offset;
        // A journal that cannot be written can still be read.
        let readable = match &self.journal {
            None => Journal::open_to_read(&self.dir.events_file()).ok().flatten(),
            Some(_) => None,
        };
        if let Some(journal) = &readable {
            self.seen = journal.length_when_opened;
        }
        let journal = self.journal.as_ref().or(readable.as_ref()).filter(|_| known < self.seen);
        let Some(journal) = journal else { return };
        let start = known.min(self.seen.saturating_sub(JournalTail::BYTES));
        let start = start.max(self.seen.saturating_sub(FOLD_BYTES));
        let Ok(text) = journal.between(start, self.seen) else { return };
        let missed = usize::try_from(known.saturating_sub(start)).unwrap_or(0);
        self.snapshot_is_behind = fold(&mut self.state, text.get(missed..).unwrap_or(&text));
        self.tail = Some(JournalTail::end_of(text, start));
    }

    /// Reserves the number of a new turn, so that no other run gets the same. Two runs of one prompt, with the same
    /// `key`, share it.
    pub fn take_turn(&mut self, event: EventName, key: Option<&RepeatKey>, lock_timeout: Duration) -> TurnId {
        self.reserve(event, key, lock_timeout, |state, lines| {
            let reserved =
                key.zip(lines).and_then(|(key, lines)| key.turn_reserved_in(lines, store::now().as_millis()));
            let turn = reserved.unwrap_or_else(|| state.core.last_turn_id.saturating_add(1));
            (turn, patch_of_core([("lastTurnId", Value::from(turn))]))
        })
    }

    /// Returns our id for the host's agent and reserves a new one at its first event.
    pub fn agent(&mut self, event: &Event, lock_timeout: Duration) -> AgentId {
        let Some(agent) = &event.agent else { return AgentId::MAIN };
        let Some(host_id) = agent.id.as_ref().or(agent.kind.as_ref()) else { return AgentId::MAIN };
        let key = fingerprint([host_id.as_bytes()]).short();
        if let Some(known) = self.state.core.agent(&key) {
            return known;
        }
        self.reserve(event.name(), None, lock_timeout, |state, _| {
            let id = state.core.agent(&key).unwrap_or_else(|| state.core.next_agent());
            let agents = Map::from_iter([(key.clone(), Value::from(id.to_string()))]);
            (id, patch_of_core([("agents", Value::Object(agents))]))
        })
    }

    /// Returns whether the snapshot is missing, lacks a patch or is too far behind a journal that ends here.
    pub(crate) fn lags_at(&self, journal_end: u64) -> bool {
        self.state_is_missing
            || self.snapshot_is_behind
            || journal_end.saturating_sub(self.state_on_disk.core.last_event_offset) >= MAX_LAG
    }

    /// Reads the state and brings it up to date with the journal, which ends at `end`.
    pub(crate) fn fresh_state(&self, _held: &JournalLock<'_>, end: u64) -> State {
        let mut state = match read_state(&self.dir) {
            Ok(Some(state)) => state,
            _ => State::new(),
        };
        // Before the fold: the journal has the ids too, but redacted.
        state.apply(&self.identity);
        let start = state.core.last_event_offset.max(end.saturating_sub(FOLD_BYTES));
        if start < end {
            let missed = self.journal.as_ref().and_then(|journal| journal.between(start, end).ok());
            fold(&mut state, missed.as_deref().unwrap_or_default());
        }
        state
    }

    /// Writes the state if it differs from the one on disk.
    ///
    /// WHY not always: replacing a file makes ext4 flush its blocks at once, which takes longer than the rest of
    /// a run. The offset up to which the snapshot is current may therefore lag, and every run folds in the few
    /// lines after it.
    pub(crate) fn write_state(
        &self,
        _held: &JournalLock<'_>,
        state: &State,
        journal_end: u64,
    ) -> Result<(), WriteError> {
        if !self.state_is_ours || (!self.lags_at(journal_end) && is_same(state, &self.state_on_disk)) {
            return Ok(());
        }
        let mut state = state.clone();
        state.core.last_event_offset = journal_end;
        write_atomic(self.dir.state_file().as_path(), state.to_text().as_bytes())
    }

    /// Decides under the lock and appends the decision to the journal at once, where the next run reads it. `decide`
    /// gets the end of the journal if there is a key, and `None` if another run holds the lock for too long.
    ///
    /// WHY a longer timeout than for a record: a record out of order is still true, but a number that two runs
    /// share stays wrong. WHY not in the snapshot: replacing a file can take long on a busy disk while the other
    /// runs wait.
    pub(crate) fn reserve<T>(
        &mut self,
        event: EventName,
        key: Option<&RepeatKey>,
        lock_timeout: Duration,
        decide: impl FnOnce(&State, Option<&str>) -> (T, Map<String, Value>),
    ) -> T {
        let Some(held) = self.journal.as_ref().and_then(|journal| journal.lock(lock_timeout)) else {
            let (taken, patch) = decide(&self.state, None);
            self.state.apply(&patch);
            return taken;
        };
        let end = held.heal().unwrap_or(0);
        let mut state = self.fresh_state(&held, end);
        let start = end.saturating_sub(JournalTail::BYTES);
        let lines = key.zip(self.journal.as_ref()).and_then(|(_, journal)| journal.between(start, end).ok());
        let (taken, patch) = decide(&state, Some(&lines.unwrap_or_default()));
        state.apply(&patch);
        let turn = state.core.last_turn_id;
        let now = store::now();
        let ids = Ids {
            session: self.id,
            work: state.core.work(),
            agent: AgentId::MAIN,
            turn,
            run: RunId { event, turn, at_ms: now.as_millis() },
        };
        let key = key.map(|key| (RepeatKey::OF_TURN.to_owned(), Value::from(key.hash.as_str())));
        let patch = ("patch".to_owned(), Value::Object(patch));
        let data = Value::Object(key.into_iter().chain([patch]).collect());
        let mut line = Batch::default();
        let reserved = Emitted { kind: LineKind::Reserved.name().into(), data };
        LineWriter { ids, ts: now }.push_event(&mut line, None, reserved);
        // If the append fails, the decision is as good as one made without the lock.
        let _ = held.append_after(end, &line);
        drop(held);
        self.state = state;
        taken
    }
}

/// Returns the patch with the ids of host and session.
pub fn identity(id: SessionId, host: Host, host_id: &str) -> Map<String, Value> {
    patch_of_core([
        ("sessionId", Value::from(id.to_string())),
        ("hostSessionId", Value::from(host_id)),
        ("host", Value::from(host.name())),
    ])
}

/// Returns a patch of `core` alone.
pub fn patch_of_core<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    let core = fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    Map::from_iter([("core".to_owned(), Value::Object(core))])
}

/// Applies the patches in the lines of a journal; returns whether any line had one.
pub fn fold(state: &mut State, lines: &str) -> bool {
    let mut changed = false;
    // The patch is the last key of a line, so this rejects most lines without parsing them.
    for line in lines.lines().filter(|line| line.ends_with("}}}") && line.contains("\"patch\":")) {
        let Some(record) = record::of_dispatcher(line) else { continue };
        if let Some(Value::Object(patch)) = record.data.get("patch") {
            state.apply(patch);
            changed = true;
        }
    }
    changed
}

/// Returns the piece of work an event belongs to. A prompt after completed work starts the next one.
pub fn work_of(event: EventName, core: &Core) -> WorkId {
    let begins_work = starts_turn(event) && core.phase() == Phase::Complete;
    if begins_work { core.work().next() } else { core.work() }
}

/// Returns whether an event starts a new turn.
pub fn starts_turn(event: EventName) -> bool {
    event == EventName::UserPromptSubmit
}

fn is_same(state: &State, other: &State) -> bool {
    let mut state = state.clone();
    state.core.last_event_offset = other.core.last_event_offset;
    state == *other
}

/// Finds the session's folder. If its eight digits belong to another session, tries the next eight.
fn find_folder(
    workspace: &Workspace,
    hash: &Fingerprint,
    host_id: &str,
) -> (SessionId, SessionDir, Result<Option<State>, StateReadFault>) {
    let mut skip = 0;
    loop {
        let id = SessionId::from_hash(hash.word(skip));
        let dir = workspace.session(id);
        let read = read_state(&dir);
        let known = match &read {
            Ok(Some(state)) => state.core.host_session_id.as_deref(),
            _ => None,
        };
        if known.is_none_or(|known| known == host_id) || skip == 7 {
            return (id, dir, read);
        }
        skip += 1;
    }
}

enum StateReadFault {
    Unusable(StateFault),
    Unreadable(io::Error),
}

fn read_state(dir: &SessionDir) -> Result<Option<State>, StateReadFault> {
    match plain_file::read(dir.state_file().as_path()) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(StateReadFault::Unreadable(error)),
        Ok(bytes) => State::parse(&bytes).map(Some).map_err(StateReadFault::Unusable),
    }
}

fn open_journal(workspace: &Workspace, dir: &SessionDir, faults: &mut Vec<SessionFault>) -> Option<Journal> {
    if let Err(error) = workspace.check_way_to(dir.root()) {
        faults.push(SessionFault::Unwritable(error.to_string()));
        return None;
    }
    let path = dir.events_file();
    let opened = Journal::open(&path).or_else(|error| {
        // Only the first event of a session pays for its folder.
        if !error.is_absence() {
            return Err(SessionFault::Journal(error));
        }
        workspace.make_tmp_dir().map_err(|error| SessionFault::Unwritable(error.to_string()))?;
        Journal::create(&path).map_err(SessionFault::Journal)
    });
    opened.map_err(|fault| faults.push(fault)).ok()
}
