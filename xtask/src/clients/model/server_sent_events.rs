//! Encodes events as a `text/event-stream`.

use std::fmt::Write;

use serde_json::Value;

use super::Answer;

/// Whether each event is named after its field `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// `event: TYPE` precedes the data.
    ByType,
    /// Data only.
    Unnamed,
}

/// Returns the events as an answer, with `end` as last line of data.
pub(super) fn encode(events: &[Value], naming: Naming, end: Option<&str>) -> Answer {
    let mut body = String::new();
    for event in events {
        if let (Naming::ByType, Some(name)) = (naming, event["type"].as_str()) {
            let _ = writeln!(body, "event: {name}");
        }
        let _ = writeln!(body, "data: {event}\n");
    }
    if let Some(end) = end {
        let _ = writeln!(body, "data: {end}\n");
    }
    Answer { status: 200, content_type: "text/event-stream", body }
}
