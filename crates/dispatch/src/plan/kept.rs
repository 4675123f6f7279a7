//! A large plan in a form of which a tool call reads only what it needs.
//!
//! Reading and checking ten thousand nodes takes longer than all the rest of a hook event. A call needs
//! a handful of them, so a plan that was found right is kept outside the workspace with a line per node:
//! what tells whether the node matters in front, the node itself behind, decoded only if it does.
//!
//! INVARIANT: what is kept is used only while the plan's file is that very file, and only if it was kept
//! some time after the file had last changed. What is missing, torn or of another build is made anew.

use std::fs;
use std::io;

use event::AbsPath;
use serde::{Deserialize, Serialize};
use store::{FileIdentity, fingerprint, plain_file};

use super::{Node, NodeStatus, PlanGraph};

/// The lines of a kept plan.
#[derive(Debug)]
pub(crate) struct KeptPlan {
    body: String,
    n_nodes: usize,
}

/// One node, not decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NodeLine<'a> {
    pub(crate) id: &'a str,
    planned: &'a str,
    scopes: &'a str,
    tools: &'a str,
    dependencies: &'a str,
    node: &'a str,
}

/// The file a plan is read from, as it was before it was read.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    identity: Option<FileIdentity>,
    /// There was none.
    pub(crate) is_missing: bool,
}

impl Source {
    /// Looks at a file that is going to be read.
    pub(crate) fn of(path: &AbsPath) -> Self {
        let meta = fs::symlink_metadata(path.as_path());
        let is_missing = meta.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
        Self { identity: identity(meta), is_missing }
    }

    /// Returns the name the file had.
    pub(crate) fn identity(&self) -> Option<&FileIdentity> {
        self.identity.as_ref()
    }

    /// Keeps the plan that was read from it, unless the file has changed since.
    pub(crate) fn keep(&self, path: &AbsPath, graph: &PlanGraph, kept_in: &AbsPath) {
        if let Some(identity) = &self.identity
            && Self::of(path).identity() == Some(identity)
        {
            KeptPlan::keep(path, identity.clone(), graph, kept_in);
        }
    }
}

/// The first line of a kept plan.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "kept-plan"))]
pub(crate) struct KeptPlanRecord {
    /// The format of the file.
    format: u32,
    /// The plan it was made of.
    made_of: FileIdentity,
    /// How many lines follow, one per node: its status, id, scopes, tools and the places of the nodes it
    /// waits for, with tabs between, and the node as JSON.
    n_nodes: usize,
    /// How many bytes those lines have.
    n_bytes: usize,
}

const FORMAT: u32 = 1;

/// Plans that are shorter are read as fast as this would be.
const WORTH_KEEPING: u64 = 32 * 1024;

/// Between the texts of a list; no scope has it, and no tool that is kept.
const COMMA: char = '\u{1f}';

impl KeptPlan {
    /// Reads what was kept of this state of a plan's file.
    pub(crate) fn read(path: &AbsPath, now: &FileIdentity, kept_in: &AbsPath) -> Option<Self> {
        if now.size() < WORTH_KEEPING {
            return None;
        }
        let (bytes, meta) = plain_file::read_with_metadata(file(path, kept_in).as_path()).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        let (first, body) = text.split_once('\n')?;
        let header: KeptPlanRecord = serde_json::from_str(first).ok()?;
        let whole = header.format == FORMAT
            && header.made_of == *now
            && header.n_bytes == body.len()
            && memchr::memchr_iter(b'\n', body.as_bytes()).count() == header.n_nodes;
        (whole && now.had_settled_before(&meta))
            .then(|| Self { body: body.to_owned(), n_nodes: header.n_nodes })
    }

