//! `planGraph.json` as types.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use store::Format;

/// A plan: nodes that depend on each other.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(extend("additionalProperties" = true)))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlanGraph {
    /// The format of this file; 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// The JSON Schema for editors.
    #[serde(default, rename = "$schema", skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The nodes, in any order.
    #[serde(deserialize_with = "objects")]
    pub nodes: Vec<Node>,
}

/// One piece of the work.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(extend("additionalProperties" = true)))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Node {
    /// Names it: letters, digits, `.`, `_` and `-`.
    pub id: String,
    /// The task.
    pub description: String,
    /// The tool for it, by name or kind (`write`, `shell`, `search`, …).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Several tools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// The files of the node: a glob below the workspace, or several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<OneOrMore>,
    /// Its status when the plan was written.
    #[serde(default)]
    pub status: NodeStatus,
    /// Why it is forbidden or denied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The nodes that must be complete first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<String>,
    /// Its checks: commands, or sentences for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub validations: Vec<String>,
}

/// One string, or an array of strings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum OneOrMore {
    /// One string.
    One(String),
    /// An array.
    More(Vec<String>),
}

/// WHY by hand: `untagged` copies every value before it matches a variant, at every call.
impl<'de> Deserialize<'de> for OneOrMore {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrMoreVisitor)
    }
}

struct OneOrMoreVisitor;

impl<'de> Visitor<'de> for OneOrMoreVisitor {
    type Value = OneOrMore;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or an array of strings")
    }

    fn visit_str<E>(self, text: &str) -> Result<OneOrMore, E> {
        Ok(OneOrMore::One(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, texts: A) -> Result<OneOrMore, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(texts)).map(OneOrMore::More)
    }
}

/// Reads an array of objects. The derived code would accept an inner array as the fields of an object.
fn objects<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Node>, D::Error> {
    struct Object(Node);

    impl<'de> Deserialize<'de> for Object {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_map(ObjectVisitor)
        }
    }

    struct ObjectVisitor;

    impl<'de> Visitor<'de> for ObjectVisitor {
        type Value = Object;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a node, as an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object, A::Error> {
            Node::deserialize(MapAccessDeserializer::new(map)).map(Object)
        }
    }

    let objects = Vec::<Object>::deserialize(deserializer)?;
    Ok(objects.into_iter().map(|Object(node)| node).collect())
}

/// The status of a node.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum NodeStatus {
    /// Not started.
    #[default]
    Pending,
    /// In progress.
    Active,
    /// Done.
    Complete,
    /// Must not be done.
    Forbidden,
    /// A user refused it.
    Denied,
}

impl NodeStatus {
    /// Every status, in the order of a node's life.
    pub const ALL: [Self; 5] = [Self::Pending, Self::Active, Self::Complete, Self::Forbidden, Self::Denied];

    /// Returns the word for it in plans, states and journals.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Active => "active",
            Self::Complete => "complete",
            Self::Forbidden => "forbidden",
            Self::Denied => "denied",
        }
    }

    /// Returns the status of this name; `None` for an unknown one.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }

    /// Returns whether the node must not be done.
    pub const fn is_shut(self) -> bool {
        matches!(self, Self::Forbidden | Self::Denied)
    }
}

impl fmt::Display for NodeStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl PlanGraph {
    /// The format this build reads.
    pub const FORMAT: Format = Format(1);
}

impl Node {
    /// Returns the globs of its files; empty if it names none.
    pub fn scopes(&self) -> &[String] {
        match &self.scope {
            None => &[],
            Some(OneOrMore::One(glob)) => std::slice::from_ref(glob),
            Some(OneOrMore::More(globs)) => globs,
        }
    }

    /// Returns the names and kinds of its tools; empty if it names none.
    pub fn tool_words(&self) -> impl Iterator<Item = &str> {
        self.tool.iter().chain(&self.tools).map(String::as_str)
    }

    /// Returns whether it names tools.
    pub fn names_tools(&self) -> bool {
        self.tool_words().next().is_some()
    }
}
