//! `summary.json`: the figures of a session for programs, and the source of the page.

use std::collections::BTreeMap;

use event::TurnId;
use serde::Serialize;
use serde_json::{Value, json};
use session::{PromptRecord, Subject};
use store::Format;

use crate::figures::{Figures, Stopped};
use crate::listing::Listing;

/// The figures of a session, derived from its journal when a turn ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StopSummary {
    /// The format of this file; 1.
    pub(crate) version: u64,
    /// The session.
    pub(crate) session_id: String,
    /// Its host.
    pub(crate) host: String,
    /// When this was written, in milliseconds since 1970.
    pub(crate) generated_ts: u64,
    /// The part of the journal that was read.
    pub(crate) journal: JournalPart,
    /// The times of the session.
    pub(crate) time: TimeSpan,
    /// The number of prompts.
    pub(crate) turns: u64,
    /// The number of pieces of work.
    pub(crate) works: u64,
    /// The last prompts, in order.
    pub(crate) prompts: Listing<PromptLine>,
    /// Tool calls.
    pub(crate) calls: Calls,
    /// Tool calls by tool.
    pub(crate) tools: BTreeMap<String, ToolCounts>,
    /// Commands that ran, the most frequent first.
    pub(crate) commands: Listing<CommandLine>,
    /// Changed files, the most often changed first.
    pub(crate) changed: Listing<ChangedFile>,
    /// Denied calls, the most frequent first.
    pub(crate) denied: Listing<StoppedCall>,
    /// Calls that the user was asked about, the most frequent first.
    pub(crate) asked: Listing<StoppedCall>,
    /// Failures, and how each ended.
    pub(crate) failures: Listing<FailureLine>,
    /// The acceptance checks of the last stop at which they ran.
    pub(crate) checks: Listing<AcceptanceCheck>,
    /// Nodes of the plan that are not complete.
    pub(crate) open_nodes: Listing<OpenNode>,
    /// The last decisions of users and plans, in order.
    pub(crate) decisions: Listing<DecisionLine>,
    /// The number of started subagents.
    pub(crate) subagents: u64,
    /// Failed modules, and runs that exceeded their budget.
    pub(crate) faults: u64,
}

/// The part of `events.jsonl` that was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct JournalPart {
    /// Whole lines from its beginning.
    pub(crate) lines: u64,
    /// The bytes of these lines.
    pub(crate) bytes: u64,
    /// Bytes after them, beyond the budget.
    pub(crate) bytes_left: u64,
}

/// The times of the session, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct TimeSpan {
    /// The first line, since 1970.
    pub(crate) started_ts: u64,
    /// The last line, since 1970.
    pub(crate) ended_ts: u64,
    /// From the first to the last.
    pub(crate) wall_ms: u64,
    /// The same without pauses of more than five minutes.
    pub(crate) active_ms: u64,
}

/// Tool calls by decision and result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Calls {
    /// All judged calls.
    pub(crate) judged: u64,
    /// Passed.
    pub(crate) passed: u64,
    /// Denied.
    pub(crate) denied: u64,
    /// The user was asked.
    pub(crate) asked: u64,
    /// Succeeded.
    pub(crate) done: u64,
    /// Failed.
    pub(crate) failed: u64,
}

/// The calls of one tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ToolCounts {
    /// All judged calls.
    pub(crate) calls: u64,
    /// Denied.
    pub(crate) denied: u64,
    /// The user was asked.
    pub(crate) asked: u64,
    /// Failed.
    pub(crate) failed: u64,
}

/// An acceptance check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct AcceptanceCheck {
    /// The command.
    pub(crate) command: String,
    /// The node of the plan whose validation it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) node: Option<String>,
    /// `passed`, `failed`, `timed-out`, `refused`, `skipped` or `read`.
    pub(crate) result: String,
    /// The reason of any result but `passed` and `read`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) why: String,
    /// How long it took, in milliseconds.
    pub(crate) ms: u64,
}

/// A prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct PromptLine {
    pub(crate) ts: u64,
    pub(crate) turn_id: u64,
    pub(crate) work_id: String,
    /// The first sixteen hex digits of its SHA-256.
    pub(crate) hash: String,
    /// Its length in characters.
    pub(crate) chars: u64,
    /// Its redacted text or first line, where the project records it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
}

/// A command that ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct CommandLine {
    pub(crate) command: String,
    /// How often.
    pub(crate) times: u64,
    /// How often it failed.
    pub(crate) failed: u64,
}

/// A file that was changed by a tool that names its files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ChangedFile {
    /// Relative to the workspace, if it is below it.
    pub(crate) path: String,
    /// How often it was created or changed.
    pub(crate) writes: u64,
    /// How often it was deleted.
    pub(crate) deletions: u64,
}

/// A call that was denied or asked about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct StoppedCall {
    pub(crate) tool: String,
    /// Its command or file.
    pub(crate) subject: String,
    /// The module that objected.
    pub(crate) by: String,
    /// Why, the last time.
    pub(crate) reason: String,
    /// How often.
    pub(crate) times: u64,
    /// How often it ran after the user permitted it.
    pub(crate) ran: u64,
    /// The last time, since 1970.
    pub(crate) last_ts: u64,
}

