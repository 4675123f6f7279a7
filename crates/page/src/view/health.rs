//! Whether steersman itself works: the times of hooks, failures of modules, exceeded budgets.

use serde::Serialize;

use super::Activity;

/// The health page.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(title = "api-health"))]
#[serde(rename_all = "camelCase")]
pub struct Health {
    /// When this was computed.
    pub ts: u64,
    /// The version of steersman.
    pub version: String,
    /// The hook runs of the last hours.
    pub activity: Activity,
    /// The number of hook runs in that time.
    pub n_hooks: u64,
    /// Their median time, in microseconds.
    pub p50_us: u64,
    /// The time that one of twenty exceeded, in microseconds.
    pub p95_us: u64,
    /// The longest time, in microseconds.
    pub longest_us: u64,
    /// How many runs the watchdog ended.
    pub out_of_time: u64,
    /// The modules, the slowest first.
    pub modules: Vec<ModuleTime>,
    /// The latest failures, the latest first.
    pub faults: Vec<Fault>,
    /// The findings of the doctor; absent until the first check has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doctor: Option<Doctor>,
    /// The problems of the server: trust, watches, impeded automations.
    pub problems: Vec<String>,
}

/// The findings of the doctor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Doctor {
    /// When it looked.
    pub ts: u64,
    /// The findings, in the order of their subjects.
    pub checks: Vec<Check>,
}

/// A finding of the doctor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Check {
    /// The subject.
    pub section: String,
    /// `fine`, `aside`, `warning` or `wrong`.
    pub level: String,
    /// The finding.
    pub message: String,
    /// The file and the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The remedy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

/// The time that a module took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ModuleTime {
    /// Its name.
    pub name: String,
    /// How often it ran.
    pub n: u64,
    /// Its mean time, in microseconds.
    pub mean_us: u64,
    /// Its longest time, in microseconds.
    pub longest_us: u64,
    /// How often it failed.
    pub errors: u64,
}

/// A failure of a module, or an exceeded budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fault {
    /// When.
    pub ts: u64,
    /// The session.
    pub sid: String,
    /// The run.
    pub run: String,
    /// The module, if one failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// The event, as a sentence.
    pub what: String,
}
