//! The output folder of subagents: the only part of our state that an agent may write.
//!
//! `.ai/tmp/<sid>/<module>/output/sa/<role>/<aid>/…` is writable in every phase and under every plan: a planning agent
//! must write its plan before the plan exists.

use std::path::{Component, Path};

use event::{AbsPath, Access, ToolCall, Touch};
use shell::{Certainty, PathUse, Simple, Site};

use crate::Context;
use crate::call_folder::real_folder;

/// Programs that only write text to files. Any other program could create a link first and write through it.
const WRITERS: [&str; 9] = ["cat", "cd", "date", "echo", "jq", "mkdir", "printf", "tee", "true"];

/// Returns whether a path is in the output folder of a subagent. A path through a link is not.
pub(crate) fn contains(context: &Context<'_>, path: &AbsPath) -> bool {
    let root = context.session.root();
    let Ok(below) = path.below(root) else { return false };
    let mut parts = below.as_str().split('/').skip(1);
    let is_output = parts.next() == Some("output") && parts.next() == Some("sa") && parts.count() >= 3;
    let mut ancestors = path.as_path().ancestors().take_while(|step| *step != root.as_path());
    is_output && !ancestors.any(Path::is_symlink)
}

/// Returns whether a call writes to the output folder of a subagent and does nothing else.
pub(crate) fn is_only_effect(context: &Context<'_>, call: &ToolCall) -> bool {
    if let Some(command) = &call.command {
        let reading = context.reading(command);
        let mut changed = reading.writes.iter().chain(&reading.creates).chain(&reading.deletes).peekable();
        let is_output = |used: &PathUse| {
            let is_known = used.certainty == Certainty::Exact && used.site == Site::Local;
            is_known && AbsPath::new(&used.path).is_ok_and(|path| contains(context, &path))
        };
        let is_writer = |command: &Simple| command.is_itself && WRITERS.contains(&command.program.as_str());
        return reading.parsed
            && reading.commands.iter().all(is_writer)
            && changed.peek().is_some()
            && changed.all(is_output);
    }
    let (root, folder) = (context.workspace.root(), context.folder());
    let changed = || call.touches.iter().filter(|touch| touch.access != Access::Read);
    // `link/..` is not the folder that has the link.
    let steps_up = |path: &str| Path::new(path).components().any(|part| part == Component::ParentDir);
    let is_output = |touch: &Touch| {
        let path = if steps_up(&touch.path) {
            real_folder(root, folder, Some(&touch.path))
        } else {
            folder.join(&touch.path)
        };
        contains(context, &path)
    };
    changed().next().is_some() && changed().all(is_output)
}
