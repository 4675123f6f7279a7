//! The line that ends a run, for its writer and all its readers: a new field touches only this file.
//!
//! A run ends with a `HOOK_RUN` line ([`RunRecord`]). If the watchdog ends it, the line is a `BUDGET_EXCEEDED` or
//! `ERROR_CRASH` one ([`CutShortRecord`]).

use std::borrow::Cow;

use event::{Decision, EventName, LineKind};
use host::{Host, ReplyTarget};
use redact::Redacted;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::Timestamp;

use crate::allowance::PERMITTED;
use crate::record::EventLine;
use crate::{Emitted, EventRecord, Ids, RecordedDecision};

/// The `data` of a `HOOK_RUN` line. Every field has a default, since other builds may have written the line.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RunRecord {
    /// The hash of [`crate::RepeatKey`]. First, because `repeat` looks for it there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call_key: Option<String>,
    /// The host that received the answer.
    pub host: String,
    /// The event, in the contract's spelling.
    pub event: String,
    /// The event in the host's spelling, where that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_event: Option<String>,
    /// The decision in the answer.
    pub decision: RecordedDecision,
    /// The reason of the decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The module that decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// The host's working folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The role of the subagent that fired the event.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_type: Option<String>,
    /// The agent that `steersman agent run` had started the host as.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub running_agent: Option<String>,
    /// The name of the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The host's id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_use_id: Option<String>,
    /// The tool's input, without secrets and with long strings cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<Value>,
    /// Whether `input` is incomplete.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub input_cut: bool,
    /// The key of [`crate::allowance`]; only for a call that was denied or asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_hash: Option<String>,
    /// One entry per module that ran, in order.
    pub modules: Vec<ModuleReport>,
    /// The complete input that replaced the tool's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rewrite: Option<Value>,
    /// The ids stamped on the call.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub stamps: Map<String, Value>,
    /// The keys of the texts for the model.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<String>,
    /// The warnings for the user.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The parts of modules' answers that were ignored.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<String>,
    /// The parts of the verdict that the host cannot carry out at this event.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<String>,
    /// The registration that announced the event, where the event itself does not tell a repetition from a second one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub registration: Option<String>,
    /// The length of the host's transcript, where only it tells two events apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transcript_length: Option<u64>,
    /// The automations that started the host, outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub automations: Vec<String>,
    /// The duration of the run, in microseconds.
    pub us: u64,
    /// The patch to the state. Last, because `fold` looks for it there.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub patch: Map<String, Value>,
}

/// The answer of one module.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ModuleReport {
    /// The module's name.
    pub name: String,
    /// How long it took, in microseconds.
    pub us: u64,
    /// Its own decision.
    pub decision: RecordedDecision,
    /// The reason of its decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Its own numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metrics: Option<Value>,
}

impl RunRecord {
    /// The type of the lines that end a run.
    pub const KIND: &'static str = LineKind::HookRun.name();

    /// Reads the record from its line. Returns `None` for a line of another type.
    pub fn of(line: &EventRecord) -> Option<Self> {
        (line.kind == Self::KIND).then(|| Self::deserialize(&line.data).ok()).flatten()
    }

    /// Reads the record from the text of a journal line, with the time of the line. Returns `None` for a line of another
    /// type, and for one that a module emitted: a module may emit an event that looks like the record of a run.
    pub(crate) fn of_line(line: &str) -> Option<(u64, Self)> {
        // Rejects most lines without parsing them.
        if !line.contains("\"type\":\"HOOK_RUN\"") {
            return None;
        }
        let line: EventRecord = serde_json::from_str(line).ok()?;
        let is_ours = line.module.is_none();
        is_ours.then(|| Self::of(&line)).flatten().map(|record| (line.ts, record))
    }

    /// Returns a test of journal lines: whether a line's data begins with this call key, which only the record of a run
    /// does. The data starts at the first brace within the line: before it there are only our own names and numbers.
    pub(crate) fn begins_with_key(key: &str) -> impl Fn(&str) -> bool + use<> {
        let start = format!("\"callKey\":\"{key}\"");
        move |line| {
            let inner = line.strip_prefix('{').and_then(|line| line.split_once('{'));
            inner.is_some_and(|(before, data)| before.ends_with("\"data\":") && data.starts_with(&start))
        }
    }

