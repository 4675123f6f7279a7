//! The entry of a timeline about an order that stands for a person's: held, released, approved, or the turn ended.

use event::LineKind;
use serde_json::Value;
use session::EventRecord;

use crate::EntryKind;

/// Returns the order to stop or to continue; `None` for other lines.
pub(crate) fn of_order(line: &EventRecord) -> Option<EntryKind> {
    let (text, stops) = match LineKind::parse(&line.kind)? {
        LineKind::Held => match line.data.get("after").and_then(Value::as_u64) {
            None | Some(0) => ("a person holds the session".to_owned(), true),
            Some(1) => ("a person holds the session after one more call".to_owned(), true),
            Some(n) => (format!("a person holds the session after {n} more calls"), true),
        },
        LineKind::Released => ("a person released the session".to_owned(), false),
        LineKind::Approved => {
            let of = |key: &str| line.data.get(key).and_then(Value::as_str).unwrap_or_default();
            (format!("{} approved without a prompt ({})", of("tool"), of("basis")), false)
        }
        LineKind::TurnEnded => ("a person ended this turn".to_owned(), true),
        _ => return None,
    };
    let reason = line.data.get("reason").and_then(Value::as_str);
    Some(EntryKind::Order { text: reason.map_or(text.clone(), |reason| format!("{text}: {reason}")), stops })
}
