//! Reports all problems of a plan or its manifest at once, each with its place.

use std::collections::BTreeMap;
use std::path::Path;

use config_file::nearest;
use serde_json::{Map, Value};
use store::{FileError, parse_json};

use crate::glob::bad_glob;
use crate::node_id::bad_id;
use crate::valid::is_valid;
use crate::{NodeStatus, PlanGraph, PlanManifest};

/// The most problems that one check reports.
const MOST_PROBLEMS: usize = 50;

/// The keys of a plan.
const PLAN_KEYS: [&str; 3] = ["version", "$schema", "nodes"];

/// The keys of a node.
const KEYS: [&str; 9] =
    ["id", "description", "tool", "tools", "scope", "status", "reason", "dependencies", "validations"];

/// Keys that planning agents write instead.
const ALIASES: [(&[&str], &str); 3] = [
    (&["deps", "dependsOn", "depends_on", "needs", "requires", "after", "blockedBy"], "dependencies"),
    (&["scopes", "paths", "files", "globs"], "scope"),
    (&["checks", "tests", "acceptance"], "validations"),
];

/// The most nodes of a cycle that a problem names.
const MOST_NAMED: usize = 12;

/// Reads a plan, or returns all its problems.
pub fn checked_graph(path: &Path, text: &[u8]) -> Result<PlanGraph, Vec<FileError>> {
    // Every call reads the plan, and nearly always it is valid.
    if let Some(graph) = valid_graph(text) {
        return Ok(graph);
    }
    let mut value: Value = parse_json(path, text, PlanGraph::FORMAT).map_err(|error| vec![error])?;
    let mut check = Check { path, text, problems: Vec::new() };
    check.graph(&value);
    keep_only(&mut value, &PLAN_KEYS);
    for node in value["nodes"].as_array_mut().into_iter().flatten() {
        keep_only(node, &KEYS);
    }
    check.finish(serde_json::from_value(value))
}

/// Reads a plan without problems and without unknown keys. Returns `None` for any other.
fn valid_graph(text: &[u8]) -> Option<PlanGraph> {
    // The derived code would accept an array as the fields in their order.
    let is_object = text.trim_ascii_start().starts_with(b"{");
    let graph = is_object.then(|| serde_json::from_slice(text).ok()).flatten();
    graph.filter(is_valid)
}

/// Removes the unknown keys of a plan or a node, which are allowed.
fn keep_only(object: &mut Value, keys: &[&str]) {
    if let Some(object) = object.as_object_mut() {
        object.retain(|key, _| keys.contains(&key.as_str()));
    }
}

/// Reads the manifest of a plan, or returns all its problems.
pub fn checked_manifest(path: &Path, text: &[u8]) -> Result<PlanManifest, Vec<FileError>> {
    let value: Value = parse_json(path, text, PlanGraph::FORMAT).map_err(|error| vec![error])?;
    let mut check = Check { path, text, problems: Vec::new() };
    for key in ["agentId", "planGraph"] {
        check.text(&value, "", key, Need::Always);
    }
    for key in ["version", "createdTs"] {
        if value.get(key).is_none_or(|number| !number.is_u64()) {
            let place = if value.get(key).is_some() { format!("/{key}") } else { String::new() };
            check.problem(&place, format!("`{key}` must be a whole number"));
        }
    }
    check.text(&value, "", "summary", Need::IfGiven);
    check.finish(serde_json::from_slice(text))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    Always,
    IfGiven,
}

struct Check<'a> {
    path: &'a Path,
    text: &'a [u8],
    problems: Vec<FileError>,
}

