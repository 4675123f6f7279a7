//! What a call is about: the files it changes, looks at, or nothing in particular.

use event::{AbsPath, Access, ToolCall, ToolKind};
use shell::{Certainty, PathUse, Site};

use crate::{Context, handed_in};

/// One thing a call is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    /// A path relative to the workspace, or absolute outside of it; none if the call names none.
    pub path: Option<String>,
    /// It is changed, or something runs; else it is only looked at.
    pub changes: bool,
}

impl Target {
    /// Whether it is something an agent hands in to us, which is no part of the work.
    pub(super) fn is_handed_in(&self, context: &Context<'_>) -> bool {
        let path = self.path.as_ref().map(|path| context.workspace.root().join(path));
        path.is_some_and(|path| handed_in::is_path(context, &path))
    }
}

/// Returns what a call is about.
pub(super) fn of(context: &Context<'_>, call: &ToolCall) -> Vec<Target> {
    let mut targets = Vec::new();
    let mut default_changes = true;
    if let Some(command) = &call.command {
        let reading = context.reading(command);
        let known = |used: &&PathUse| used.site == Site::Local && used.certainty != Certainty::Unknown;
        let relative = |used: &PathUse| AbsPath::new(&used.path).ok().map(|path| shown(context, &path));
        let changed = reading.writes.iter().chain(&reading.creates).chain(&reading.deletes);
        targets.extend(changed.filter(known).map(|used| Target { path: relative(used), changes: true }));
        targets.extend(
            reading.reads.iter().filter(known).map(|used| Target { path: relative(used), changes: false }),
        );
        default_changes = !reading.is_read_only();
        // What it does beside the files that are known is not known.
        if default_changes && targets.iter().all(|target| !target.changes) {
            targets.push(Target { path: None, changes: true });
        }
    } else {
        let folder = context.folder();
        for touch in &call.touches {
            let path = shown(context, &folder.join(&touch.path));
            targets.push(Target { path: Some(path), changes: touch.access != Access::Read });
        }
        if matches!(call.kind, ToolKind::Read | ToolKind::Search | ToolKind::Fetch) {
            default_changes = false;
        }
    }
    if targets.is_empty() {
        targets.push(Target { path: None, changes: default_changes });
    }
    targets
}

/// Returns a path as targets have it.
pub(super) fn shown(context: &Context<'_>, path: &AbsPath) -> String {
    path.below(context.workspace.root()).map_or_else(|_| path.to_string(), |below| below.as_str().to_owned())
}
