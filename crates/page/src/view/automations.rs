//! The automations, their runs and their history.

use automation::ExecutionRecord;
use serde::Serialize;

/// The automations of the workspace.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "api-automations"))]
#[serde(rename_all = "camelCase")]
pub struct Automations {
    /// When this was computed.
    pub ts: u64,
    /// Why no automation runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// The problems of their files.
    pub file_problems: Vec<String>,
    /// The automations, in the order of their files.
    pub automations: Vec<AutomationRow>,
    /// The running and queued runs.
    pub runs: Vec<OpenRun>,
    /// The ended runs that match the search, the latest first.
    pub history: Vec<EndedRun>,
    /// The text that the ended runs contain.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub search: String,
    /// The only status of the ended runs.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub status: String,
    /// Why the history is incomplete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history_problem: Option<String>,
}

/// An automation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct AutomationRow {
    /// Its id.
    pub id: String,
    /// Its display name.
    pub label: String,
    /// Its trigger.
    pub trigger: String,
    /// The files that it is about, or the times of its schedule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// Its action: for a prompt the program that gets it, if the automation names one.
    pub action: String,
    /// Whether its file enables it.
    pub enabled: bool,
    /// Why it cannot run, with a hint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impediment: Option<String>,
    /// Why the server paused it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paused: Option<String>,
    /// How often it ran.
    pub n_runs: u64,
    /// The end of its last run, as ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_run: Option<String>,
    /// The statuses of its latest runs, the latest last.
    pub latest: Vec<String>,
}

/// A running or queued run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OpenRun {
    /// Its id.
    pub id: String,
    /// The automation.
    pub hook_id: String,
    /// `running`, `queued`, `retrying` or `canceling`.
    pub status: String,
    /// Since when.
    pub since: u64,
    /// How many attempts started.
    pub attempts: u32,
    /// The trigger.
    pub trigger: String,
    /// The file it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
}

/// An ended run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EndedRun {
    /// Its record, without its output.
    #[serde(flatten)]
    pub record: ExecutionRecord,
    /// How long it ran, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// The last line that it printed to stderr; if it printed none, why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_line: Option<String>,
}

/// One run with its output.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "api-automation-run"))]
#[serde(rename_all = "camelCase")]
pub struct RunOutput {
    /// When this was computed.
    pub ts: u64,
    /// The record; of an open run, as far as it is known.
    pub record: ExecutionRecord,
    /// Whether it has ended.
    pub has_ended: bool,
    /// How long it ran, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
}

impl EndedRun {
    /// Returns the view of a record.
    pub fn of(mut record: ExecutionRecord) -> Self {
        let error_line = record.error_line().map(str::to_owned);
        let duration_ms = record.duration_millis();
        record.logs = None;
        Self { record, duration_ms, error_line }
    }
}
