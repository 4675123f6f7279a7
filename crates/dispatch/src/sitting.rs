//! The session an event belongs to, opened: its folder, its journal, its state.

use std::io;
use std::time::Duration;

use event::{AgentId, Event, EventName, LineKind, Phase, RunId, SessionId, TurnId, WorkId};
use host::Host;
use serde_json::{Map, Value};
use store::{
    Batch, Fingerprint, Held, Journal, SessionDir, Workspace, WriteError, fingerprint, plain_file,
    write_atomic,
};

use crate::action::Emitted;
use crate::context::{Ids, Recent};
use crate::state::StateFault;
use crate::{ByHandError, Core, Fault, State, record};

/// How long a run waits for the session's lock before it goes on without.
pub(crate) const PATIENCE: Duration = Duration::from_millis(20);

/// How much of a journal is folded into a state that was lost: as much as fits into a small
/// part of any budget. What is older than this matters to nobody who waits for an answer.
const FOLD_BYTES: u64 = 2 * 1024 * 1024;

/// How far the snapshot may lag behind the journal before it is written again. Every run
/// looks at what lies in between.
const MAX_LAG: u64 = Recent::BYTES;

/// A session, opened for one run.
#[derive(Debug)]
pub(crate) struct Sitting {
    /// Which session.
    pub id: SessionId,
    /// Where it is kept.
    pub dir: SessionDir,
    /// Its journal; none if the disk does not let us.
    pub journal: Option<Journal>,
    /// Its state when the run began.
    pub state: State,
    /// The state as it was read.
    state_on_disk: State,
    /// Whether the state file may be written.
    state_is_ours: bool,
    /// Whether there is no state file that could be read.
    state_is_missing: bool,
    /// Whether the journal says something that the snapshot does not.
    snapshot_is_behind: bool,
    /// Whose session it is, as a patch.
    identity: Map<String, Value>,
    /// Where the journal ended when it was opened.
    pub seen: u64,
    /// The end of the journal, if it had to be read already.
    pub recent: Option<String>,
}

impl Sitting {
    /// Opens the session of an event. What cannot be opened is done without, and said.
    pub(crate) fn open(workspace: &Workspace, host: Host, event: &Event) -> (Self, Vec<Fault>) {
        let mut faults = Vec::new();
        let host_id = event.session.clone().unwrap_or_else(|| workspace.root().to_string());
        let hash = fingerprint([host.name().as_bytes(), host_id.as_bytes()]);
        let (id, dir, read) = find_folder(workspace, &hash, &host_id);
        let state_is_missing = !matches!(read, Ok(Some(_)));
        let (state, state_is_ours) = match read {
            Ok(state) => (state.unwrap_or_else(State::new), true),
            Err(StateReadFault::Unusable(fault @ StateFault::Newer(_))) => {
                faults.push(Fault::State(fault));
                (State::new(), false)
            }
            Err(StateReadFault::Unusable(fault)) => {
                faults.push(Fault::State(fault));
                (State::new(), true)
            }
            Err(StateReadFault::Unreadable(error)) => {
                faults.push(Fault::StateUnreadable(error));
                (State::new(), true)
            }
        };
        let journal = open_journal(workspace, &dir, &mut faults);
        let seen = journal.as_ref().map_or(0, |journal| journal.length_when_opened);
        let mut sitting = Self {
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
            recent: None,
        };
        sitting.catch_up();
        (sitting, faults)
    }

    /// Opens a session that is there already, without an event.
    pub(crate) fn of(workspace: &Workspace, id: SessionId) -> Result<Self, ByHandError> {
        let dir = workspace.session(id);
        let read = read_state(&dir);
        let state_is_missing = !matches!(read, Ok(Some(_)));
        let state = match read {
            Ok(state) => state.unwrap_or_else(State::new),
            Err(StateReadFault::Unusable(fault @ StateFault::Newer(_))) => return Err(fault.into()),
            // The journal brings it back.
            Err(_) => State::new(),
        };
        let journal = Journal::open(&dir.events_file())?;
        let seen = journal.length_when_opened;
        let mut sitting = Self {
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
            recent: None,
        };
        sitting.catch_up();
        Ok(sitting)
    }

