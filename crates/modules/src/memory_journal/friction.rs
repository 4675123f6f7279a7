//! Reads the calls that were denied or asked about since the last read of the journal.

use event::AbsPath;
use serde_json::{Map, Value};
use session::Subject;
use session::{EventRecord, history};
use store::read_lines;

use super::{entry, harvested_to};
use crate::Context;
use memory::{Experience, ExperienceKind};

/// How much of the journal's end is read. A turn is shorter.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// Returns the frictions since the last read, and the patch with the new position.
pub(super) fn harvest(context: &Context<'_>) -> (Vec<Experience>, Map<String, Value>) {
    let path = context.session.events_file();
    let end = std::fs::metadata(path.as_path()).map_or(0, |meta| meta.len());
    let from = context.state.memory.get("harvestedTo").and_then(Value::as_u64).unwrap_or(0);
    if from >= end {
        return (Vec::new(), Map::new());
    }
    let lines = read_lines(&path, from.max(end.saturating_sub(MOST_BYTES))).unwrap_or_default();
    let decided = lines.lines().filter(|line| history::head(line).contains("\"type\":\"TOOL_DECISION\""));
    let frictions = decided
        .filter(|line| line.contains("\"decision\":\"deny\"") || line.contains("\"decision\":\"ask\""))
        .filter_map(history::parse)
        .filter_map(|line| friction(context, &line));
    (frictions.collect(), harvested_to(end))
}

fn friction(context: &Context<'_>, line: &EventRecord) -> Option<Experience> {
    let word = |key: &str| line.data.get(key).and_then(Value::as_str);
    let objected = matches!(word("decision"), Some("deny" | "ask"));
    if !objected || line.module.as_deref() != Some("session") {
        return None;
    }
    let Subject { tool, text: subject } = subject(context.workspace.root(), line);
    Some(Experience {
        ts: line.ts,
        hook_run_id: line.hook_run_id.clone(),
        work_id: line.work_id.clone(),
        agent_id: line.agent_id.clone(),
        turn_id: line.turn_id,
        tool,
        subject,
        text: word("reason").unwrap_or_default().to_owned(),
        by: word("by").map(str::to_owned),
        ..entry::of(context, ExperienceKind::Friction)
    })
}

fn subject(root: &AbsPath, line: &EventRecord) -> Subject {
    let word = |key: &str| line.data.get(key).and_then(Value::as_str);
    let touches = line.data.get("touches").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let touches =
        touches.iter().filter_map(|touch| Some((touch["path"].as_str()?, touch["access"].as_str()?)));
    Subject::new(root, word("tool").unwrap_or_default(), word("command"), touches)
}
