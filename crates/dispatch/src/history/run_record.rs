//! The last line of a run: who said what, and what came of it. Dispatch writes it, everything else reads it.

use event::LineKind;
use host::{Host, Wire};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::EventRecord;
use crate::fit::PERMITTED;

/// The `data` of a `HOOK_RUN` line. Forgiving, since lines of other builds are read too.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RunRecord {
    /// The key by which a repetition of the call is recognised. First, because `repeat` looks for it there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_key: Option<String>,
    /// Who was answered.
    pub host: String,
    /// To what, in the contract's spelling.
    pub event: String,
    /// The same in the host's spelling, where that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_event: Option<String>,
    /// What the host was told.
    pub decision: String,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The module whose word decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// The folder the host worked in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The role of the subagent it happened in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_type: Option<String>,
    /// The agent that `steersman agent run` had started the host as.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub running_agent: Option<String>,
    /// The tool that was called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The host's id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_use_id: Option<String>,
    /// What was kept of the tool's input: without secrets, long texts cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Value>,
    /// Something of the input was cut.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub input_cut: bool,
    /// What an identical call has in common with this one; only where a call was stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_hash: Option<String>,
    /// One entry per module that ran, in order.
    pub modules: Vec<ModuleReport>,
    /// The complete input the tool was to run with instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rewrite: Option<Value>,
    /// The ids the call was filed under.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub stamps: Map<String, Value>,
    /// What the model was told something about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<String>,
    /// What the person was told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What modules returned that does not count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<String>,
    /// What the host cannot carry out at this event.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<String>,
    /// The automations that led to the process that asks, the first first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub automations: Vec<String>,
    /// How long the run took, in microseconds.
    pub us: u64,
    /// What changed in the state.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub patch: Map<String, Value>,
}

/// What one module said.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ModuleReport {
    /// Which module.
    pub name: String,
    /// How long it took, in microseconds.
    pub us: u64,
    /// Its own decision.
    pub decision: String,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Its own numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metrics: Option<Value>,
}

impl RunRecord {
    /// The type of the lines that end a run.
    pub const KIND: &'static str = LineKind::HookRun.name();

    /// Reads it from its line.
    pub fn of(line: &EventRecord) -> Option<Self> {
        (line.kind == Self::KIND).then(|| Self::deserialize(&line.data).ok()).flatten()
    }

    /// Returns the `data` of its line.
    pub(crate) fn to_data(&self) -> Value {
        // Strings, numbers, arrays and JSON always serialize.
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Returns the host and how it spells the event.
    pub fn wire(&self) -> Option<Wire> {
        let host = Host::from_name(&self.host)?;
        Wire::spelled(host, self.host_event.as_deref().unwrap_or(&self.event))
    }

    /// Returns whether a module wanted a person to decide, whatever became of it.
    pub fn was_ask(&self) -> bool {
        let asked = self.modules.iter().any(|module| module.decision == "ask");
        self.decision == "ask" || (self.decision == "deny" && asked && !self.a_module_denied())
    }

    /// Returns whether an ask was refused because the host cannot ask.
    pub fn was_hardened(&self) -> bool {
        self.decision == "deny" && self.was_ask()
    }

    /// Returns whether a person had permitted this very call.
    pub fn was_permitted(&self) -> bool {
        self.warnings.iter().any(|warning| warning == PERMITTED)
    }

    fn a_module_denied(&self) -> bool {
        self.modules.iter().any(|module| module.decision == "deny")
    }
}
