//! The targets of a call: the files that it changes or reads.

use event::{AbsPath, Access, ToolCall, ToolKind};
use shell::{Certainty, PathUse, Site};

use crate::{Context, agent_output};

/// One target of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    /// A path relative to the workspace, or absolute outside of it; `None` if the call names no path.
    pub path: Option<String>,
    /// Whether the call changes it or runs a program; else it only reads.
    pub changes: bool,
}

impl Target {
    /// Returns whether it is the output of a subagent for steersman, which is not part of the work.
    pub(super) fn is_handed_in(&self, context: &Context<'_>) -> bool {
        let path = self.path.as_ref().map(|path| context.workspace.root().join(path));
        path.is_some_and(|path| agent_output::contains(context, &path))
    }
}

/// Returns the targets of a call.
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
        // The command may also change unknown files.
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

/// Returns a path in the form of a target.
pub(super) fn shown(context: &Context<'_>, path: &AbsPath) -> String {
    path.below(context.workspace.root()).map_or_else(|_| path.to_string(), |below| below.as_str().to_owned())
}
