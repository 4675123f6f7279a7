//! The packages that a crate depends on, from `cargo tree`.

use anyhow::Result;

use crate::repo;

/// One line of `cargo tree`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Node {
    /// The number of edges from the queried crate.
    pub(crate) depth: usize,
    /// The package.
    pub(crate) name: String,
}

/// Runs `cargo tree` for `package` with its default features and `edges` (as in `cargo tree -e`).
pub(crate) fn read(package: &str, edges: &str) -> Result<Vec<Node>> {
    let args = ["tree", "--package", package, "--edges", edges, "--prefix", "depth", "--format", " {p}"];
    Ok(parse(&repo::output(&mut repo::cargo(&args))?))
}

/// Parses lines like `2 memchr v2.7.6 (*)`.
pub(crate) fn parse(text: &str) -> Vec<Node> {
    text.lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let depth = words.next()?.parse().ok()?;
            Some(Node { depth, name: words.next()?.to_owned() })
        })
        .collect()
}

/// Returns the chain of names from the root to the first node that `wanted` accepts.
///
/// `cargo tree` prints what hangs below a package only where it comes first, so
/// the first place of a package is always one with a complete chain above it.
pub(crate) fn path_to(nodes: &[Node], wanted: impl Fn(&str) -> bool) -> Option<Vec<&str>> {
    let mut chain: Vec<&str> = Vec::new();
    for node in nodes {
        chain.truncate(node.depth);
        chain.push(&node.name);
        if wanted(&node.name) {
            return Some(chain);
        }
    }
    None
}
