//! Narrows a search to the files of its node.

use event::{AbsPath, ToolCall, ToolKind};
use host::{Reach, SearchBounds};
use plan::{Node, NodeStatus, PlanProgress};
use serde_json::{Map, Value};

use super::judge::{covers, is_literal, names_tool};
use crate::Context;

/// Returns the node of a search and the change to its input. Returns `None` if no single node matches, or the search is
/// narrow enough.
pub(super) fn of(
    context: &Context<'_>,
    call: &ToolCall,
    progress: &PlanProgress,
) -> Option<(String, Map<String, Value>)> {
    if call.kind != ToolKind::Search {
        return None;
    }
    let (folders, patterns) = match host::reach(context.host, call)? {
        Reach::Content { folders, includes, .. } => (folders, includes),
        Reach::Files { folders, patterns, .. } => (folders, patterns),
        Reach::File { .. } | Reach::Pages { .. } => return None,
    };
    let node = only_node(progress, call)?;
    let root = context.workspace.root();
    let to = narrow(root, node.scopes());
    let at = context.folder();
    // A search of a folder outside of the node stays as it is.
    for folder in &folders {
        let below = at.join(folder).below(root).ok()?;
        let is_around =
            below.as_str().is_empty() || format!("{}/", to.folder).starts_with(&format!("{below}/"));
        if !is_around || below.as_str() == to.folder && !to.folder.is_empty() {
            return None;
        }
    }
    let stays = |pattern: &String| {
        node.scopes().iter().any(|scope| covers(scope, literal(pattern)) && !literal(pattern).is_empty())
    };
    if !patterns.is_empty() && patterns.iter().all(stays) {
        return None;
    }
    host::narrow(context.host, call, &to).map(|changed| (node.id.clone(), changed))
}

/// Returns the only active node with files; `None` if several match.
fn only_node<'a>(progress: &'a PlanProgress, call: &ToolCall) -> Option<&'a Node> {
    let scoped = || {
        progress.graph.nodes.iter().filter(|node| {
            !node.scopes().is_empty()
                && (!node.names_tools() || names_tool(node, call))
                && progress.is_ready(node)
        })
    };
    [NodeStatus::Active, NodeStatus::Pending].into_iter().find_map(|status| {
        let mut nodes = scoped().filter(|node| progress.status(node) == status);
        let first = nodes.next()?;
        Some(nodes.next().is_none().then_some(first))
    })?
}

/// Returns the part of the workspace that globs cover.
fn narrow(root: &AbsPath, scopes: &[String]) -> SearchBounds {
    let scopes: Vec<String> =
        scopes.iter().map(|scope| whole(root, scope.trim_start_matches("./"))).collect();
    let mut folders = scopes.iter().map(|scope| folder_of(scope));
    let first = folders.next().unwrap_or_default();
    let folder = folders.fold(first.to_owned(), |common, next| common_folder(&common, next));
    let cut = |scope: &String| {
        let below = scope.strip_prefix(folder.as_str()).unwrap_or(scope).trim_start_matches('/');
        if below.is_empty() { "**".to_owned() } else { below.to_owned() }
    };
    let joined = |globs: Vec<String>| match globs.as_slice() {
        [one] => one.clone(),
        more => format!("{{{}}}", more.join(",")),
    };
    SearchBounds {
        absolute: root.join(&folder).to_string(),
        below: joined(scopes.iter().map(cut).collect()),
        glob: joined(scopes),
        folder,
    }
}

/// Returns the glob of a folder's content for a scope that is a folder.
fn whole(root: &AbsPath, scope: &str) -> String {
    let names_folder = is_literal(scope) && root.join(scope).as_path().is_dir();
    if names_folder { format!("{scope}/**") } else { scope.to_owned() }
}

/// Returns the folder before the first part of a glob that is a pattern or a file.
fn folder_of(glob: &str) -> &str {
    let pattern = glob.find(['*', '?', '[', '{']).unwrap_or(glob.len());
    glob[..pattern].rfind('/').map_or("", |slash| &glob[..slash])
}

/// Returns the folder before the first pattern of a glob; the glob itself if it has none.
fn literal(glob: &str) -> &str {
    let pattern = glob.find(['*', '?', '[', '{']);
    match pattern {
        None => glob,
        Some(at) => glob[..at].rfind('/').map_or("", |slash| &glob[..slash]),
    }
}

fn common_folder(one: &str, other: &str) -> String {
    let same = one.split('/').zip(other.split('/')).take_while(|(left, right)| left == right);
    same.map(|(part, _)| part).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_in_front_of_a_pattern_is_known() {
        for (glob, folder) in
            [("src/app/**", "src/app"), ("**/*.rs", ""), ("src/a.rs", "src/a.rs"), ("src/{a,b}/x", "src")]
        {
            assert_eq!(literal(glob), folder, "{glob}");
        }
        for (glob, folder) in
            [("src/a.rs", "src"), ("a.rs", ""), ("src/app/**", "src/app"), ("src/[ab]/**", "src")]
        {
            assert_eq!(folder_of(glob), folder, "{glob}");
        }
        assert_eq!(common_folder("src/app", "src/lib"), "src");
        assert_eq!(common_folder("src", "docs"), "");
    }
}
