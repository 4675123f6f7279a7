//! What agents hand in: files below the session's folder that we have told them to write.
//!
//! `.ai/tmp/<sid>/<module>/output/sa/<role>/<aid>/…` is the only part of our state that is an
//! agent's to write, in whatever phase and whatever the plan says: a planning agent has to write
//! its plan before there is one.

use std::path::Path;

use event::{AbsPath, Access, ToolCall};
use shell::{Certainty, PathUse, Simple, Site};

use crate::Context;

/// Programs that put text into files and nothing else. Anything more able could make a link
/// first and write through it.
const WRITERS: [&str; 9] = ["cat", "cd", "date", "echo", "jq", "mkdir", "printf", "tee", "true"];

/// Whether a path is one that agents hand something in at. A link on the way leads elsewhere.
pub(crate) fn is_path(context: &Context<'_>, path: &AbsPath) -> bool {
    let root = context.session.root();
    let Ok(below) = path.below(root) else { return false };
    let mut parts = below.as_str().split('/').skip(1);
    let is_place = parts.next() == Some("output") && parts.next() == Some("sa") && parts.count() >= 3;
    let mut way = path.as_path().ancestors().take_while(|step| *step != root.as_path());
    is_place && !way.any(Path::is_symlink)
}

/// Whether a call does nothing but hand something in.
pub(crate) fn is_all(context: &Context<'_>, call: &ToolCall) -> bool {
    if let Some(command) = &call.command {
        let reading = context.reading(command);
        let mut changed = reading.writes.iter().chain(&reading.creates).chain(&reading.deletes).peekable();
        let is_ours = |used: &PathUse| {
            let is_known = used.certainty == Certainty::Exact && used.site == Site::Local;
            is_known && AbsPath::new(&used.path).is_ok_and(|path| is_path(context, &path))
        };
        let is_writer = |command: &Simple| command.is_itself && WRITERS.contains(&command.program.as_str());
        return reading.parsed
            && reading.commands.iter().all(is_writer)
            && changed.peek().is_some()
            && changed.all(is_ours);
    }
    let folder = context.folder();
    let changed = || call.touches.iter().filter(|touch| touch.access != Access::Read);
    changed().next().is_some() && changed().all(|touch| is_path(context, &folder.join(&touch.path)))
}
