//! What the journal says about intents, as one schema: the `type` and `data` of a line.

#![expect(dead_code, reason = "the shape is described; only a test reads into it")]

use schemars::JsonSchema;
use serde::Deserialize;

use crate::journal::{
    Denied, FileDeleted, FileWritten, IntentSelected, ScopeDrift, TraceDelayed, WriteConflict,
};

/// The other fields of a line are those of every line: `event-record` describes them.
#[derive(Debug, JsonSchema, Deserialize)]
#[schemars(title = "intent-event")]
#[serde(tag = "type", content = "data", rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum EventsWire {
    IntentDenied(Denied),
    FileWritten(FileWritten),
    FileDeleted(FileDeleted),
    WriteConflict(WriteConflict),
    ScopeDrift(ScopeDrift),
    IntentSelected(IntentSelected),
    TraceDelayed(TraceDelayed),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::JournalRecord;

    fn kind_of<R: JournalRecord>(is_this: fn(&EventsWire) -> bool, data: &serde_json::Value) {
        let line = serde_json::json!({"type": R::KIND.name(), "data": data});
        let read = serde_json::from_value(line).unwrap();
        assert!(is_this(&read), "{}: {read:?}", R::KIND.name());
    }

    #[test]
    fn every_record_has_its_kind() {
        use serde_json::json;
        let hash = "0".repeat(64);
        kind_of::<Denied>(|it| matches!(it, EventsWire::IntentDenied(_)), &json!({"why": "stale"}));
        kind_of::<FileWritten>(
            |it| matches!(it, EventsWire::FileWritten(_)),
            &json!({"intentId": "INT-1", "file": "a", "class": "CREATE", "after": hash}),
        );
        kind_of::<FileDeleted>(
            |it| matches!(it, EventsWire::FileDeleted(_)),
            &json!({"intentId": "INT-1", "file": "a"}),
        );
        kind_of::<WriteConflict>(
            |it| matches!(it, EventsWire::WriteConflict(_)),
            &json!({"intentId": "INT-1", "file": "a", "announced": hash, "found": hash}),
        );
        kind_of::<ScopeDrift>(
            |it| matches!(it, EventsWire::ScopeDrift(_)),
            &json!({"files": [], "complete": true}),
        );
        kind_of::<IntentSelected>(
            |it| matches!(it, EventsWire::IntentSelected(_)),
            &json!({"intentId": "INT-1", "by": "session"}),
        );
        kind_of::<TraceDelayed>(
            |it| matches!(it, EventsWire::TraceDelayed(_)),
            &json!({"nRecords": 1, "spooled": true}),
        );
    }
}
