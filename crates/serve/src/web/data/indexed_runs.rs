//! Lines of runs that the index found, read from the journal.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};

use event::SessionId;
use session::history::parse;
use session::{EventRecord, RunRecord};

use super::super::Web;
use super::automations::has_history;
use crate::history::{History, RunPlace, SessionQuery, SessionTotals};

/// How many runs one page of a filtered session shows.
const SHOWN: usize = 50;
/// The shortest text that the index can find.
const SHORTEST: usize = 3;
/// The growth of the journal of a busy session within seconds.
const LAG: u64 = 256 * 1024;

/// The runs of a session that a filter finds, with the results of their calls.
#[derive(Debug)]
pub(super) struct FilteredRuns {
    /// The lines, in the order of the journal.
    pub(super) lines: Vec<EventRecord>,
    /// The offset before which more runs may match.
    pub(super) older: Option<u64>,
    /// How much of the journal the index covers.
    pub(super) covered: u64,
}

/// Finds the runs of a session by the index. Returns `None` if the index does not have the session, cannot be used, or
/// cannot look for so short a text.
pub(super) fn filtered(
    web: &Web,
    id: SessionId,
    text: &str,
    only_stopped: bool,
    before: Option<u64>,
) -> Option<FilteredRuns> {
    if !text.is_empty() && text.chars().count() < SHORTEST || text.is_empty() && !only_stopped {
        return None;
    }
    let history = index(web)?;
    let covered = history.session_totals(id).ok()??.offset;
    let query = SessionQuery { text: text.to_owned(), only_stopped, before, limit: SHOWN };
    let found = history.session_runs(id, &query).ok()?;
    let older = (found.len() == SHOWN).then(|| found.last().map(|place| place.start)).flatten();
    let mut journal = File::open(web.workspace.session(id).events_file().as_path()).ok()?;
    let mut places: BTreeSet<RunPlace> = found.into_iter().collect();
    // Beside the judgement of a call its result is shown, and the other way round.
    let mut partners = BTreeSet::new();
    for place in &places {
        let call =
            read(&mut journal, *place).ok()?.last().and_then(RunRecord::of).and_then(|it| it.tool_use_id);
        if let Some(call) = call {
            partners.extend(history.runs_of_call(id, &call).ok()?);
        }
    }
    places.extend(partners);
    let mut lines = Vec::new();
    for place in places {
        lines.extend(read(&mut journal, place).ok()?);
    }
    Some(FilteredRuns { lines, older, covered })
}

/// Returns the lines of the runs with this id. Returns `None` if the index does not have them.
pub(super) fn with_id(web: &Web, id: SessionId, run: &str) -> Option<Vec<EventRecord>> {
    let places = index(web)?.runs_with_id(id, run).ok().filter(|places| !places.is_empty())?;
    let mut journal = File::open(web.workspace.session(id).events_file().as_path()).ok()?;
    let mut lines = Vec::new();
    for place in places {
        lines.extend(read(&mut journal, place).ok()?);
    }
    lines.iter().any(|line| line.hook_run_id == run).then_some(lines)
}

/// Returns the numbers of a whole session. Returns `None` while the index lacks more than its last seconds.
pub(super) fn totals(web: &Web, id: SessionId) -> Option<SessionTotals> {
    let totals = index(web)?.session_totals(id).ok()??;
    let length = fs::metadata(web.workspace.session(id).events_file().as_path()).ok()?.len();
    (length.saturating_sub(totals.offset) < LAG).then_some(totals)
}

/// Opens the index. Returns `None` if it does not exist: creating it is the indexer's part.
fn index(web: &Web) -> Option<History> {
    has_history(web).then(|| History::open_as_it_is(&web.workspace).ok()).flatten()
}

fn read(journal: &mut File, place: RunPlace) -> io::Result<Vec<EventRecord>> {
    journal.seek(SeekFrom::Start(place.start))?;
    let mut bytes = Vec::new();
    journal.take(place.length).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).lines().filter_map(parse).collect())
}
