//! The shape of `.orchestration/active_intents.yaml`, for editors.

#![expect(dead_code, reason = "the shape is described, never read into")]

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde_json::Value;

use crate::{IntentId, Pattern, Status};

/// The intents of a workspace.
#[derive(JsonSchema)]
#[schemars(title = "active-intents", deny_unknown_fields)]
pub(super) struct IntentsWire {
    /// The format; 1 if it is not given.
    version: Option<u64>,
    /// The intents, each with an id of its own.
    intents: Option<Vec<IntentWire>>,
    /// Another spelling of `intents`.
    active_intents: Option<Vec<IntentWire>>,
}

/// A declared piece of work and the files it may write.
#[derive(JsonSchema)]
#[schemars(rename = "Intent", deny_unknown_fields)]
struct IntentWire {
    /// `INT-` and digits.
    id: IntentId,
    /// A name for people.
    name: String,
    /// What is to be done.
    #[schemars(default)]
    description: String,
    /// How far it has come.
    status: Status,
    /// Globs over workspace-relative paths: the files it may write.
    #[schemars(length(min = 1))]
    owned_scope: Option<Vec<Pattern>>,
    /// Another spelling of `owned_scope`.
    #[schemars(rename = "ownedScope", length(min = 1))]
    owned_scope_camel: Option<Vec<Pattern>>,
    /// What has to be kept to.
    #[schemars(default)]
    constraints: Vec<String>,
    /// When it is done.
    #[schemars(default)]
    acceptance_criteria: Vec<String>,
    /// Another spelling of `acceptance_criteria`.
    #[schemars(rename = "acceptanceCriteria", default)]
    acceptance_criteria_camel: Vec<String>,
    /// Whatever else its author wants to note.
    metadata: Option<BTreeMap<String, Value>>,
}
