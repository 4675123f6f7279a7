//! How far a call reaches, and how much the main agent has looked at already.

use std::collections::BTreeSet;
use std::path::Path;

use event::{Access, AgentId, ToolCall, ToolKind};
use shell::breadth::sweeps;
use shell::{PathUse, Reading, Site};
use store::read_lines;

use crate::files::Breadth;
use crate::modules::graph_pretooluse;
use crate::{Context, EventRecord, history};

/// How much of the journal is looked at for earlier reads.
const LOOK_BACK: u64 = 256 * 1024;

/// Returns how far a call reaches; nothing for a call that looks at nothing.
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
        // A search that names no place starts where the agent is.
        ToolKind::Search => Some(widest.unwrap_or(Breadth::Workspace)),
        ToolKind::Read => widest,
        _ => None,
    }
}

/// Returns how far a command line reaches: what goes through a whole tree and prints all it finds
/// reaches the workspace; what is cut short (`| head`) only what it names.
fn of_command(reading: &Reading) -> Option<Breadth> {
    if !sweeps(reading, graph_pretooluse::Settings::default().max_lines).is_empty() {
        return Some(Breadth::Workspace);
    }
    let reach = |used: &PathUse| {
        if Path::new(&used.path).is_dir() { Breadth::Folder } else { Breadth::File }
    };
    reading.reads.iter().filter(|used| used.site == Site::Local).map(reach).max()
}

/// Returns at how many places the main agent has looked in this turn. A place counts once;
/// of a very long turn only the end is looked at.
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
            // A search without a place: each is one of its own.
            None => line.hook_run_id,
        })
        .collect();
    places.len()
}