    /// Returns the decision with its reason.
    pub(crate) fn verdict(&self) -> Decision {
        self.decision.with_reason(self.reason.clone().unwrap_or_default())
    }

    /// Returns whether it is the record of this event.
    pub fn is_of(&self, event: EventName) -> bool {
        self.event == event.as_str()
    }

    /// Returns the event to append to the journal.
    pub fn to_event(&self) -> Emitted {
        // Strings, numbers, arrays and JSON always serialize.
        Emitted { kind: Self::KIND.into(), data: serde_json::to_value(self).unwrap_or_default() }
    }

    /// Returns the host and how it spells the event.
    pub fn target(&self) -> Option<ReplyTarget> {
        let host = Host::from_name(&self.host)?;
        ReplyTarget::spelled(host, self.host_event.as_deref().unwrap_or(&self.event))
    }

    /// Returns why steersman approved the call in place of the user; `None` if it did not.
    pub fn approval_basis(&self) -> Option<String> {
        let is_approved =
            self.decision == RecordedDecision::Allow && self.module.as_deref() == Some("approve");
        let report = self.modules.iter().rev().find(|module| is_approved && module.name == "approve")?;
        report.metrics.as_ref()?.get("basis")?.as_str().map(str::to_owned)
    }

    /// Returns whether a module asked, regardless of the final decision.
    pub fn was_ask(&self) -> bool {
        let asked = self.modules.iter().any(|module| module.decision == RecordedDecision::Ask);
        self.decision == RecordedDecision::Ask
            || (self.decision == RecordedDecision::Deny && asked && !self.a_module_denied())
    }

    /// Returns whether an ask became a denial because the host cannot ask.
    pub fn was_hardened(&self) -> bool {
        self.decision == RecordedDecision::Deny && self.was_ask()
    }

    /// Returns whether a user had permitted exactly this call.
    pub fn was_permitted(&self) -> bool {
        self.warnings.iter().any(|warning| warning == PERMITTED)
    }

    fn a_module_denied(&self) -> bool {
        self.modules.iter().any(|module| module.decision == RecordedDecision::Deny)
    }
}

/// The `data` of the line that the watchdog writes when it ends a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CutShortRecord<'a> {
    /// The event, in the contract's spelling.
    pub event: Cow<'a, str>,
    /// The budget of the run.
    pub budget_ms: u64,
    /// `watchdog`. A `BUDGET_EXCEEDED` line of a module that took too long lacks it.
    pub by: Cow<'a, str>,
    /// An ask or a deny that the run had decided by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<RecordedDecision>,
    /// The reason of that decision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Cow<'a, str>>,
    /// The module that decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub module: Option<Cow<'a, str>>,
}

/// The watchdog's line, split where the kind belongs: only its signal handler knows which of the two it is.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct CutShortLine {
    /// The line up to its kind.
    pub before: String,
    /// The rest of the line, with its line break.
    pub after: String,
}

impl CutShortRecord<'_> {
    const BY: &'static str = "watchdog";

    /// Reads the record from its line. Returns `None` for a line that the watchdog did not write.
    pub fn of(line: &EventRecord) -> Option<Self> {
        let kind = LineKind::parse(&line.kind)?;
        let may_be = matches!(kind, LineKind::BudgetExceeded | LineKind::ErrorCrash);
        let record = may_be.then(|| Self::deserialize(Value::Object(line.data.clone())).ok()).flatten()?;
        (record.by == Self::BY).then_some(record)
    }
}

