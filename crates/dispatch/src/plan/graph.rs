//! `planGraph.json` as types.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use store::Format;

/// A plan: nodes that wait for each other.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(extend("additionalProperties" = true)))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlanGraph {
    /// The format of this file; 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// What editors check this file against.
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
    /// What is to be done.
    pub description: String,
    /// The tool it is done with, by name or kind (`write`, `shell`, `search`, …).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The same, if there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// The files it is about: a glob below the workspace, or several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<OneOrMore>,
    /// Where it stood when the plan was written.
    #[serde(default)]
    pub status: NodeStatus,
    /// Why it is forbidden or denied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The nodes that have to be complete first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<String>,
    /// How to tell that it is done: commands, or sentences for people.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub validations: Vec<String>,
}

/// One text, or a list of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum OneOrMore {
    /// One.
    One(String),
    /// Several.
    More(Vec<String>),
}

/// WHY by hand: `untagged` makes a copy of everything before it looks at it, with every call.
impl<'de> Deserialize<'de> for OneOrMore {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OneOrMoreVisitor)
    }
}

struct OneOrMoreVisitor;

impl<'de> Visitor<'de> for OneOrMoreVisitor {
    type Value = OneOrMore;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a list of texts")
    }

    fn visit_str<E>(self, text: &str) -> Result<OneOrMore, E> {
        Ok(OneOrMore::One(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, texts: A) -> Result<OneOrMore, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(texts)).map(OneOrMore::More)
    }
}

/// Reads a list of objects. A list within would be taken for the fields of an object in their order.
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

/// Where a node stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum NodeStatus {
    /// Not begun.
    #[default]
    Pending,
    /// Being worked on.
    Active,
    /// Done.
    Complete,
    /// Must not be done.
    Forbidden,
    /// Was refused by a person.
    Denied,
}

impl NodeStatus {
    /// Every status, in the order of a node's life.
    pub const ALL: [Self; 5] = [Self::Pending, Self::Active, Self::Complete, Self::Forbidden, Self::Denied];

    /// Returns the word used in plans, states and journals.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Active => "active",
            Self::Complete => "complete",
            Self::Forbidden => "forbidden",
            Self::Denied => "denied",
        }
    }

    /// Returns the status of this name.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }

    /// Whether nothing may be done about the node.
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

    /// Whether it names tools.
    pub fn names_tools(&self) -> bool {
        self.tool_words().next().is_some()
    }
}