impl Check<'_> {
    fn finish<T>(self, read: serde_json::Result<T>) -> Result<T, Vec<FileError>> {
        if !self.problems.is_empty() {
            return Err(self.problems);
        }
        read.map_err(|error| vec![FileError::from_serde(self.path, self.text, &error)])
    }

    fn problem(&mut self, pointer: &str, what: impl Into<String>) {
        self.hinted(pointer, what, None);
    }

    fn hinted(&mut self, pointer: &str, what: impl Into<String>, hint: Option<String>) {
        if self.problems.len() < MOST_PROBLEMS {
            let error = FileError::about(self.path, self.text, pointer, what);
            self.problems.push(match hint {
                Some(hint) => error.with_hint(hint),
                None => error,
            });
        }
    }

    fn graph(&mut self, value: &Value) {
        let Some(nodes) = value.get("nodes") else {
            return self.problem("", "missing array `nodes`");
        };
        let Some(nodes) = nodes.as_array() else {
            return self.problem("/nodes", "`nodes` must be an array");
        };
        if nodes.is_empty() {
            self.problem("/nodes", "a plan must have at least one node");
        }
        let mut first_at: BTreeMap<&str, usize> = BTreeMap::new();
        for (index, node) in nodes.iter().enumerate() {
            let at = format!("/nodes/{index}");
            if !node.is_object() {
                self.problem(&at, "a node must be an object");
                continue;
            }
            self.node(node, &at);
            if let Some(id) = node.get("id").and_then(Value::as_str) {
                if let Some(first) = first_at.get(id) {
                    self.problem(
                        &format!("{at}/id"),
                        format!("duplicate id `{id}`: nodes[{first}] has it, too"),
                    );
                } else {
                    first_at.insert(id, index);
                }
            }
        }
        self.dependencies(nodes, &first_at);
    }

    fn node(&mut self, node: &Value, at: &str) {
        if let Some(id) = self.text(node, at, "id", Need::Always)
            && let Some(why) = bad_id(id)
        {
            self.problem(&format!("{at}/id"), format!("id `{}` {why}", id.escape_debug()));
        }
        self.keys(node, at);
        self.text(node, at, "description", Need::Always);
        self.text(node, at, "reason", Need::IfGiven);
        self.text(node, at, "tool", Need::IfGiven);
        for key in ["tools", "validations", "dependencies"] {
            self.texts(node, at, key);
        }
        if let Some(status) = self.text(node, at, "status", Need::IfGiven)
            && NodeStatus::parse(status).is_none()
        {
            let words = NodeStatus::ALL.map(NodeStatus::as_str);
            let hint = nearest(status, words).map(|meant| format!("did you mean `{meant}`?"));
            let what = format!("unknown status `{status}`: write one of {}", words.join(", "));
            self.hinted(&format!("{at}/status"), what, hint);
        }
        match node.get("scope") {
            None | Some(Value::Null) => {}
            Some(Value::String(glob)) => self.glob(glob, &format!("{at}/scope")),
            Some(Value::Array(globs)) => {
                for (index, glob) in globs.iter().enumerate() {
                    let place = format!("{at}/scope/{index}");
                    match glob.as_str() {
                        Some(glob) => self.glob(glob, &place),
                        None => self.problem(&place, "a scope must be a glob, as a string"),
                    }
                }
            }
            Some(_) => self.problem(&format!("{at}/scope"), "`scope` must be a glob or an array of globs"),
        }
    }

    /// Reports keys that look like misspelled ones; other unknown keys are allowed.
    ///
    /// WHY: a dependency under another name would be ignored, and the node would start too early.
    fn keys(&mut self, node: &Value, at: &str) {
        for key in node.as_object().into_iter().flat_map(Map::keys) {
            if KEYS.contains(&key.as_str()) {
                continue;
            }
            let alias =
                ALIASES.iter().find(|(words, _)| words.contains(&key.as_str())).map(|(_, meant)| *meant);
            if let Some(meant) = alias.or_else(|| nearest(key, KEYS)) {
                let what = format!("unknown key `{}`", key.escape_debug());
                self.hinted(at, what, Some(format!("did you mean `{meant}`?")));
            }
        }
    }

    fn glob(&mut self, glob: &str, place: &str) {
        if let Some(why) = bad_glob(glob) {
            self.problem(place, format!("scope `{glob}` {why}"));
        }
    }

    /// Returns the string of a key; reports any other type, and a missing or empty one where it is needed.
    fn text<'v>(&mut self, object: &'v Value, at: &str, key: &str, need: Need) -> Option<&'v str> {
        match object.get(key) {
            None if need == Need::Always => self.problem(at, format!("missing `{key}`")),
            None => {}
            Some(Value::Null) if need == Need::IfGiven => {}
            Some(Value::String(text)) if text.trim().is_empty() && need == Need::Always => {
                self.problem(&format!("{at}/{key}"), format!("`{key}` is empty"));
            }
            Some(Value::String(text)) => return Some(text),
            Some(_) => self.problem(&format!("{at}/{key}"), format!("`{key}` must be a string")),
        }
        None
    }

    fn texts(&mut self, object: &Value, at: &str, key: &str) {
        match object.get(key) {
            None => {}
            Some(Value::Array(items)) => {
                for (index, _) in items.iter().enumerate().filter(|(_, item)| !item.is_string()) {
                    self.problem(
                        &format!("{at}/{key}/{index}"),
                        format!("`{key}` must be an array of strings"),
                    );
                }
            }
            Some(_) => self.problem(&format!("{at}/{key}"), format!("`{key}` must be an array of strings")),
        }
    }

    fn dependencies(&mut self, nodes: &[Value], first_at: &BTreeMap<&str, usize>) {
        let mut edges = BTreeMap::new();
        for (index, node) in nodes.iter().enumerate() {
            let listed = node.get("dependencies").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            for (position, dependency) in listed.iter().enumerate() {
                let Some(id) = dependency.as_str() else { continue };
                let place = format!("/nodes/{index}/dependencies/{position}");
                match first_at.get(id) {
                    Some(target) => edges.entry(index).or_insert_with(Vec::new).push((*target, place)),
                    // Searching for the nearest id takes long in a large plan.
                    None if self.problems.len() >= MOST_PROBLEMS => {}
                    None => {
                        let hint = nearest(id, first_at.keys().copied());
                        let hint = hint.map(|meant| format!("did you mean `{meant}`?"));
                        self.hinted(&place, format!("unknown node `{id}`"), hint);
                    }
                }
            }
        }
        for (cycle, place) in cycles(nodes.len(), &edges) {
            let empty = Map::new();
            let name = |index: &usize| {
                let node = nodes[*index].as_object().unwrap_or(&empty);
                format!("`{}`", node.get("id").and_then(Value::as_str).unwrap_or("?"))
            };
            let mut path: Vec<String> = cycle.iter().take(MOST_NAMED).map(name).collect();
            if cycle.len() > MOST_NAMED {
                path.push(format!("… {} more …", cycle.len() - MOST_NAMED));
                path.extend(cycle.last().map(name));
            }
            self.problem(&place, format!("dependency cycle: {}", path.join(" → ")));
        }
    }
}

