//! Checks after a call that it ran confined, and explains the writes that the kernel refused.
//!
//! A call in the background may end, for its host, before its shell starts: it is judged at the next event.

use event::{Detail, LineKind, Outcome, ToolCall};
use modules::Context;
use serde_json::json;
use session::shell_call::{Arrival, RecordedCall};
use store::CallStage;

use super::{Confinement, emitted, folder, refused_writes, sealing};

/// The longest part of a command in a warning.
const MAX_SHOWN: usize = 60;

/// Settles the records of calls that have ended.
pub(super) fn settle(context: &Context<'_>, found: &mut Confinement) {
    let Some(folder) = folder(context) else { return };
    let records = RecordedCall::all(&folder);
    if records.is_empty() {
        return;
    }
    let ended = match &context.event.detail {
        Detail::PostToolUse { call, outcome } => ended(&records, call).map(|record| (record, outcome)),
        _ => None,
    };
    // An interrupted turn leaves calls without an end, most of which never ran.
    let is_over = matches!(context.event.detail, Detail::Stop { .. } | Detail::UserPromptSubmit { .. });
    for record in &records {
        match ended.filter(|(own, _)| std::ptr::eq(*own, record)) {
            Some((_, outcome)) => settle_ended(context, record, outcome, found),
            None => settle_left_over(record, is_over, found),
        }
    }
}

fn ended<'a>(records: &'a [RecordedCall], call: &ToolCall) -> Option<&'a RecordedCall> {
    let command = call.command.as_ref()?;
    RecordedCall::of_end(records, call.id.as_deref(), &command.text)
}

fn settle_ended(context: &Context<'_>, record: &RecordedCall, outcome: &Outcome, found: &mut Confinement) {
    if record.stored.stage != CallStage::Claimed && record.call.background && !record.stored.has_note() {
        found.end.push(record.stored.clone());
        return;
    }
    report(record, found);
    sealing::learn(context, record, outcome, found);
    if let Arrival::Confined(backend) = &record.arrival {
        refused_writes::explain(context, record, backend, outcome, found);
    }
    found.remove.push(record.stored.clone());
}

/// Settles a record of another call: one whose end was reported before, or that the host will not report any more.
fn settle_left_over(record: &RecordedCall, is_over: bool, found: &mut Confinement) {
    match record.stored.stage {
        CallStage::Ended => {
            report(record, found);
            found.remove.push(record.stored.clone());
        }
        CallStage::Claimed if is_over || record.call.background => found.remove.push(record.stored.clone()),
        CallStage::Announced if is_over => found.remove.push(record.stored.clone()),
        CallStage::Claimed | CallStage::Announced => {}
    }
}

/// Reports a call of which no record shows that it ran confined.
fn report(record: &RecordedCall, found: &mut Confinement) {
    let (kind, why) = match (&record.arrival, record.stored.stage) {
        // A claimed call without a line could not be confined, and did not start.
        (Arrival::Confined(_), _) | (Arrival::Missing, CallStage::Claimed) => return,
        (Arrival::Unconfined(why), _) => (LineKind::Unconfined, why.clone()),
        (Arrival::Missing, _) if record.stored.has_note() => {
            let why = "a sandbox of the host kept steersman from recording that it is confined";
            (LineKind::ArrivalUnknown, why.to_owned())
        }
        (Arrival::Missing, _) => (LineKind::Unconfined, "steersman was not in front of its shell".to_owned()),
    };
    let data = json!({"why": why, "call": record.call.call});
    found.action.emit_events.push(emitted(kind, data));
    let command: String = record.call.command.trim().chars().take(MAX_SHOWN).collect();
    let command = command.replace('\n', " ");
    found.action.warnings.push(match kind {
        LineKind::ArrivalUnknown => format!("`{command}` may have run unconfined: {why}"),
        _ => format!("`{command}` ran unconfined: {why}; run `steersman doctor`"),
    });
}