    /// Folds in what the journal has beyond the snapshot, whose last writer may have died
    /// before it came to that, or which may be gone.
    fn catch_up(&mut self) {
        self.state.apply(&self.identity);
        let known = self.state.core.last_event_offset;
        let Some(journal) = self.journal.as_ref().filter(|_| known < self.seen) else { return };
        let start = known.min(self.seen.saturating_sub(Recent::BYTES));
        let start = start.max(self.seen.saturating_sub(FOLD_BYTES));
        let Ok(text) = journal.between(start, self.seen) else { return };
        let missed = usize::try_from(known.saturating_sub(start)).unwrap_or(0);
        self.snapshot_is_behind = fold(&mut self.state, text.get(missed..).unwrap_or(&text));
        self.recent = Some(Recent::end_of(text, start));
    }

    /// Takes the number of a new turn, so that no other run gets the same.
    pub(crate) fn take_turn(&mut self, event: EventName, patience: Duration) -> TurnId {
        self.reserve(event, patience, |state| {
            let turn = state.core.last_turn_id.saturating_add(1);
            (turn, patch_of_core([("lastTurnId", Value::from(turn))]))
        })
    }

    /// Returns our id for the host's agent, taking a new one at its first appearance.
    pub(crate) fn agent(&mut self, event: &Event, patience: Duration) -> AgentId {
        let Some(agent) = &event.agent else { return AgentId::MAIN };
        let Some(host_id) = agent.id.as_ref().or(agent.kind.as_ref()) else { return AgentId::MAIN };
        let key = fingerprint([host_id.as_bytes()]).short();
        if let Some(known) = self.state.core.agent(&key) {
            return known;
        }
        self.reserve(event.name(), patience, |state| {
            let id = state.core.agent(&key).unwrap_or_else(|| state.core.next_agent());
            let agents = Map::from_iter([(key.clone(), Value::from(id.to_string()))]);
            (id, patch_of_core([("agents", Value::Object(agents))]))
        })
    }

    /// Returns whether the snapshot is missing, lacks something or is too far behind a journal
    /// that ends here.
    pub(crate) fn lags_at(&self, journal_end: u64) -> bool {
        self.state_is_missing
            || self.snapshot_is_behind
            || journal_end.saturating_sub(self.state_on_disk.core.last_event_offset) >= MAX_LAG
    }

    /// Returns the state on disk brought up to date with the journal, which ends at `end`;
    /// needs the lock.
    pub(crate) fn fresh_state(&self, _held: &Held<'_>, end: u64) -> State {
        let mut state = match read_state(&self.dir) {
            Ok(Some(state)) => state,
            _ => State::new(),
        };
        // Before anything is folded in: the journal has the ids too, but without what looks
        // like a secret in them.
        state.apply(&self.identity);
        let start = state.core.last_event_offset.max(end.saturating_sub(FOLD_BYTES));
        if start < end {
            let missed = self.journal.as_ref().and_then(|journal| journal.between(start, end).ok());
            fold(&mut state, missed.as_deref().unwrap_or_default());
        }
        state
    }

    /// Writes the state if it says something new; needs the lock.
    ///
    /// WHY not always: replacing a file makes ext4 write its blocks out at once, which takes
    /// longer than everything else a run does. How far into the journal the snapshot is true
    /// is therefore allowed to lag, and the little in between is folded in when it is needed.
    pub(crate) fn keep_state(
        &self,
        _held: &Held<'_>,
        state: &State,
        journal_end: u64,
    ) -> Result<(), WriteError> {
        if !self.state_is_ours || (!self.lags_at(journal_end) && says_the_same(state, &self.state_on_disk)) {
            return Ok(());
        }
        let mut state = state.clone();
        state.core.last_event_offset = journal_end;
        write_atomic(self.dir.state_file().as_path(), state.to_text().as_bytes())
    }