impl CutShortLine {
    /// Returns the line of a run. `decided` is its ask or deny and the module that decided, once it has one.
    pub fn new(ids: &Ids, budget_ms: u64, decided: Option<(&Decision, Option<&str>)>) -> Self {
        let reason = decided.and_then(|(decision, _)| decision.reason()).map(Redacted::from_text);
        let module = decided.and_then(|(_, module)| module).map(Redacted::from_text);
        let data = CutShortRecord {
            event: ids.run.event.as_str().into(),
            budget_ms,
            by: CutShortRecord::BY.into(),
            decision: decided.map(|(decision, _)| decision.into()),
            reason: reason.as_ref().map(|reason| reason.as_str().into()),
            module: module.as_ref().map(|module| module.as_str().into()),
        };
        let kind = LineKind::BudgetExceeded.name();
        let line = EventLine::new(ids, Timestamp::from_millis(ids.run.at_ms), kind, None, data);
        // Strings and numbers always serialize, and the kind comes before all data.
        let text = serde_json::to_string(&line).unwrap_or_default();
        match text.split_once(kind) {
            Some((before, after)) => Self { before: before.to_owned(), after: format!("{after}\n") },
            None => Self::default(),
        }
    }
}

/// A line of a journal, parsed only as far as a summary of the session needs it.
///
/// WHY not [`EventRecord`]: a long session has a hundred thousand lines, and a summary reads few fields of few of
/// them.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LineView<'a> {
    /// When, in milliseconds since 1970.
    pub ts: u64,
    /// The type of the line.
    #[serde(rename = "type", borrow)]
    pub kind: Cow<'a, str>,
    /// The piece of work.
    #[serde(borrow)]
    pub work_id: Cow<'a, str>,
    /// The turn.
    pub turn_id: u64,
    /// The module that emitted the line; `None` for the dispatcher.
    #[serde(default)]
    pub module: Option<String>,
    /// The data of the line.
    #[serde(default, borrow)]
    pub data: LineDataView<'a>,
}

/// The fields that a summary reads; each type of line has some of them.
#[expect(missing_docs, reason = "the records and `docs/journal.md` describe the fields")]
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LineDataView<'a> {
    #[serde(borrow)]
    pub tool: Cow<'a, str>,
    pub tool_use_id: Option<String>,
    #[serde(borrow)]
    pub touches: Vec<TouchView<'a>>,
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
pub struct TouchView<'a> {
    /// The path as the call names it.
    #[serde(borrow)]
    pub path: Cow<'a, str>,
    /// The contract's word for the access.
    #[serde(borrow)]
    pub access: Cow<'a, str>,
}

impl RunRecord {
    /// Returns whether the text of a `HOOK_RUN` line is about a subagent's start or a call that a user permitted,
    /// without parsing it.
    pub fn is_of_subagent_start_or_permission(line: &str) -> bool {
        let start = &line[..line.floor_char_boundary(512)];
        start.contains("\"event\":\"SubagentStart\"") || line.contains(PERMITTED)
    }
}

#[cfg(test)]
mod tests {
    use event::{AgentId, EventName, RunId, SessionId, WorkId};

    use super::*;

    const IDS: Ids = Ids {
        session: SessionId::from_hash([0xa3, 0xf0, 0xc8, 0x12]),
        work: WorkId::FIRST,
        agent: AgentId::MAIN,
        turn: 3,
        run: RunId { event: EventName::PreToolUse, turn: 3, at_ms: 1_740_700_000_123 },
    };

    /// A record in which every field has a value, so that its line has every key.
    fn complete() -> RunRecord {
        let text = || Some("x".to_owned());
        let object = || Map::from_iter([("x".to_owned(), Value::from(1))]);
        RunRecord {
            call_key: text(),
            host: "raw".to_owned(),
            event: EventName::SubagentStart.as_str().to_owned(),
            host_event: text(),
            decision: RecordedDecision::Deny,
            reason: text(),
            module: text(),
            cwd: text(),
            agent_type: text(),
            running_agent: text(),
            tool: text(),
            tool_use_id: text(),
            input: Some(Value::Object(object())),
            input_cut: true,
            input_hash: text(),
            modules: vec![ModuleReport::default()],
            rewrite: Some(Value::Object(object())),
            stamps: object(),
            context: vec!["x".to_owned()],
            warnings: vec!["x".to_owned()],
            ignored: vec!["x".to_owned()],
            dropped: vec!["x".to_owned()],
            registration: text(),
            transcript_length: Some(1),
            automations: vec!["x".to_owned()],
            us: 1,
            patch: Map::from_iter([("core".to_owned(), Value::Object(object()))]),
        }
    }

