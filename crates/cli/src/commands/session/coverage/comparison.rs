//! Compares the calls in transcripts with those that hooks judged.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::path::PathBuf;

use host::{CallIdentity, Host, TranscriptCall};
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

/// Compares transcripts with the journal of a session. Returns why they prove nothing.
///
/// Transcripts are read line by line, so their length costs no memory.
pub(super) fn of(host: Host, files: &[PathBuf], dir: &SessionDir) -> Result<Comparison, String> {
    let mut judged = judged(dir)?;
    let has_judged = judged.calls > 0;
    let mut compared = Comparison::default();
    // A host may write a message again when it is complete.
    let mut seen = BTreeSet::new();
    let mut hooked = BTreeSet::new();
    let mut open: Vec<(TranscriptCall, bool)> = Vec::new();
    let mut n_lines = 0;
    for (index, file) in files.iter().enumerate() {
        let failed = |error: std::io::Error| format!("cannot read {}: {error}", file.display());
        let lines = BufReader::new(File::open(file).map_err(failed)?).split(b'\n');
        for line in lines {
            let line = line.map_err(failed)?;
            // The last line may not be complete yet.
            let Ok(line) = serde_json::from_slice::<Value>(&line) else { continue };
            n_lines += 1;
            hooked.extend(host::hooked_calls(&line));
            for call in host::transcript_calls(host, &line) {
                if seen.insert((index, call.id.clone())) {
                    compared.calls += 1;
                    if !judged.take(host, &call) {
                        open.push((call, is_of_subagent(file)));
                    }
                }
            }
        }
    }
    if n_lines == 0 || (compared.calls == 0 && has_judged) {
        return Err("its transcript is empty".to_owned());
    }
    for (call, is_of_subagent) in open {
        // The host's own proof that a hook saw the call, under another spelling of tool and input.
        if hooked.contains(&call.id) && judged.take_any() {
            continue;
        }
        let cause = match host::why_unhooked(host, &call.tool) {
            Some(why) => why,
            None if !has_judged => {
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

fn judged(dir: &SessionDir) -> Result<Judged, String> {
    let mut judged = Judged::default();
    history::each_line(&dir.events_file(), |line| {
        if let Some(record) = history::parse(line).as_ref().and_then(RunRecord::of)
            && record.event == "PreToolUse"
        {
            judged.calls += 1;
            judged.ids.extend(record.tool_use_id);
            if let Some(input) = record.input {
                *judged.inputs.entry(input.to_string()).or_default() += 1;
            }
        }
        ControlFlow::<()>::Continue(())
    })
    .map_err(|error| format!("cannot read the journal: {error}"))?;
    Ok(judged)
}

impl Judged {
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
