//! A line of `events.jsonl`, read only as far as the page needs it.
//!
//! WHY not [`crate::EventRecord`]: a long session has a hundred thousand lines and most of
//! what is in them is never looked at. Lines of no interest are told by their first bytes.

use std::borrow::Cow;

use event::LineKind;
use serde::Deserialize;

use crate::fit::PERMITTED;
use crate::history;

/// A line of interest.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct JournalLine<'a> {
    /// When.
    pub ts: u64,
    /// What happened.
    #[serde(rename = "type", borrow)]
    pub kind: Cow<'a, str>,
    /// In which piece of work.
    #[serde(borrow)]
    pub work_id: Cow<'a, str>,
    /// In which turn.
    pub turn_id: u64,
    /// Who says so; none is the dispatcher.
    #[serde(default)]
    pub module: Option<String>,
    /// What belongs to it.
    #[serde(default, borrow)]
    pub data: LineData<'a>,
}

/// What may belong to a line; each kind has its own part of it.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct LineData<'a> {
    #[serde(borrow)]
    pub tool: Cow<'a, str>,
    pub tool_use_id: Option<String>,
    #[serde(borrow)]
    pub touches: Vec<TouchLine<'a>>,
    pub command: Option<String>,
    #[serde(borrow)]
    pub decision: Cow<'a, str>,
    pub by: Option<String>,
    pub reason: Option<String>,
    pub ok: bool,
    pub error: Option<String>,
    pub hash: Option<String>,
    pub chars: u64,
    #[serde(borrow)]
    pub event: Cow<'a, str>,
    #[serde(borrow)]
    pub to: Cow<'a, str>,
    pub why: Option<String>,
    pub title: Option<String>,
    pub choice: Option<String>,
}

/// A path that a call touched.
#[derive(Debug, Deserialize)]
pub(super) struct TouchLine<'a> {
    #[serde(borrow)]
    pub path: Cow<'a, str>,
    #[serde(borrow)]
    pub access: Cow<'a, str>,
}

/// Kinds that only the module `session` tells the truth about.
const OF_SESSION: [LineKind; 4] =
    [LineKind::Prompt, LineKind::ToolDecision, LineKind::ToolOutcome, LineKind::PhaseChange];

/// Kinds that anybody may emit.
const OF_ANYBODY: [LineKind; 2] = [LineKind::Decision, LineKind::PlanAccepted];

/// Kinds of the dispatcher's own.
const OF_DISPATCHER: [LineKind; 4] =
    [LineKind::ErrorModule, LineKind::ErrorModuleCritical, LineKind::BudgetExceeded, LineKind::Unblocked];

impl<'a> JournalLine<'a> {
    /// Reads a line if it says something the page tells of.
    pub(super) fn of_interest(text: &'a str) -> Option<Self> {
        let head = history::head(text);
        let kind = LineKind::parse(head.split_once("\"type\":\"")?.1.split('"').next()?)?;
        let is_wanted = match kind {
            LineKind::HookRun => is_telling_run(text),
            kind => OF_SESSION.contains(&kind) || OF_ANYBODY.contains(&kind) || OF_DISPATCHER.contains(&kind),
        };
        let line: Self = is_wanted.then(|| serde_json::from_str(text).ok()).flatten()?;
        let speaker = line.module.as_deref();
        let is_true = match kind {
            kind if OF_SESSION.contains(&kind) => speaker == Some("session"),
            kind if OF_ANYBODY.contains(&kind) => true,
            _ => speaker.is_none(),
        };
        is_true.then_some(line)
    }
}

/// Whether a run is about a subagent that began, or a call that a person had permitted.
fn is_telling_run(text: &str) -> bool {
    let start = &text[..text.floor_char_boundary(512)];
    start.contains("\"event\":\"SubagentStart\"") || text.contains(PERMITTED)
}
