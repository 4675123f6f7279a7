//! Waits for a person's answer to an ask that the host cannot carry out.
//!
//! The session's lock is free meanwhile: the ask and its answer are lines of their own in the journal.

use std::time::{Duration, Instant};

use asks::{Answer, Ask, AskId, Outcome, Permission, Scope, WaitingPlace};
use event::{Deadline, Decision, Detail, EventName, LineKind, ToolCall, ToolKind, Verdict};
use host::{Attendance, Verb};
use modules::Context;
use modules::intent::is_own_tool;
use project_config::{AskSettings, Config, NotifySettings};
use serde_json::{Map, Value, json};
use session::allowance::{PERMITTED, PERMITTED_FOR_SESSION};
use session::{ManualChange, ManualChangeError, OpenSession, recorded_input};
use store::{HoldOfAll, Workspace, fingerprint};
use watchdog::DecidedAnswer;

use super::event_run::EventRun;
use super::open_asks::{self, OpenedAsk};
use crate::decision_fallback::DecisionFallback;
use crate::merged_verdict::MergedVerdict;

/// The name under which the record of a run lists a person's answer.
pub(super) const NAME: &str = AskSettings::SECTION;

/// The timeout that hosts have if the command line names none: the one that `init` registers by default.
pub(super) const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// How long before the host's timeout the hook stops waiting: a host lets the call pass when its hook is late.
pub(super) const MARGIN: Duration = Duration::from_secs(2);

/// How long before the host's timeout the watchdog denies.
pub(super) const WATCHDOG_MARGIN: Duration = Duration::from_secs(1);

/// A person's decision about a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PersonRuling {
    /// The call may run.
    Allowed {
        /// The sentence for the user.
        note: String,
    },
    /// The call must not run.
    Denied {
        /// The sentence for the model.
        reason: String,
    },
    /// No person answered; the sentence for the model.
    Unanswered(String),
}

impl PersonRuling {
    /// Makes the verdict follow the person. A call that may run is left to the host and its user's own rules.
    pub(super) fn apply(self, merged: &mut MergedVerdict) {
        merged.decided_by = Some(NAME.to_owned());
        let verdict = &mut merged.verdict;
        match self {
            Self::Allowed { note } => {
                verdict.decision = Decision::Abstain;
                verdict.warnings.push(note);
            }
            Self::Denied { reason } => {
                verdict.decision = Decision::Deny { reason };
                verdict.rewrite = None;
            }
            Self::Unanswered(why) => {
                if let Decision::Ask { reason } = &mut verdict.decision {
                    *reason = format!("{reason}\n{why}");
                }
            }
        }
    }

    /// Returns the decision at the host's own question. Without an answer the question stays open.
    pub(super) fn decision_at_prompt(self) -> Decision {
        match self {
            Self::Allowed { .. } => Decision::Allow,
            Self::Denied { reason } => Decision::Deny { reason },
            Self::Unanswered(_) => Decision::Abstain,
        }
    }
}

/// Returns the settings of a workspace. A mistake in them switches waiting off; `doctor` reports it.
fn settings(config: &Config) -> AskSettings {
    if config.section(NAME).is_null() {
        return AskSettings::default();
    }
    config.typed(NAME).unwrap_or_default()
}

/// Returns whether hooks wait for a person in a workspace when the host announces its own question.
pub(super) fn waits_at_prompt(workspace: &Workspace, host: host::Host) -> bool {
    host::attendance(host).is_announced() && settings(&Config::load(workspace).unwrap_or_default()).wait > 0
}

