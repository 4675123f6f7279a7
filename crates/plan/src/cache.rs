//! Caches a large plan so that a tool call decodes only the nodes it needs.
//!
//! Reading and checking ten thousand nodes takes longer than the rest of a hook event. A call needs a handful of
//! them, so steersman caches a valid plan outside the workspace with a line per node: first the fields that decide
//! whether a call needs the node, then the node itself, decoded only if it does.
//!
//! INVARIANT: a cached plan is used only while the plan's file has the same identity, and only if it was cached some
//! time after the file's last change. A missing, torn or incompatible cache is recreated.

use std::fs;
use std::io;

use event::AbsPath;
use serde::{Deserialize, Serialize};
use store::{FileIdentity, fingerprint, plain_file};

use crate::{Node, NodeStatus, PlanGraph};

/// The lines of a cached plan.
#[derive(Debug)]
pub(crate) struct CachedPlan {
    body: String,
    n_nodes: usize,
}

/// One node of a cached plan, not decoded.
#[derive(Debug, Clone, Copy)]
pub struct NodeLine<'a> {
    /// Its id.
    pub id: &'a str,
    planned: &'a str,
    scopes: &'a str,
    tools: &'a str,
    dependencies: &'a str,
    node: &'a str,
}

/// The file of a plan, as it was before it was read.
#[derive(Debug, Clone)]
pub struct PlanFile {
    identity: Option<FileIdentity>,
    /// Whether the file did not exist.
    pub is_missing: bool,
}

impl PlanFile {
    /// Reads the identity of a file before its content is read.
    pub fn of(path: &AbsPath) -> Self {
        let meta = fs::symlink_metadata(path.as_path());
        let is_missing = meta.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
        Self { identity: identity(meta), is_missing }
    }

    /// Returns the identity of the file; `None` if it is not a regular file.
    pub fn identity(&self) -> Option<&FileIdentity> {
        self.identity.as_ref()
    }

    /// Caches the plan that was read from it, unless the file has changed since.
    pub fn cache(&self, path: &AbsPath, graph: &PlanGraph, folder: &AbsPath) {
        if let Some(identity) = &self.identity
            && Self::of(path).identity() == Some(identity)
        {
            CachedPlan::write(path, identity.clone(), graph, folder);
        }
    }
}

/// The first line of a cached plan.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "kept-plan"))]
pub struct CachedPlanRecord {
    /// The format of the file.
    format: u32,
    /// The identity of the plan's file.
    made_of: FileIdentity,
    /// How many lines follow, one per node: its status, id, scopes, tools and the indexes of its dependencies,
    /// separated by tabs, and the node as JSON.
    n_nodes: usize,
    /// How many bytes those lines have.
    n_bytes: usize,
}

const FORMAT: u32 = 1;

/// Reading a shorter plan is as fast as reading its cache.
const MIN_BYTES: u64 = 32 * 1024;

/// Separates the strings of an array; no scope and no cached tool contains it.
const COMMA: char = '\u{1f}';

impl CachedPlan {
    /// Reads the cached plan of a file with this identity.
    pub(crate) fn read(path: &AbsPath, now: &FileIdentity, folder: &AbsPath) -> Option<Self> {
        if now.size() < MIN_BYTES {
            return None;
        }
        let (bytes, meta) = plain_file::read_with_metadata(file(path, folder).as_path()).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        let (first, body) = text.split_once('\n')?;
        let header: CachedPlanRecord = serde_json::from_str(first).ok()?;
        let whole = header.format == FORMAT
            && header.made_of == *now
            && header.n_bytes == body.len()
            && memchr::memchr_iter(b'\n', body.as_bytes()).count() == header.n_nodes;
        (whole && now.had_settled_before(&meta))
            .then(|| Self { body: body.to_owned(), n_nodes: header.n_nodes })
    }

    /// Caches a valid plan. Ignores errors: without a cache the next call takes longer.
    fn write(path: &AbsPath, made_of: FileIdentity, graph: &PlanGraph, folder: &AbsPath) {
        if made_of.size() < MIN_BYTES {
            return;
        }
        let Some(body) = lines(graph) else { return };
        let header =
            CachedPlanRecord { format: FORMAT, made_of, n_nodes: graph.nodes.len(), n_bytes: body.len() };
        let Ok(first) = serde_json::to_string(&header) else { return };
        if store::create_folder(folder.as_path()).is_ok() {
            let _ = store::write_shared(file(path, folder).as_path(), format!("{first}\n{body}").as_bytes());
        }
    }

    /// Returns every node's line, in the order of the plan.
    pub(crate) fn nodes(&self) -> Vec<NodeLine<'_>> {
        let mut nodes = Vec::with_capacity(self.n_nodes);
        nodes.extend(self.body.lines().filter_map(NodeLine::of));
        nodes
    }
}