    #[test]
    fn readers_find_the_keys_of_a_line_without_parsing_it() {
        let record = complete();
        let line = EventLine::new(&IDS, Timestamp::from_millis(1), RunRecord::KIND, None, &record);
        let line = serde_json::to_string(&line).unwrap();
        assert!(RunRecord::begins_with_key("x")(&line), "`callKey` must be the first key: {line}");
        assert!(
            RunRecord::is_of_subagent_start_or_permission(&line),
            "`event` must stay near the start: {line}"
        );
        assert!(
            line.ends_with(r#""patch":{"core":{"x":1}}}}"#),
            "`fold` takes lines that end with the patch: {line}"
        );
        assert_eq!(RunRecord::of_line(&line), Some((1, record)));
    }

    #[test]
    fn a_line_of_another_build_may_lack_every_key() {
        let line = r#"{"v":1,"ts":1,"type":"HOOK_RUN","hookRunId":"r","sessionId":"s","workId":"w","agentId":"u00","turnId":1,"data":{}}"#;
        assert_eq!(RunRecord::of_line(line), Some((1, RunRecord::default())));
        let Value::Object(written) = serde_json::to_value(RunRecord::default()).unwrap() else { panic!() };
        let always: Vec<&str> = written.keys().map(String::as_str).collect();
        assert_eq!(always, ["host", "event", "decision", "modules", "us"], "omit a key without a value");
    }

    #[test]
    fn the_documentation_describes_every_key() {
        let page = include_str!("../../../docs/journal.md");
        let Value::Object(record) = serde_json::to_value(complete()).unwrap() else { panic!() };
        for key in record.keys() {
            assert!(page.contains(&format!("`{key}`")), "docs/journal.md lacks the key `{key}` of HOOK_RUN");
        }
    }

    fn read(
        kind: LineKind,
        decided: Option<(&Decision, Option<&str>)>,
    ) -> (String, Option<CutShortRecord<'static>>) {
        let CutShortLine { before, after } = CutShortLine::new(&IDS, 300, decided);
        let line = format!("{before}{}{after}", kind.name());
        let record = serde_json::from_str(&line).ok().and_then(|line| CutShortRecord::of(&line));
        (line, record)
    }

    #[test]
    fn the_watchdogs_line_reads_back_as_its_record() {
        let (line, record) = read(LineKind::BudgetExceeded, None);
        let expected = "{\"v\":1,\"ts\":1740700000123,\"type\":\"BUDGET_EXCEEDED\",\
             \"hookRunId\":\"PreToolUse-3-1740700000123\",\"sessionId\":\"a3f0c812\",\"workId\":\"w001\",\
             \"agentId\":\"u00\",\"turnId\":3,\
             \"data\":{\"event\":\"PreToolUse\",\"budgetMs\":300,\"by\":\"watchdog\"}}\n";
        assert_eq!(line, expected);
        let expected = CutShortRecord {
            event: "PreToolUse".into(),
            budget_ms: 300,
            by: "watchdog".into(),
            decision: None,
            reason: None,
            module: None,
        };
        assert_eq!(record, Some(expected.clone()));
        let deny = Decision::Deny { reason: "no \"quotes\"\n".into() };
        let (line, record) = read(LineKind::ErrorCrash, Some((&deny, Some("shell-guard"))));
        assert!(line.contains("\"type\":\"ERROR_CRASH\"") && line.ends_with("}}\n"), "{line}");
        let expected = CutShortRecord {
            decision: Some(RecordedDecision::Deny),
            reason: Some("no \"quotes\"\n".into()),
            module: Some("shell-guard".into()),
            ..expected
        };
        assert_eq!(record, Some(expected));
    }

    #[test]
    fn the_reason_of_the_watchdogs_line_is_redacted() {
        let deny = Decision::Deny { reason: "token ghp_0123456789abcdefghijABCDEFGHIJ012345".into() };
        let (line, _) = read(LineKind::BudgetExceeded, Some((&deny, None)));
        assert!(!line.contains("ghp_0123"), "{line}");
    }
}
