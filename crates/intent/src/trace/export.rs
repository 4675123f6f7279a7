//! Exports the trace to other formats.

use serde_json::{Value, json};

use super::{LineRange, TraceRecord};

/// The version of the public Agent Trace format.
pub const AGENT_TRACE: &str = "0.1.0";

/// The header of the CSV table.
pub const CSV_HEADER: &str =
    "intent_id,content_hash,file_path,mutation_class,line_ranges,timestamp,tool_name,git_sha";

/// Converts a record to an Agent Trace record. `version` is the version of steersman.
///
/// The same record always gets the same id. Fields without a counterpart in the public format
/// (intent, hash of the whole file, tool of the host) go to its metadata.
pub fn agent_trace(record: &TraceRecord, version: &str) -> Value {
    let ranges = record.line_ranges.iter().flatten();
    let ranges: Vec<Value> =
        ranges.map(|range| json!({"start_line": range.start, "end_line": range.end})).collect();
    let conversation = json!({"contributor": {"type": "ai"}, "ranges": ranges});
    let mut exported = json!({
        "version": AGENT_TRACE,
        "id": id_of(record),
        "timestamp": record.timestamp,
    });
    if let Some(sha) = &record.git_sha {
        exported["vcs"] = json!({"type": "git", "revision": sha});
    }
    exported["tool"] = json!({"name": "steersman", "version": version});
    exported["files"] = json!([{"path": record.file_path, "conversations": [conversation]}]);
    exported["metadata"] = json!({"steersman": {
        "intent_id": record.intent_id.as_str(),
        "content_hash": record.content_hash.as_str(),
        "mutation_class": record.mutation_class.as_str(),
        "tool_name": record.tool_name,
    }});
    exported
}

/// Returns a record as a line of CSV, without a line break at its end.
pub fn csv(record: &TraceRecord) -> String {
    let range = |range: &LineRange| format!("{}-{}", range.start, range.end);
    let ranges: Vec<String> = record.line_ranges.iter().flatten().map(range).collect();
    let fields = [
        record.intent_id.as_str(),
        record.content_hash.as_str(),
        &record.file_path,
        record.mutation_class.as_str(),
        &ranges.join(" "),
        &record.timestamp,
        &record.tool_name,
        record.git_sha.as_deref().unwrap_or(""),
    ];
    fields.map(quoted).join(",")
}

/// Quotes a field that needs it (RFC 4180).
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

/// Derives a UUID (version 8, custom) from the record's content.
fn id_of(record: &TraceRecord) -> String {
    let line = serde_json::to_string(record).unwrap_or_default();
    let hex = store::fingerprint([line.as_bytes()]).to_string();
    format!("{}-{}-8{}-a{}-{}", &hex[..8], &hex[8..12], &hex[13..16], &hex[17..20], &hex[20..32])
}