impl<'a> NodeLine<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let mut parts = line.splitn(6, '\t');
        let mut next = || parts.next();
        Some(Self {
            planned: next()?,
            id: next()?,
            scopes: next()?,
            tools: next()?,
            dependencies: next()?,
            node: next()?,
        })
    }

    /// Returns its status when the plan was written.
    pub fn planned(&self) -> NodeStatus {
        NodeStatus::parse(self.planned).unwrap_or_default()
    }

    /// Returns the globs of its files.
    pub fn scopes(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.scopes.split(COMMA).filter(|scope| !scope.is_empty())
    }

    /// Returns the names and kinds of its tools.
    pub fn tools(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.tools.split(COMMA).filter(|tool| !tool.is_empty())
    }

    /// Returns the indexes of its dependencies.
    pub fn dependencies(&self) -> impl Iterator<Item = usize> + use<'a> {
        self.dependencies.split(',').filter_map(|place| place.parse().ok())
    }

    /// Decodes the node; `None` if the line is damaged.
    pub fn decode(&self) -> Option<Node> {
        serde_json::from_str(self.node).ok()
    }
}

/// Returns the identity of a plan's file.
fn identity(meta: io::Result<fs::Metadata>) -> Option<FileIdentity> {
    FileIdentity::of(&meta.ok().filter(fs::Metadata::is_file)?)
}

/// Returns the path of the cache: file names contain the hash of a path, never the path itself.
fn file(path: &AbsPath, folder: &AbsPath) -> AbsPath {
    folder.child(&fingerprint([path.to_string().as_bytes()]).short())
}

/// Returns the lines; `None` if a string contains a separator.
fn lines(graph: &PlanGraph) -> Option<String> {
    let places: std::collections::HashMap<&str, usize> =
        graph.nodes.iter().enumerate().map(|(place, node)| (node.id.as_str(), place)).collect();
    let mut body = String::new();
    for node in &graph.nodes {
        let tools: Vec<&str> = node.tool_words().collect();
        let waits: Option<Vec<String>> =
            node.dependencies.iter().map(|id| places.get(id.as_str()).map(ToString::to_string)).collect();
        let fields = [
            node.status.as_str().to_owned(),
            node.id.clone(),
            node.scopes().join(&COMMA.to_string()),
            tools.join(&COMMA.to_string()),
            waits?.join(","),
        ];
        let is_plain = |text: &String| !text.contains(|letter: char| letter.is_control() && letter != COMMA);
        let one_text = |texts: &[&str]| texts.iter().all(|text| !text.contains(COMMA));
        if !fields.iter().all(is_plain) || !one_text(&tools) {
            return None;
        }
        body.push_str(&fields.join("\t"));
        body.push('\t');
        body.push_str(&serde_json::to_string(node).ok()?);
        body.push('\n');
    }
    Some(body)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::Duration;

    fn plan(n_nodes: usize) -> PlanGraph {
        let node = |n: usize| Node {
            id: format!("n{n}"),
            description: format!("the piece {n}, with \"quotes\"\tand a tab"),
            scope: Some(crate::OneOrMore::More(vec![format!("src/{n}/**"), format!("docs/{n}.md")])),
            dependencies: if n > 0 { vec![format!("n{}", n - 1)] } else { Vec::new() },
            ..Node::default()
        };
        PlanGraph { nodes: (0..n_nodes).map(node).collect(), ..PlanGraph::default() }
    }

    fn named(path: &AbsPath) -> Option<FileIdentity> {
        PlanFile::of(path).identity().cloned()
    }

    #[test]
    fn the_cache_equals_the_plan_until_the_file_changes() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| AbsPath::new(dir.path().join(name)).unwrap();
        let (path, folder) = (at("plan.json"), at("state/plans"));
        let graph = plan(500);
        let text = serde_json::to_string(&graph).unwrap();
        fs::write(path.as_path(), &text).unwrap();
        let identity = named(&path).unwrap();
        assert!(CachedPlan::read(&path, &identity, &folder).is_none(), "nothing is cached yet");
        CachedPlan::write(&path, identity.clone(), &graph, &folder);
        std::thread::sleep(Duration::from_millis(70));
        // A cache written at once could be stale after a second write within the clock's resolution.
        CachedPlan::write(&path, identity.clone(), &graph, &folder);
        let cached = CachedPlan::read(&path, &identity, &folder).unwrap();
        let nodes = cached.nodes();
        assert_eq!(nodes.iter().map(|node| node.decode().unwrap()).collect::<Vec<_>>(), graph.nodes);
        assert_eq!(nodes[7].scopes().collect::<Vec<_>>(), ["src/7/**", "docs/7.md"]);
        assert_eq!(nodes[7].dependencies().collect::<Vec<_>>(), [6]);
        fs::write(path.as_path(), format!("{text} ")).unwrap();
        let changed = named(&path).unwrap();
        assert!(CachedPlan::read(&path, &changed, &folder).is_none());
        // A torn cache is not used.
        let file = file(&path, &folder);
        let whole = fs::read(file.as_path()).unwrap();
        for end in [0, 10, 200, whole.len() - 1] {
            fs::write(file.as_path(), &whole[..end]).unwrap();
            assert!(CachedPlan::read(&path, &identity, &folder).is_none(), "{end}");
        }
    }

    #[test]
    fn a_small_plan_is_not_cached() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| AbsPath::new(dir.path().join(name)).unwrap();
        fs::write(at("plan.json").as_path(), "x").unwrap();
        let identity = named(&at("plan.json")).unwrap();
        CachedPlan::write(&at("plan.json"), identity, &plan(2), &at("plans"));
        assert!(!at("plans").as_path().exists());
    }
}
