//! `summary.json`: the figures of a session for programs, and the source of the page.

use std::collections::BTreeMap;

use serde::Serialize;
use session::PromptRecord;
use store::Format;

use super::figures::Figures;
use super::listing::Listing;
use super::plan_nodes::OpenNode;

/// The figures of a session, derived from its journal when a turn ended.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct StopSummary {
    /// The format of this file; 1.
    pub(super) version: u64,
    /// The session.
    pub(super) session_id: String,
    /// Its host.
    pub(super) host: String,
    /// When this was written, in milliseconds since 1970.
    pub(super) generated_ts: u64,
    /// The part of the journal that was read.
    pub(super) journal: JournalPart,
    /// The times of the session.
    pub(super) time: TimeSpan,
    /// The number of prompts.
    pub(super) turns: u64,
    /// The number of pieces of work.
    pub(super) works: u64,
    /// The last prompts, in order.
    pub(super) prompts: Listing<PromptLine>,
    /// Tool calls.
    pub(super) calls: Calls,
    /// Tool calls by tool.
    pub(super) tools: BTreeMap<String, ToolCounts>,
    /// Commands that ran, the most frequent first.
    pub(super) commands: Listing<CommandLine>,
    /// Changed files, the most often changed first.
    pub(super) changed: Listing<ChangedFile>,
    /// Denied calls, the most frequent first.
    pub(super) denied: Listing<StoppedCall>,
    /// Calls that the user was asked about, the most frequent first.
    pub(super) asked: Listing<StoppedCall>,
    /// Failures, and how each ended.
    pub(super) failures: Listing<FailureLine>,
    /// Nodes of the plan that are not complete.
    pub(super) open_nodes: Listing<OpenNode>,
    /// The last decisions of users and plans, in order.
    pub(super) decisions: Listing<DecisionLine>,
    /// The number of started subagents.
    pub(super) subagents: u64,
    /// Failed modules, and runs that exceeded their budget.
    pub(super) faults: u64,
}

/// The part of `events.jsonl` that was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct JournalPart {
    /// Whole lines from its beginning.
    pub(super) lines: u64,
    /// The bytes of these lines.
    pub(super) bytes: u64,
    /// Bytes after them, beyond the budget.
    pub(super) bytes_left: u64,
}

/// The times of the session, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct TimeSpan {
    /// The first line, since 1970.
    pub(super) started_ts: u64,
    /// The last line, since 1970.
    pub(super) ended_ts: u64,
    /// From the first to the last.
    pub(super) wall_ms: u64,
    /// The same without pauses of more than five minutes.
    pub(super) active_ms: u64,
}

/// Tool calls by decision and result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Calls {
    /// All judged calls.
    pub(super) judged: u64,
    /// Passed.
    pub(super) passed: u64,
    /// Denied.
    pub(super) denied: u64,
    /// The user was asked.
    pub(super) asked: u64,
    /// Succeeded.
    pub(super) done: u64,
    /// Failed.
    pub(super) failed: u64,
}

/// The calls of one tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct ToolCounts {
    /// All judged calls.
    pub(super) calls: u64,
    /// Denied.
    pub(super) denied: u64,
    /// The user was asked.
    pub(super) asked: u64,
    /// Failed.
    pub(super) failed: u64,
}

/// A prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct PromptLine {
    pub(super) ts: u64,
    pub(super) turn_id: u64,
    pub(super) work_id: String,
    /// The first sixteen hex digits of its SHA-256.
    pub(super) hash: String,
    /// Its length in characters.
    pub(super) chars: u64,
    /// Its redacted text, where the project records it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) text: Option<String>,
}

/// A command that ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct CommandLine {
    pub(super) command: String,
    /// How often.
    pub(super) times: u64,
    /// How often it failed.
    pub(super) failed: u64,
}

/// A file that was changed by a tool that names its files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct ChangedFile {
    /// Relative to the workspace, if it is below it.
    pub(super) path: String,
    /// How often it was created or changed.
    pub(super) writes: u64,
    /// How often it was deleted.
    pub(super) deletions: u64,
}

/// A call that was denied or asked about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct StoppedCall {
    pub(super) tool: String,
    /// Its command or file.
    pub(super) subject: String,
    /// The module that objected.
    pub(super) by: String,
    /// Why, the last time.
    pub(super) reason: String,
    /// How often.
    pub(super) times: u64,
    /// How often it ran after the user permitted it.
    pub(super) ran: u64,
    /// The last time, since 1970.
    pub(super) last_ts: u64,
}

/// A failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(super) struct FailureLine {
    pub(super) tool: String,
    /// Its command or file.
    pub(super) subject: String,
    /// How often.
    pub(super) times: u64,
    /// The first time, since 1970.
    pub(super) first_ts: u64,
    /// The last time, since 1970.
    pub(super) last_ts: u64,
    /// The last error message.
    pub(super) last_error: String,
    /// How it ended.
    pub(super) end: End,
}

/// How a failure ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "as", rename_all = "lowercase")]
pub(super) enum End {
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
pub(super) struct DecisionLine {
    pub(super) ts: u64,
    pub(super) turn_id: u64,
    pub(super) work_id: String,
    /// `approved`, `permitted`, `unblocked`, `plan` or `stated`.
    pub(super) way: &'static str,
    /// Its subject.
    pub(super) what: String,
    /// The reason, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
}

/// Inputs of the summary beside the figures.
pub(super) struct Frame<'a> {
    pub session_id: String,
    pub host: &'a str,
    pub now: u64,
    pub journal: JournalPart,
    pub texts: BTreeMap<u64, PromptRecord>,
    pub open_nodes: Vec<OpenNode>,
    pub list_items: usize,
}

impl StopSummary {
    /// The format this build writes.
    pub(super) const FORMAT: Format = Format(1);

    /// Builds the summary from the figures.
    pub(super) fn new(frame: &Frame<'_>, figures: &Figures<'_>) -> Self {
        let (started_ts, ended_ts) = figures.span.unwrap_or_default();
        let most = frame.list_items;
        let stopped =
            |(subject, by): &(crate::subject::Subject, String), it: &super::figures::Stopped| StoppedCall {
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
            text: frame.texts.get(&prompt.turn).and_then(|record| record.text.clone()),
        });
        let decisions = figures.decisions.iter().map(|made| DecisionLine {
            ts: made.ts,
            turn_id: made.turn,
            work_id: made.work.clone(),
            way: made.way.name(),
            what: made.what.clone(),
            why: made.why.clone(),
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
            open_nodes: Listing::last_of(frame.open_nodes.clone(), most),
            decisions: Listing::last_of(decisions.collect(), most),
            subagents: figures.subagents,
            faults: figures.faults,
        }
    }
}
