//! Measures the breadth of a call, and counts the reads of the main agent.

use std::collections::BTreeSet;
use std::path::Path;

use event::{Access, AgentId, ToolCall, ToolKind};
use project_config::{Breadth, bounds};
use session::{EventRecord, history};
use shell::breadth::sweeps;
use shell::{PathUse, Reading, Site};
use store::read_lines;

use crate::Context;

/// How much of the journal is searched for earlier reads.
const LOOK_BACK: u64 = 256 * 1024;

/// Returns the breadth of a call; `None` for a call that reads nothing.
pub(super) fn of(context: &Context<'_>, call: &ToolCall) -> Option<Breadth> {
    if let Some(command) = &call.command {
        return of_command(context.reading(command));
    }
    let root = context.workspace.root();
    let folder = context.folder();
    let reach = |path: &str| {
        let path = folder.join(path);
        if root.as_path().starts_with(path.as_path()) {
            Breadth::Workspace
        } else if call.kind == ToolKind::Search && path.as_path().is_dir() {
            Breadth::Folder
        } else {
            Breadth::File
        }
    };
    let read = call.touches.iter().filter(|touch| touch.access == Access::Read);
    let widest = read.map(|touch| reach(&touch.path)).max();
    match call.kind {
        // A search without a path starts in the working folder.
        ToolKind::Search => Some(widest.unwrap_or(Breadth::Workspace)),
        ToolKind::Read => widest,
        _ => None,
    }
}

/// Returns the breadth of a command line: one that traverses a whole tree with unbounded output has the breadth of the
/// workspace; one with bounded output (`| head`) that of its paths.
fn of_command(reading: &Reading) -> Option<Breadth> {
    if !sweeps(reading, bounds::Settings::default().max_lines).is_empty() {
        return Some(Breadth::Workspace);
    }
    let reach = |used: &PathUse| {
        if Path::new(&used.path).is_dir() { Breadth::Folder } else { Breadth::File }
    };
    reading.reads.iter().filter(|used| used.site == Site::Local).map(reach).max()
}

/// Counts the distinct paths that the main agent has read in this turn. Of a very long turn only the end counts.
pub(super) fn reads_so_far(context: &Context<'_>) -> usize {
    let path = context.session.events_file();
    let length = std::fs::metadata(path.as_path()).map_or(0, |meta| meta.len());
    let lines = read_lines(&path, length.saturating_sub(LOOK_BACK)).unwrap_or_default();
    let turn = format!("\"turnId\":{},", context.ids.turn);
    let main = AgentId::MAIN.to_string();
    let is_read = |line: &EventRecord| {
        let word = |key: &str| line.data.get(key).and_then(|value| value.as_str()).unwrap_or_default();
        line.turn_id == context.ids.turn
            && line.agent_id == main
            && line.module.as_deref() == Some("session")
            && matches!(word("kind"), "read" | "search")
            && !matches!(word("decision"), "deny" | "ask")
    };
    let decided = lines.lines().filter(|line| {
        let head = history::head(line);
        head.contains("\"type\":\"TOOL_DECISION\"") && head.contains(&turn)
    });
    let places: BTreeSet<String> = decided
        .filter_map(history::parse)
        .filter(is_read)
        .map(|line| match line.data.get("touches") {
            Some(touches) => touches.to_string(),
            // Each search without a path counts separately.
            None => line.hook_run_id,
        })
        .collect();
    places.len()
}
