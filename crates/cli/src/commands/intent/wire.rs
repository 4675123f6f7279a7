//! An intent as programs read it.

use intent::{Intent, Selection};
use serde_json::{Value, json};

/// Returns every field of an intent.
pub(super) fn intent(intent: &Intent, selection: Option<&Selection>) -> Value {
    json!({
        "id": intent.id.as_str(),
        "name": intent.name,
        "description": intent.description,
        "status": intent.status.as_str(),
        "selected": selection.is_some_and(|selection| selection.intent_id == intent.id),
        "ownedScope": intent.owned_scope,
        "constraints": intent.constraints,
        "acceptanceCriteria": intent.acceptance_criteria,
        "metadata": intent.metadata,
    })
}