/// For each node its dependencies, and where each is written.
type Edges = BTreeMap<usize, Vec<(usize, String)>>;

/// Returns the cycles, each with the place that closes it. Every node is visited once, so of several cycles through
/// one node only one is reported.
fn cycles(n_nodes: usize, edges: &Edges) -> Vec<(Vec<usize>, String)> {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        Not,
        OnTheWay,
        Done,
    }
    let mut found = Vec::new();
    let mut seen = vec![Seen::Not; n_nodes];
    for start in 0..n_nodes {
        if seen[start] != Seen::Not {
            continue;
        }
        seen[start] = Seen::OnTheWay;
        // The path to this node, and the index of each node's next dependency.
        let mut way: Vec<(usize, usize)> = vec![(start, 0)];
        while let Some(last) = way.last_mut() {
            let (node, next) = *last;
            last.1 += 1;
            let Some((target, place)) = edges.get(&node).and_then(|list| list.get(next)) else {
                seen[node] = Seen::Done;
                way.pop();
                continue;
            };
            match seen[*target] {
                Seen::Done => {}
                Seen::Not => {
                    seen[*target] = Seen::OnTheWay;
                    way.push((*target, 0));
                }
                Seen::OnTheWay if found.len() >= MOST_PROBLEMS => {}
                Seen::OnTheWay => {
                    let begin = way.iter().position(|(on_way, _)| on_way == target).unwrap_or(0);
                    let mut cycle: Vec<usize> = way[begin..].iter().map(|(on_way, _)| *on_way).collect();
                    cycle.push(*target);
                    found.push((cycle, place.clone()));
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use proptest::prelude::*;
    use serde_json::json;

    fn check(text: &str, expected: &Expect) {
        let told = match checked_graph(Path::new("planGraph.json"), text.as_bytes()) {
            Ok(graph) => format!("{} nodes", graph.nodes.len()),
            Err(problems) => problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        };
        expected.assert_eq(&told);
    }

    #[test]
    fn a_valid_plan_is_read() {
        check(
            r#"{"version": 1, "nodes": [
                {"id": "a", "description": "x", "scope": "src/**", "tool": "write"},
                {"id": "b", "description": "y", "scope": ["a/*", "b/*"], "dependencies": ["a"], "status": "forbidden"}
            ]}"#,
            &expect!["2 nodes"],
        );
    }

    #[test]
    fn all_problems_are_reported_at_once() {
        check(
            r#"{"nodes": [
  {"id": "a", "description": "x", "dependencies": ["c"], "status": "actve"},
  {"id": "a", "description": "", "scope": "/etc/**"},
  {"id": "b c", "dependencies": ["a", "d"], "tools": "write"},
  {"id": "c", "description": "y", "dependencies": ["a"], "scope": ["src/{a", 3], "dependsOn": ["b"], "owner": "me"},
  7
]}"#,
            &expect![[r"
                `planGraph.json`, line 2, column 68: unknown status `actve`: write one of pending, active, complete, forbidden, denied; hint: did you mean `active`?
                `planGraph.json`, line 3, column 30: `description` is empty
                `planGraph.json`, line 3, column 43: scope `/etc/**` is absolute; write it relative to the workspace, such as `src/**`
                `planGraph.json`, line 3, column 10: duplicate id `a`: nodes[0] has it, too
                `planGraph.json`, line 4, column 10: id `b c` must consist of letters, digits and `. _ - : / # @ +`
                `planGraph.json`, line 4, column 3: missing `description`
                `planGraph.json`, line 4, column 54: `tools` must be an array of strings
                `planGraph.json`, line 5, column 3: unknown key `dependsOn`; hint: did you mean `dependencies`?
                `planGraph.json`, line 5, column 68: scope `src/{a` is not a glob: unclosed brace expansion at byte 4; missing '}' (to match a literal '{', escape it as '\{' or '[{]'); use `*`, `**`, `?`, `[…]` and `{a,b}`
                `planGraph.json`, line 5, column 78: a scope must be a glob, as a string
                `planGraph.json`, line 6, column 3: a node must be an object
                `planGraph.json`, line 4, column 39: unknown node `d`; hint: did you mean `a`?
                `planGraph.json`, line 5, column 52: dependency cycle: `a` → `c` → `a`"]],
        );
    }

    #[test]
    fn a_file_that_is_not_a_plan_is_reported() {
        check("{", &expect!["`planGraph.json`, line 1, column 1: EOF while parsing an object"]);
        check("{}", &expect!["`planGraph.json`, line 1, column 1: missing array `nodes`"]);
        check(
            r#"{"version": 2, "nodes": 1}"#,
            &expect![
                "`planGraph.json`: format 2 is newer than this build's format 1; hint: update steersman"
            ],
        );
        check(
            r#"{"nodes": []}"#,
            &expect!["`planGraph.json`, line 1, column 11: a plan must have at least one node"],
        );
    }

    /// Generates values that are mostly valid.
    fn any_node() -> impl Strategy<Value = Value> {
        let text = || {
            prop_oneof![
                6 => "[ab]".prop_map(Value::from),
                1 => prop_oneof![Just(json!(null)), Just(json!("")), Just(json!(" ")), Just(json!("-a")), Just(json!(7))],
            ]
        };
        let texts = move || {
            prop_oneof![
                6 => proptest::collection::vec("[ab]", 0..3).prop_map(Value::from),
                1 => prop_oneof![Just(json!(null)), Just(json!([7])), Just(json!("a"))],
            ]
        };
        let scope =
            prop_oneof![text(), texts(), Just(json!("src/**")), Just(json!("/etc")), Just(json!("a/{b"))];
        let status = prop_oneof![Just(json!("active")), Just(json!("actve")), Just(json!(null))];
        let maybe = |strategy: BoxedStrategy<Value>| proptest::option::weighted(0.3, strategy);
        let object = (
            proptest::option::weighted(0.9, text()),
            proptest::option::weighted(0.9, text()),
            maybe(texts().boxed()),
            maybe(scope.boxed()),
            maybe(status.boxed()),
            maybe(text().boxed()),
            maybe(texts().boxed()),
        );
        let node = object.prop_map(|(id, description, dependencies, scope, status, tool, tools)| {
            let keys = ["id", "description", "dependencies", "scope", "status", "tool", "tools"];
            let values = [id, description, dependencies, scope, status, tool, tools];
            keys.iter()
                .zip(values)
                .filter_map(|(key, value)| Some(((*key).to_owned(), value?)))
                .collect::<Value>()
        });
        prop_oneof![9 => node, 1 => prop_oneof![Just(json!(["a", "b"])), Just(json!("a"))]]
    }

    fn any_version() -> impl Strategy<Value = Option<Value>> {
        prop_oneof![
            4 => Just(None),
            4 => Just(Some(json!(1))),
            1 => prop_oneof![Just(json!(0)), Just(json!(2)), Just(json!("1")), Just(json!(null))].prop_map(Some),
        ]
    }

    proptest! {
        #[test]
        fn a_plan_is_refused_for_its_cycles_and_only_then(
            edges in proptest::collection::vec((0..6usize, 0..6usize), 0..12)
        ) {
            let nodes: Vec<_> = (0..6).map(|index| {
                let waits: Vec<_> = edges.iter().filter(|(from, _)| *from == index).map(|(_, to)| format!("n{to}")).collect();
                serde_json::json!({"id": format!("n{index}"), "description": "d", "dependencies": waits})
            }).collect();
            let text = serde_json::json!({"nodes": nodes}).to_string();
            // Removing nodes without open dependencies, again and again, leaves the cycles.
            let mut left: Vec<usize> = (0..6).collect();
            loop {
                let waits = |node: usize, left: &[usize]| edges.iter().any(|(from, to)| *from == node && left.contains(to));
                let still: Vec<usize> = left.iter().copied().filter(|node| waits(*node, &left)).collect();
                if still.len() == left.len() { break }
                left = still;
            }
            let refused = checked_graph(Path::new("p.json"), text.as_bytes()).is_err();
            prop_assert_eq!(refused, !left.is_empty());
        }

        #[test]
        fn the_quick_answer_is_the_thorough_one(
            nodes in proptest::collection::vec(any_node(), 0..4), version in any_version()
        ) {
            let plan = match version {
                Some(version) => json!({"version": version, "nodes": nodes}),
                None => json!({"nodes": nodes}),
            };
            let text = plan.to_string();
            // An unknown key makes the quick check give up.
            let mut with_own_key = plan;
            with_own_key["owner"] = json!("me");
            let quick = valid_graph(text.as_bytes());
            let thorough = checked_graph(Path::new("p.json"), with_own_key.to_string().as_bytes()).ok();
            prop_assert_eq!(quick, thorough, "{}", text);
        }
    }
}