    /// Keeps a plan that was found right; a failure costs the next call some time, so it is nobody's
    /// business.
    fn keep(path: &AbsPath, made_of: FileIdentity, graph: &PlanGraph, kept_in: &AbsPath) {
        if made_of.size() < WORTH_KEEPING {
            return;
        }
        let Some(body) = lines(graph) else { return };
        let header =
            KeptPlanRecord { format: FORMAT, made_of, n_nodes: graph.nodes.len(), n_bytes: body.len() };
        let Ok(first) = serde_json::to_string(&header) else { return };
        if fs::create_dir_all(kept_in.as_path()).is_ok() {
            let _ = store::write_shared(file(path, kept_in).as_path(), format!("{first}\n{body}").as_bytes());
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

    /// Returns where it stood when the plan was written.
    pub(crate) fn planned(&self) -> NodeStatus {
        NodeStatus::parse(self.planned).unwrap_or_default()
    }

    /// Returns the globs of its files.
    pub(crate) fn scopes(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.scopes.split(COMMA).filter(|scope| !scope.is_empty())
    }

    /// Returns the names and kinds of its tools.
    pub(crate) fn tools(&self) -> impl Iterator<Item = &'a str> + use<'a> {
        self.tools.split(COMMA).filter(|tool| !tool.is_empty())
    }

    /// Returns the places of the nodes it waits for.
    pub(crate) fn dependencies(&self) -> impl Iterator<Item = usize> + use<'a> {
        self.dependencies.split(',').filter_map(|place| place.parse().ok())
    }

    /// Decodes it.
    pub(crate) fn decode(&self) -> Option<Node> {
        serde_json::from_str(self.node).ok()
    }
}

/// Returns the name of a plan's file.
fn identity(meta: io::Result<fs::Metadata>) -> Option<FileIdentity> {
    FileIdentity::of(&meta.ok().filter(fs::Metadata::is_file)?)
}

/// A path is never part of a name of ours: its hash is.
fn file(path: &AbsPath, kept_in: &AbsPath) -> AbsPath {
    kept_in.child(&fingerprint([path.to_string().as_bytes()]).short())
}

/// Returns the lines; nothing if a text would break one.
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
            scope: Some(super::super::OneOrMore::More(vec![format!("src/{n}/**"), format!("docs/{n}.md")])),
            dependencies: if n > 0 { vec![format!("n{}", n - 1)] } else { Vec::new() },
            ..Node::default()
        };
        PlanGraph { nodes: (0..n_nodes).map(node).collect(), ..PlanGraph::default() }
    }

    fn named(path: &AbsPath) -> Option<FileIdentity> {
        Source::of(path).identity().cloned()
    }

    #[test]
    fn what_is_kept_says_what_the_plan_says_until_the_file_changes() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| AbsPath::new(dir.path().join(name)).unwrap();
        let (path, kept_in) = (at("plan.json"), at("state/plans"));
        let graph = plan(500);
        let text = serde_json::to_string(&graph).unwrap();
        fs::write(path.as_path(), &text).unwrap();
        let identity = named(&path).unwrap();
        assert!(KeptPlan::read(&path, &identity, &kept_in).is_none(), "nothing is kept yet");
        KeptPlan::keep(&path, identity.clone(), &graph, &kept_in);
        std::thread::sleep(Duration::from_millis(70));
        // What was kept at once cannot be told from what a second write would make stale.
        KeptPlan::keep(&path, identity.clone(), &graph, &kept_in);
        let kept = KeptPlan::read(&path, &identity, &kept_in).unwrap();
        let nodes = kept.nodes();
        assert_eq!(nodes.iter().map(|node| node.decode().unwrap()).collect::<Vec<_>>(), graph.nodes);
        assert_eq!(nodes[7].scopes().collect::<Vec<_>>(), ["src/7/**", "docs/7.md"]);
        assert_eq!(nodes[7].dependencies().collect::<Vec<_>>(), [6]);
        fs::write(path.as_path(), format!("{text} ")).unwrap();
        let changed = named(&path).unwrap();
        assert!(KeptPlan::read(&path, &changed, &kept_in).is_none());
        // A kept plan in pieces is none.
        let file = file(&path, &kept_in);
        let whole = fs::read(file.as_path()).unwrap();
        for end in [0, 10, 200, whole.len() - 1] {
            fs::write(file.as_path(), &whole[..end]).unwrap();
            assert!(KeptPlan::read(&path, &identity, &kept_in).is_none(), "{end}");
        }
    }

    #[test]
    fn a_small_plan_is_not_kept() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| AbsPath::new(dir.path().join(name)).unwrap();
        fs::write(at("plan.json").as_path(), "x").unwrap();
        let identity = named(&at("plan.json")).unwrap();
        KeptPlan::keep(&at("plan.json"), identity, &plan(2), &at("plans"));
        assert!(!at("plans").as_path().exists());
    }
}