impl EventRun<'_> {
    /// Lets a person decide about an ask that no user can answer at the host. Returns `None` if the user can, if no hook
    /// waits in this workspace, or if a person has permitted the call beforehand.
    pub(super) fn ask_person(&self, context: &mut Context<'_>, decision: &Decision) -> Option<PersonRuling> {
        let Decision::Ask { reason } = decision else { return None };
        let Detail::PreToolUse { call } = &self.event.detail else { return None };
        let settings = settings(&self.config);
        if settings.wait == 0 || !self.is_unanswerable() {
            return None;
        }
        let is_permitted = self.session.dir.allowance_file(&session::allowance::key(call));
        if is_permitted.as_path().exists() {
            return None;
        }
        self.wait_for_person(context, call, Some(reason), settings, || {
            let mut verdict = Verdict { decision: decision.clone(), ..Verdict::silence() };
            self.fallback().apply(&mut verdict, || false);
            verdict
        })
    }

    /// Lets a person decide where the host announces its own question.
    pub(super) fn ask_at_prompt(
        &self,
        context: &mut Context<'_>,
        decision: &Decision,
    ) -> Option<PersonRuling> {
        let Detail::PreToolUse { call } = &self.event.detail else { return None };
        let settings = settings(&self.config);
        let waits = settings.wait > 0 && host::attendance(self.host).is_announced();
        if !waits || decision.is_deny() || self.order.is_some() {
            return None;
        }
        self.wait_for_person(context, call, decision.reason(), settings, Verdict::silence)
    }

    /// Ends the asks of this session whose calls have ended, as this event shows: a host may leave a hook running
    /// after its user has cancelled the call.
    pub(super) fn withdraw_asks(&self) {
        let Some(user_state) = &self.launch.user_state else { return };
        if settings(&self.config).wait == 0 {
            return;
        }
        let ended = match self.event.name() {
            EventName::UserPromptSubmit | EventName::Stop | EventName::SessionStart => None,
            EventName::PostToolUse => match self.event.call() {
                Some(call) => Some(self.key_of(call)),
                None => return,
            },
            _ => return,
        };
        let waiting = asks::ids(user_state);
        if waiting.is_empty() {
            return;
        }
        // Only those that the journal names: any program can leave a socket in the folder.
        let agent = self.ids.agent.to_string();
        let is_over = |line: &Value| {
            line["agentId"] == agent && ended.as_ref().is_none_or(|key| line["data"]["key"] == key.as_str())
        };
        let over = open_asks::in_journal(&self.session).into_iter().filter(|line| is_over(line));
        let over = over.filter_map(|line| AskId::parse(line["data"]["ask"].as_str()?));
        let over: Vec<AskId> = over.filter(|id| waiting.contains(id)).collect();
        asks::withdraw(user_state, &over);
    }

    /// Returns the replacement of a decision that the project or the host does not permit.
    pub(super) fn fallback(&self) -> DecisionFallback<'_> {
        DecisionFallback {
            target: &self.target,
            manifest: &self.manifest,
            run: self.ids.run,
            is_own_tool: self.event.call().is_some_and(is_own_tool),
        }
    }

    /// Returns whether no user can answer an ask at the host.
    fn is_unanswerable(&self) -> bool {
        if !host::can(&self.target, Verb::Ask) {
            return true;
        }
        match host::attendance(self.host) {
            Attendance::Terminal { headless } | Attendance::Announced { headless } => {
                asks::is_unattended(headless)
            }
            Attendance::Nowhere | Attendance::Window => false,
        }
    }

    fn wait_for_person(
        &self,
        context: &mut Context<'_>,
        call: &ToolCall,
        reason: Option<&str>,
        settings: AskSettings,
        answer_while_waiting: impl FnOnce() -> Verdict,
    ) -> Option<PersonRuling> {
        let user_state = self.launch.user_state.as_ref()?;
        let key = self.key_of(call);
        match asks::permission(&self.session.dir, user_state, &key) {
            Permission::Granted => {
                return Some(PersonRuling::Allowed { note: PERMITTED_FOR_SESSION.to_owned() });
            }
            Permission::Forged { ask } => self.report_forged(&ask),
            Permission::Missing => {}
        }
        let started = self.deadline.started();
        let timeout = self.launch.timeout.unwrap_or(DEFAULT_TIMEOUT);
        let wanted = Duration::from_secs(settings.wait.min(AskSettings::MAX_WAIT).into());
        let until = started + wanted.min(timeout.saturating_sub(MARGIN));
        let now = Instant::now();
        if until <= now {
            return None;
        }
        let ask = self.ask(call, reason, key, until - now);
        // Before a client can answer: the check of who answers needs it.
        self.record_host();
        let repeat_key = self.repeat_key();
        let mut opened = self.open_ask(&ask, repeat_key.as_deref()).ok()?;
        let watchdog_at = (started + timeout.saturating_sub(WATCHDOG_MARGIN)).saturating_duration_since(now);
        let answer = self.line_of(&answer_while_waiting());
        self.alarm.decide(|| DecidedAnswer { answer, line: None });
        self.alarm.set(watchdog_at, self.watchdog_answer());
        let place = WaitingPlace { workspace: &self.workspace, user_state };
        let notify = || {
            if !self.config.section(NotifySettings::SECTION).is_null() {
                (self.launch.notify)(&ask);
            }
        };
        // The host announced this call to another hook, too, which waits for the answer already.
        let mut shared = None;
        while let OpenedAsk::Elsewhere(other) = &opened {
            shared = self.follow(user_state, other, until);
            if shared.is_some() {
                break;
            }
            // That hook has ended without a word.
            self.close(other, "the hook ended");
            opened = self.open_ask(&ask, repeat_key.as_deref()).ok()?;
        }
        let outcome = shared.unwrap_or_else(|| {
            asks::wait(&ask, place, until, notify, |answer, pid| {
                self.note(LineKind::AskAnswered, answer_data(&ask, answer, pid))
                    .map_err(|error| error.to_string())?;
                asks::record_answer(user_state, &ask.id, answer).map_err(|error| error.to_string())
            })
        });
        let ruling = self.ruling(&ask, outcome);
        // The wait does not count as time of this run.
        let used = now.saturating_duration_since(started);
        let resumed = Instant::now();
        context.deadline =
            Deadline::after(resumed.checked_sub(used).unwrap_or(resumed), self.deadline.budget());
        self.alarm.set(context.deadline.left(resumed), self.watchdog_answer());
        Some(ruling)
    }

    fn ruling(&self, ask: &Ask, outcome: std::io::Result<Outcome>) -> PersonRuling {
        let why = match outcome {
            Ok(Outcome::Answered(Answer::Allow { scope })) => {
                if self.is_held_now() {
                    let reason = "A person permitted this call, but holds the session since.".to_owned();
                    return PersonRuling::Denied { reason };
                }
                let how = match scope {
                    Scope::Once => PERMITTED,
                    Scope::Session => PERMITTED_FOR_SESSION,
                };
                return PersonRuling::Allowed { note: how.to_owned() };
            }
            Ok(Outcome::Answered(Answer::Deny { reason })) => {
                let why = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
                let reason = format!(
                    "A person refused this call{why}\nDo not try it again in another form; tell the user what you need it for."
                );
                return PersonRuling::Denied { reason };
            }
            Ok(Outcome::TimedOut) => {
                let seconds = ask.until.saturating_sub(ask.opened).div_ceil(1000);
                format!("No person answered within {seconds} s.")
            }
            Ok(Outcome::Withdrawn) => "The agent program stopped waiting.".to_owned(),
            Err(error) => format!("steersman cannot wait for a person: {error}."),
        };
        self.close(&ask.id, &why);
        PersonRuling::Unanswered(why)
    }

    /// Records that an ask ended without an answer.
    fn close(&self, ask: &AskId, why: &str) {
        let data = json!({"ask": ask, "why": why});
        let _ = self.note(LineKind::AskClosed, data.as_object().cloned().unwrap_or_default());
    }

    /// Returns whether a person has held the session while the hook waited.
    fn is_held_now(&self) -> bool {
        let of_all = self.launch.user_state.as_ref();
        of_all.is_some_and(|state| HoldOfAll::load(&self.workspace, state).is_some())
            || OpenSession::existing(&self.workspace, self.session.id).is_ok_and(|now| {
                let core = &now.state.core;
                (core.hold.is_in_force() && core.hold.calls_left() == 0)
                    || core.ended_turn.is_some_and(|ended| self.ids.turn <= ended)
            })
    }

    fn note(&self, kind: LineKind, data: Map<String, Value>) -> Result<(), ManualChangeError> {
        ManualChange::begin(&self.session)?.note_about(self.ids.agent, NAME, kind, data).map(drop)
    }

    fn ask(&self, call: &ToolCall, reason: Option<&str>, key: String, wait: Duration) -> Ask {
        let opened = store::now().as_millis();
        let (session, run) = (self.session.id.to_string(), self.ids.run.to_string());
        let mut ask = Ask {
            id: AskId::new(&session, &run, opened),
            workspace: self.workspace.root().to_string(),
            session,
            host: self.host.name().to_owned(),
            agent: self.ids.agent.to_string(),
            turn: self.ids.turn,
            run,
            tool: recorded_input::short(&call.name).into_owned(),
            call: in_one_line(call),
            input: recorded_input::of(&call.input).value,
            reason: reason.map(str::to_owned),
            key,
            opened,
            until: opened + u64::try_from(wait.as_millis()).unwrap_or(u64::MAX),
        };
        ask.redact();
        ask
    }

    /// Returns the key of calls that are the same for a person: the agent, the command line with all that changes what it
    /// does, the paths of a file tool, else the whole input.
    fn key_of(&self, call: &ToolCall) -> String {
        let cwd = self.event.cwd.as_deref().unwrap_or_default();
        let mut parts: Vec<String> = vec![self.ids.agent.to_string(), call.name.clone()];
        match (&call.kind, &call.command) {
            (ToolKind::Shell, Some(command)) => {
                let folder = command.cwd.as_deref().unwrap_or_default();
                parts.extend(["command", command.text.trim(), folder, cwd].map(str::to_owned));
                // The environment, the shell, an escape from the sandbox.
                parts.push(host::command_settings(&call.input).to_string());
            }
            (ToolKind::Read | ToolKind::Write | ToolKind::Search, None) if !call.touches.is_empty() => {
                parts.extend(["paths", cwd].map(str::to_owned));
                parts.extend(call.touches.iter().map(|touch| touch.path.clone()));
            }
            _ => parts.extend(["input".to_owned(), call.input.to_string(), cwd.to_owned()]),
        }
        fingerprint(parts.iter().map(String::as_bytes)).short()
    }
}

fn in_one_line(call: &ToolCall) -> String {
    let text = match (&call.command, call.touches.as_slice()) {
        (Some(command), _) => command.text.clone(),
        (None, [touch]) => touch.path.clone(),
        (None, _) => call.input.to_string(),
    };
    let line: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    recorded_input::short(&line.join(" ⏎ ")).into_owned()
}

pub(super) fn ask_data(ask: &Ask) -> Map<String, Value> {
    let data = json!({
        "ask": ask.id,
        "tool": ask.tool,
        "call": ask.call,
        "reason": ask.reason,
        "key": ask.key,
        "until": ask.until,
        "pid": std::process::id(),
    });
    data.as_object().cloned().unwrap_or_default()
}

fn answer_data(ask: &Ask, answer: &Answer, pid: u32) -> Map<String, Value> {
    let reason = match answer {
        Answer::Deny { reason } => reason.as_deref(),
        Answer::Allow { .. } => None,
    };
    let data = json!({
        "ask": ask.id,
        "answer": answer.as_str(),
        "reason": reason,
        "tool": ask.tool,
        "call": ask.call,
        "key": ask.key,
        "pid": pid,
    });
    data.as_object().cloned().unwrap_or_default()
}
