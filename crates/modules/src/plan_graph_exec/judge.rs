//! Finds the node of a call and decides whether its work may start.

use event::{ToolCall, ToolKind};
use fast_glob::glob_match;
use plan::{CurrentPlan, Node, NodeStatus, PlanProgress};

use super::call_targets::{self, Target};
use crate::Context;

/// The most ready nodes that a string names.
pub(super) const MOST_NEXT: usize = 5;

/// The plan's ruling on a call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Ruling<'a> {
    /// It changes the plan itself.
    ThePlan,
    /// It belongs to a forbidden or denied node.
    Shut(&'a Node),
    /// It belongs to a node with incomplete dependencies.
    Waits(&'a Node),
    /// It belongs to no node.
    NoNode {
        /// Whether it changes a file or runs a program.
        changes: bool,
    },
    /// It runs a program on files that its command line does not name, such as `npm test`, while a node is ready for it.
    NamesNoFile,
    /// It is the first call of a node.
    Begins(&'a Node),
    /// It belongs to ready nodes.
    Fits,
}

/// Checks a call against the plan: each of its targets must belong to a node.
pub(super) fn rule<'a>(context: &Context<'_>, call: &ToolCall, current: &'a CurrentPlan) -> Ruling<'a> {
    let mut targets = call_targets::of(context, call);
    let plan = call_targets::shown(context, &current.path);
    let touches_plan = |target: &Target| target.changes && target.path.as_ref() == Some(&plan);
    if targets.iter().any(touches_plan) && !is_planner(context) {
        return Ruling::ThePlan;
    }
    targets.retain(|target| !target.is_handed_in(context));
    let rulings = targets.iter().map(|target| of_target(call, target, &current.progress));
    rulings.min_by_key(severity).unwrap_or(Ruling::Fits)
}

/// Returns whether the agent is the author of the plan in force, who may have to correct it.
fn is_planner(context: &Context<'_>) -> bool {
    let planner = context.state.plan.get("agentId").and_then(|id| id.as_str());
    planner == Some(context.ids.agent.to_string().as_str())
}

const fn severity(ruling: &Ruling<'_>) -> u8 {
    match ruling {
        Ruling::ThePlan => 0,
        Ruling::Shut(_) => 1,
        Ruling::Waits(_) => 2,
        Ruling::NoNode { changes: true } => 3,
        Ruling::NamesNoFile => 4,
        Ruling::Begins(_) => 5,
        Ruling::Fits => 6,
        // A call that also reads another file still belongs to its node.
        Ruling::NoNode { changes: false } => 7,
    }
}

fn of_target<'a>(call: &ToolCall, target: &Target, progress: &'a PlanProgress) -> Ruling<'a> {
    let nodes = || progress.graph.nodes.iter();
    if let Some(node) = nodes().find(|node| progress.status(node).is_shut() && forbids(node, call, target)) {
        return Ruling::Shut(node);
    }
    let open = || {
        nodes()
            .filter(|node| !progress.status(node).is_shut())
            .filter(|node| target.changes || is_for_looking(node, call))
            .filter(|node| belongs(node, call, target))
    };
    let ready = |status| open().find(|node| progress.status(node) == status && progress.is_ready(node));
    if ready(NodeStatus::Active).is_some() {
        return Ruling::Fits;
    }
    if let Some(node) = ready(NodeStatus::Pending) {
        return Ruling::Begins(node);
    }
    if ready(NodeStatus::Complete).is_some() {
        return Ruling::Fits;
    }
    if let Some(node) = open().next() {
        return Ruling::Waits(node);
    }
    if call.kind == ToolKind::Shell && target.changes && target.path.is_none() {
        if nodes().any(|node| !progress.status(node).is_shut() && validates(node, call)) {
            return Ruling::Fits;
        }
        let has_room = |node: &Node| !node.names_tools() || names_tool(node, call);
        let is_open = |node: &Node| progress.is_ready(node) && progress.status(node) != NodeStatus::Complete;
        if nodes().any(|node| is_open(node) && has_room(node)) {
            return Ruling::NamesNoFile;
        }
    }
    let is_in_scope = |node: &Node| target.path.as_ref().is_some_and(|path| is_within(node, path));
    if !target.changes && nodes().any(is_in_scope) {
        return Ruling::Fits;
    }
    Ruling::NoNode { changes: target.changes }
}

/// Returns whether the command is one of the node's validations.
fn validates(node: &Node, call: &ToolCall) -> bool {
    let command = call.command.as_ref().map(|command| command.text.trim());
    node.validations.iter().any(|validation| Some(validation.trim()) == command)
}

/// Returns whether a node's tools make reading its work: otherwise reading is free. A node that runs commands does not
/// claim commands that only read.
fn is_for_looking(node: &Node, call: &ToolCall) -> bool {
    let names =
        |word: &str| word == call.name || (word == call.kind.as_str() && call.kind != ToolKind::Shell);
    node.tool_words().any(names)
}

/// Returns whether a forbidden node covers a target. A node without files and tools covers nothing; one with files covers
/// only those.
fn forbids(node: &Node, call: &ToolCall, target: &Target) -> bool {
    let has_scope = !node.scopes().is_empty();
    let fits_scope = || target.path.as_ref().is_some_and(|path| is_within(node, path));
    (has_scope || node.names_tools())
        && (!node.names_tools() || names_tool(node, call))
        && (!has_scope || fits_scope())
}

/// Returns whether a target belongs to a node, by its tools and its files. If the files are unknown, the tool decides.
fn belongs(node: &Node, call: &ToolCall, target: &Target) -> bool {
    if node.names_tools() && !names_tool(node, call) {
        return false;
    }
    node.scopes().is_empty()
        || match &target.path {
            Some(path) => is_within(node, path),
            None => node.names_tools(),
        }
}

/// Returns whether a node names the tool, by name or by kind.
pub(super) fn names_tool(node: &Node, call: &ToolCall) -> bool {
    node.tool_words().any(|word| word == "*" || word == call.name || word == call.kind.as_str())
}

/// Returns whether a path is one of the node's files.
fn is_within(node: &Node, path: &str) -> bool {
    node.scopes().iter().any(|scope| covers(scope, path))
}

/// Returns whether a path matches a glob. A glob without a pattern is a file, or a folder with its content.
pub(super) fn covers(scope: &str, path: &str) -> bool {
    let scope = scope.trim_start_matches("./");
    let is_below =
        |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    glob_match(scope, path)
        || (is_literal(scope) && is_below(scope))
        || scope.strip_suffix("/**").is_some_and(|folder| glob_match(folder, path))
}

/// Returns whether a glob contains no pattern.
pub(super) fn is_literal(glob: &str) -> bool {
    !glob.contains(['*', '?', '[', '{', '\\'])
}

/// Words which nodes are ready.
pub(super) fn next_steps(progress: &PlanProgress) -> String {
    let ready = progress
        .graph
        .nodes
        .iter()
        .filter(|node| progress.is_ready(node) && progress.status(node) != NodeStatus::Complete);
    let ready: Vec<String> =
        ready.take(MOST_NEXT).map(|node| format!("`{}` (“{}”)", node.id, node.description)).collect();
    if ready.is_empty() {
        return "this plan is complete; ask the user to change it.".to_owned();
    }
    format!("work on {}, or ask the user to change the plan.", ready.join(", "))
}