    /// Decides something under the lock and puts it into the journal at once, where the next
    /// run that decides finds it.
    ///
    /// WHY with more patience than a record: a record out of turn is still true, but a
    /// number that was given twice stays wrong for good. WHY not into the snapshot: replacing a
    /// file can take long on a busy disk, and all the others wait.
    fn reserve<T>(
        &mut self,
        event: EventName,
        patience: Duration,
        decide: impl FnOnce(&State) -> (T, Map<String, Value>),
    ) -> T {
        let Some(held) = self.journal.as_ref().and_then(|journal| journal.lock(patience)) else {
            let (taken, patch) = decide(&self.state);
            self.state.apply(&patch);
            return taken;
        };
        let end = held.heal().unwrap_or(0);
        let mut state = self.fresh_state(&held, end);
        let (taken, patch) = decide(&state);
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
        let data = Value::Object(Map::from_iter([("patch".to_owned(), Value::Object(patch))]));
        let mut line = Batch::default();
        record::push_event(
            &mut line,
            &ids,
            now,
            None,
            Emitted { kind: LineKind::Reserved.name().into(), data },
        );
        // A failure to write leaves the decision as good as one made without the lock.
        let _ = held.append_after(end, &line);
        drop(held);
        self.state = state;
        taken
    }
}

/// Returns the patch that says whose session this is.
pub(crate) fn identity(id: SessionId, host: Host, host_id: &str) -> Map<String, Value> {
    patch_of_core([
        ("sessionId", Value::from(id.to_string())),
        ("hostSessionId", Value::from(host_id)),
        ("host", Value::from(host.name())),
    ])
}

/// Returns a patch of `core` alone.
pub(crate) fn patch_of_core<const N: usize>(fields: [(&str, Value); N]) -> Map<String, Value> {
    let core = fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    Map::from_iter([("core".to_owned(), Value::Object(core))])
}

/// Applies the patches that the lines of a journal carry; returns whether there was one.
pub(crate) fn fold(state: &mut State, lines: &str) -> bool {
    let mut changed = false;
    // The patch is the last thing in a line, so most lines need no second look.
    for line in lines.lines().filter(|line| line.ends_with("}}}") && line.contains("\"patch\":")) {
        let Some(data) = record::of_dispatcher(line) else { continue };
        if let Some(Value::Object(patch)) = data.get("patch") {
            state.apply(patch);
            changed = true;
        }
    }
    changed
}

/// Returns the piece of work an event belongs to. What was complete stays complete: the next
/// prompt is about something new.
pub(crate) fn work_of(event: EventName, core: &Core) -> WorkId {
    let begins_work = starts_turn(event) && core.phase() == Phase::Complete;
    if begins_work { core.work().next() } else { core.work() }
}

/// Returns whether an event starts a new turn.
pub(crate) fn starts_turn(event: EventName) -> bool {
    event == EventName::UserPromptSubmit
}

fn says_the_same(state: &State, other: &State) -> bool {
    let mut state = state.clone();
    state.core.last_event_offset = other.core.last_event_offset;
    state == *other
}

/// Finds the session's folder. Eight digits can clash; the next eight serve then.
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

fn open_journal(workspace: &Workspace, dir: &SessionDir, faults: &mut Vec<Fault>) -> Option<Journal> {
    if let Err(error) = workspace.check_way_to(dir.root()) {
        faults.push(Fault::Unwritable(error.to_string()));
        return None;
    }
    let path = dir.events_file();
    let opened = Journal::open(&path).or_else(|error| {
        // Only the first event of a session pays for its folder.
        if !error.is_absence() {
            return Err(Fault::Journal(error));
        }
        workspace.make_tmp_dir().map_err(|error| Fault::Unwritable(error.to_string()))?;
        Journal::create(&path).map_err(Fault::Journal)
    });
    opened.map_err(|fault| faults.push(fault)).ok()
}