/// A failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct FailureLine {
    pub(crate) tool: String,
    /// Its command or file.
    pub(crate) subject: String,
    /// How often.
    pub(crate) times: u64,
    /// The first time, since 1970.
    pub(crate) first_ts: u64,
    /// The last time, since 1970.
    pub(crate) last_ts: u64,
    /// The last error message.
    pub(crate) last_error: String,
    /// How it ended.
    pub(crate) end: End,
}

/// How a failure ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "as", rename_all = "lowercase")]
pub(crate) enum End {
    /// It has not worked since.
    #[default]
    Open,
    /// It worked afterwards.
    Fixed {
        /// When, since 1970.
        ts: u64,
    },
}

/// A decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct DecisionLine {
    pub(crate) ts: u64,
    pub(crate) turn_id: u64,
    pub(crate) work_id: String,
    /// `approved`, `permitted`, `unblocked`, `plan` or `stated`.
    pub(crate) way: &'static str,
    /// Its subject.
    pub(crate) what: String,
    /// The reason, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
}

/// A node of the plan that is not complete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpenNode {
    /// Its id in the plan.
    pub id: String,
    /// Its task.
    pub description: String,
    /// `pending`, `active`, `forbidden` or `denied`.
    pub status: String,
}

/// Inputs of the summary beside the figures.
#[derive(Debug)]
pub struct Frame<'a> {
    /// The session.
    pub session_id: String,
    /// Its host.
    pub host: &'a str,
    /// The time of the summary, in milliseconds since 1970.
    pub now: u64,
    /// The part of the journal that the figures cover.
    pub journal: JournalPart,
    /// The prompts by turn, where the project records them.
    pub texts: BTreeMap<TurnId, PromptRecord>,
    /// Nodes of the plan that are not complete.
    pub open_nodes: Vec<OpenNode>,
    /// The most items of each list.
    pub list_items: usize,
}

impl StopSummary {
    /// The format this build writes.
    const FORMAT: Format = Format(1);

    /// Returns the `data` of the journal's line about the summary.
    pub fn line_data(&self) -> Value {
        json!({
            "lines": self.journal.lines, "bytesLeft": self.journal.bytes_left, "calls": self.calls.judged,
            "changed": self.changed.total, "failures": self.failures.total,
        })
    }

    /// Builds the summary from the figures.
    pub fn new(frame: &Frame<'_>, figures: &Figures<'_>) -> Self {
        let (started_ts, ended_ts) = figures.span.unwrap_or_default();
        let most = frame.list_items;
        let stopped = |(subject, by): &(Subject, String), it: &Stopped| StoppedCall {
            tool: subject.tool.clone(),
            subject: subject.text.clone(),
            by: by.clone(),
            reason: it.reason.clone(),
            times: it.times,
            ran: it.ran,
            last_ts: it.last_ts,
        };
        let prompts = figures.prompts.iter().map(|prompt| PromptLine {
            ts: prompt.ts,
            turn_id: prompt.turn,
            work_id: prompt.work.clone(),
            hash: prompt.hash.clone(),
            chars: prompt.chars,
            text: frame.texts.get(&prompt.turn).and_then(|record| record.shown().map(str::to_owned)),
        });
        let decisions = figures.decisions.iter().map(|made| DecisionLine {
            ts: made.ts,
            turn_id: made.turn,
            work_id: made.work.clone(),
            way: made.origin.name(),
            what: made.what.clone(),
            why: made.why.clone(),
        });
        let checks = figures.done_check.iter().flat_map(|check| &check.checks).map(|check| AcceptanceCheck {
            command: check.command.clone(),
            node: check.node.clone(),
            result: check.result.clone(),
            why: check.why.clone(),
            ms: check.ms,
        });
        Self {
            version: Self::FORMAT.0,
            session_id: frame.session_id.clone(),
            host: frame.host.to_owned(),
            generated_ts: frame.now,
            journal: frame.journal,
            time: TimeSpan {
                started_ts,
                ended_ts,
                wall_ms: ended_ts - started_ts,
                active_ms: figures.active_ms,
            },
            turns: figures.prompts.len() as u64,
            works: figures.works.len() as u64,
            prompts: Listing::last_of(prompts.collect(), most),
            calls: figures.calls,
            tools: figures.tools.clone(),
            commands: figures.commands.largest(
                most,
                |runs| runs.times,
                |command, runs| CommandLine {
                    command: command.clone(),
                    times: runs.times,
                    failed: runs.failed,
                },
            ),
            changed: figures.changed.largest(
                most,
                |changes| changes.writes + changes.deletions,
                |path, changes| ChangedFile {
                    path: path.clone(),
                    writes: changes.writes,
                    deletions: changes.deletions,
                },
            ),
            denied: figures.denied.largest(most, |it| it.times, stopped),
            asked: figures.asked.largest(most, |it| it.times, stopped),
            failures: figures.failures.largest(
                most,
                |failure| failure.times,
                |subject, failure| FailureLine {
                    tool: subject.tool.clone(),
                    subject: subject.text.clone(),
                    times: failure.times,
                    first_ts: failure.first_ts,
                    last_ts: failure.last_ts,
                    last_error: failure.last_error.clone(),
                    end: failure.end,
                },
            ),
            checks: Listing::last_of(checks.collect(), most),
            open_nodes: Listing::last_of(frame.open_nodes.clone(), most),
            decisions: Listing::last_of(decisions.collect(), most),
            subagents: figures.subagents,
            faults: figures.faults,
        }
    }
}
