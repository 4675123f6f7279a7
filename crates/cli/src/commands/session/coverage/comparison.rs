//! Compares the calls in transcripts with those that hooks judged.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use event::EventName;
use host::{CallIdentity, Host, TranscriptCall};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use session::{RunRecord, history, recorded_input};
use store::SessionDir;

/// The calls of a session.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// Calls in the transcripts.
    pub(super) calls: u64,
    /// Those that no hook judged.
    pub(super) ungoverned: Vec<Ungoverned>,
    /// Calls in the journal.
    pub(super) n_judged: u64,
    /// Lines of the transcripts that are records.
    n_lines: u64,
    /// How far it read.
    pub(super) read: ReadUpTo,
}

/// A call that no hook judged.
#[derive(Debug)]
pub(super) struct Ungoverned {
    pub(super) time: Option<String>,
    pub(super) tool: String,
    pub(super) id: String,
    pub(super) cause: &'static str,
}

/// The calls that hooks judged.
#[derive(Debug, Default)]
struct Judged {
    ids: BTreeSet<String>,
    /// How many calls had an input, as the journal records it.
    inputs: BTreeMap<String, u64>,
    calls: u64,
}

impl Comparison {
    /// Returns how many calls hooks judged.
    pub(super) fn governed(&self) -> u64 {
        self.calls - self.ungoverned.len() as u64
    }
}

/// How far a comparison read.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ReadUpTo {
    /// The end of the last line of the journal.
    journal: u64,
    /// The end of the last line of each transcript.
    transcripts: BTreeMap<PathBuf, u64>,
}

/// Compares whole transcripts with the journal of a session. Returns why they prove nothing.
pub(super) fn of(host: Host, files: &[PathBuf], dir: &SessionDir) -> Result<Comparison, String> {
    let compared = since(host, files, dir, &ReadUpTo::default())?;
    if compared.n_lines == 0 || (compared.calls == 0 && compared.n_judged > 0) {
        return Err("its transcript is empty".to_owned());
    }
    Ok(compared)
}

/// Compares what transcripts and journal have gained since an earlier comparison. A call whose parts came before and after
/// it looks ungoverned here: only [`of`] tells.
///
/// Both are read line by line, so their length costs no memory.
pub(super) fn since(
    host: Host,
    files: &[PathBuf],
    dir: &SessionDir,
    from: &ReadUpTo,
) -> Result<Comparison, String> {
    let mut compared = Comparison::default();
    let mut judged = Judged::default();
    compared.read.journal = judged.add_journal(dir, from.journal)?;
    compared.n_judged = judged.calls;
    // A host may write a message again when it is complete.
    let mut seen = BTreeSet::new();
    let mut hooked = BTreeSet::new();
    let mut open: Vec<(TranscriptCall, bool)> = Vec::new();
    for file in files {
        let offset = from.transcripts.get(file).copied().unwrap_or_default();
        let end = history::each_line_after(file, offset, |line| {
            let Ok(line) = serde_json::from_slice::<Value>(line) else { return };
            compared.n_lines += 1;
            hooked.extend(host::hooked_calls(&line));
            for call in host::transcript_calls(host, &line) {
                if seen.insert((file, call.id.clone())) {
                    compared.calls += 1;
                    if !judged.take(host, &call) {
                        open.push((call, is_of_subagent(file)));
                    }
                }
            }
        });
        let end = end.map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        compared.read.transcripts.insert(file.clone(), end);
    }
    for (call, is_of_subagent) in open {
        // The host's own proof that a hook saw the call, under another spelling of tool and input.
        if hooked.contains(&call.id) && judged.take_any() {
            continue;
        }
        let cause = match host::why_unhooked(host, &call.tool) {
            Some(why) => why,
            None if compared.n_judged == 0 => {
                "no hook of this session ran: not registered, not trusted, or switched off"
            }
            None if is_of_subagent => "a call of a subagent, whose hooks did not run",
            None => "cause unknown: the hook did not run or timed out",
        };
        compared.ungoverned.push(Ungoverned { time: call.time, tool: call.tool, id: call.id, cause });
    }
    Ok(compared)
}

fn is_of_subagent(file: &std::path::Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.starts_with("agent-") || file.components().any(|part| part.as_os_str() == "subagents")
}

impl Judged {
    /// Adds the calls in a journal behind an offset. Returns its end.
    fn add_journal(&mut self, dir: &SessionDir, offset: u64) -> Result<u64, String> {
        let end = history::each_line_after(dir.events_file().as_path(), offset, |line| {
            let line = String::from_utf8_lossy(line);
            if let Some(record) = history::parse(&line).as_ref().and_then(RunRecord::of)
                && record.is_of(EventName::PreToolUse)
            {
                self.calls += 1;
                self.ids.extend(record.tool_use_id);
                if let Some(input) = record.input {
                    *self.inputs.entry(input.to_string()).or_default() += 1;
                }
            }
        });
        end.map_err(|error| format!("cannot read the journal: {error}"))
    }

    /// Takes the call out; returns whether it was in.
    fn take(&mut self, host: Host, call: &TranscriptCall) -> bool {
        if host::call_identity(host) == CallIdentity::Id {
            return self.ids.remove(&call.id);
        }
        let input = redact::value(&recorded_input::of(&call.input).value).to_text();
        let input: Value = serde_json::from_str(input.as_str()).unwrap_or_default();
        match self.inputs.get_mut(&input.to_string()) {
            Some(count) if *count > 0 => {
                *count -= 1;
                true
            }
            _ => false,
        }
    }

    fn take_any(&mut self) -> bool {
        let Some(count) = self.inputs.values_mut().find(|count| **count > 0) else { return false };
        *count -= 1;
        true
    }
}
