//! Selects the journal lines that the summary page needs.

use event::LineKind;
use session::{LineView, RunRecord, history};

/// Kinds that count only if the module `session` emitted them.
const OF_SESSION: [LineKind; 4] =
    [LineKind::Prompt, LineKind::ToolDecision, LineKind::ToolOutcome, LineKind::PhaseChange];

/// Kinds that count from any module.
const OF_ANY_MODULE: [LineKind; 2] = [LineKind::Decision, LineKind::PlanAccepted];

/// Kinds that count only from the dispatcher.
const OF_DISPATCHER: [LineKind; 5] = [
    LineKind::ErrorModule,
    LineKind::ErrorModuleCritical,
    LineKind::BudgetExceeded,
    LineKind::Unblocked,
    LineKind::DoneChecked,
];

/// Parses a line if the page needs it. Returns `None` for other lines, which it rejects by their first bytes.
pub(crate) fn of_interest(text: &str) -> Option<LineView<'_>> {
    let head = history::head(text);
    let kind = LineKind::parse(head.split_once("\"type\":\"")?.1.split('"').next()?)?;
    let is_needed = match kind {
        LineKind::HookRun => RunRecord::is_of_subagent_start_or_permission(text),
        kind => OF_SESSION.contains(&kind) || OF_ANY_MODULE.contains(&kind) || OF_DISPATCHER.contains(&kind),
    };
    let line: LineView<'_> = is_needed.then(|| serde_json::from_str(text).ok()).flatten()?;
    let emitter = line.module.as_deref();
    let counts = match kind {
        kind if OF_SESSION.contains(&kind) => emitter == Some("session"),
        kind if OF_ANY_MODULE.contains(&kind) => true,
        _ => emitter.is_none(),
    };
    counts.then_some(line)
}
