//! Which node a call belongs to, and whether its turn has come.

use event::{ToolCall, ToolKind};
use fast_glob::glob_match;

use super::call_targets::{self, Target};
use crate::Context;
use crate::plan::{Current, Node, NodeStatus, Standing};

/// So many nodes that may be worked on are named.
pub(super) const MOST_NEXT: usize = 5;

/// What the plan says about a call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Ruling<'a> {
    /// It changes the plan itself.
    ThePlan,
    /// It belongs to a node that must not be done.
    Shut(&'a Node),
    /// It belongs to a node that waits for others.
    Waits(&'a Node),
    /// It belongs to no node.
    NoNode {
        /// It changes or runs something.
        changes: bool,
    },
    /// It belongs to a node, and is the first that does.
    Begins(&'a Node),
    /// It belongs to nodes that may be worked on.
    Fits,
}

/// Holds a call against the plan: everything it is about has to belong somewhere.
pub(super) fn rule<'a>(context: &Context<'_>, call: &ToolCall, current: &'a Current) -> Ruling<'a> {
    let mut targets = call_targets::of(context, call);
    let plan = call_targets::shown(context, &current.path);
    let touches_plan = |target: &Target| target.changes && target.path.as_ref() == Some(&plan);
    if targets.iter().any(touches_plan) && !is_planner(context) {
        return Ruling::ThePlan;
    }
    targets.retain(|target| !target.is_handed_in(context));
    let rulings = targets.iter().map(|target| of_target(call, target, &current.standing));
    rulings.min_by_key(severity).unwrap_or(Ruling::Fits)
}

/// Whether the agent is the one whose plan is in force: it may be sent back to it.
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
        Ruling::Begins(_) => 4,
        Ruling::Fits => 5,
        // Looking at one thing more does not make a call one for no node.
        Ruling::NoNode { changes: false } => 6,
    }
}

fn of_target<'a>(call: &ToolCall, target: &Target, standing: &'a Standing) -> Ruling<'a> {
    let nodes = || standing.graph.nodes.iter();
    if let Some(node) = nodes().find(|node| standing.status(node).is_shut() && forbids(node, call, target)) {
        return Ruling::Shut(node);
    }
    let open = || {
        nodes()
            .filter(|node| !standing.status(node).is_shut())
            .filter(|node| target.changes || is_for_looking(node, call))
            .filter(|node| belongs(node, call, target))
    };
    let ready = |status| open().find(|node| standing.status(node) == status && standing.is_ready(node));
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
    let is_in_scope = |node: &Node| target.path.as_ref().is_some_and(|path| is_within(node, path));
    if !target.changes && nodes().any(is_in_scope) {
        return Ruling::Fits;
    }
    Ruling::NoNode { changes: target.changes }
}

/// Whether a node says by its tools that looking is the work: otherwise looking is free. That
/// it runs commands says nothing about those that only look.
fn is_for_looking(node: &Node, call: &ToolCall) -> bool {
    let names =
        |word: &str| word == call.name || (word == call.kind.as_str() && call.kind != ToolKind::Shell);
    node.tool_words().any(names)
}

/// Whether a node that must not be done is about something. Without files or tools of its own it
/// is about nothing that could be told from a call; with files, about those only.
fn forbids(node: &Node, call: &ToolCall, target: &Target) -> bool {
    let has_scope = !node.scopes().is_empty();
    let fits_scope = || target.path.as_ref().is_some_and(|path| is_within(node, path));
    (has_scope || node.names_tools())
        && (!node.names_tools() || names_tool(node, call))
        && (!has_scope || fits_scope())
}

/// Whether something a call is about belongs to a node, by its tools and its files. Where the
/// files are not known, the tool tells.
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

/// Whether a node names the tool, by name or by kind.
pub(super) fn names_tool(node: &Node, call: &ToolCall) -> bool {
    node.tool_words().any(|word| word == "*" || word == call.name || word == call.kind.as_str())
}

/// Whether a path is one of the node's files.
fn is_within(node: &Node, path: &str) -> bool {
    node.scopes().iter().any(|scope| covers(scope, path))
}

/// Whether a path fits a glob. A glob without a pattern in it names a file, or a folder with all
/// that is in it.
pub(super) fn covers(scope: &str, path: &str) -> bool {
    let scope = scope.trim_start_matches("./");
    let is_below =
        |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    glob_match(scope, path)
        || (is_literal(scope) && is_below(scope))
        || scope.strip_suffix("/**").is_some_and(|folder| glob_match(folder, path))
}

/// Whether a glob has no pattern in it.
pub(super) fn is_literal(glob: &str) -> bool {
    !glob.contains(['*', '?', '[', '{', '\\'])
}

/// Says what may be worked on now.
pub(super) fn next_steps(standing: &Standing) -> String {
    let ready = standing
        .graph
        .nodes
        .iter()
        .filter(|node| standing.is_ready(node) && standing.status(node) != NodeStatus::Complete);
    let ready: Vec<String> =
        ready.take(MOST_NEXT).map(|node| format!("`{}` (“{}”)", node.id, node.description)).collect();
    if ready.is_empty() {
        return "nothing is left to do in this plan; ask the person to have it changed.".to_owned();
    }
    format!("work on {}, or ask the person to have the plan changed.", ready.join(", "))
}
