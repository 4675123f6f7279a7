//! Answers the question whether a call may run that the host is about to ask its user.
//!
//! It is not an event of the contract: steersman has judged the call already, or will, and records it there. Here it only
//! saves the user a prompt, and changes nothing but the journal.

use std::time::Instant;

use event::{Deadline, Decision, LineKind, RunId, TurnId, Verdict};
use host::{PermissionRequest, ReplyTarget};
use modules::Module;
use modules::intent::needs_intent;
use serde_json::json;
use session::{Commit, Emitted, Ids, LOCK_TIMEOUT, LineWriter, OpenSession, recorded_input};
use store::HoldOfAll;
use watchdog::{Alarm, WatchdogAnswer};

use super::ask_run::PersonRuling;
use super::event_run::{EventRun, OpenedWorkspace};
use super::{rules_of, silence_for};
use crate::approval::{self, Question};
use crate::person_order::PersonOrder;
use crate::{Fault, LaunchContext};

impl<'a> EventRun<'a> {
    /// Opens the session of a call about which the host is about to ask.
    pub(super) fn of_permission(
        launch: &'a LaunchContext,
        modules: &'a [&'a dyn Module],
        target: ReplyTarget,
        request: &'a PermissionRequest,
        opened: OpenedWorkspace,
        started: Instant,
        alarm: Alarm,
    ) -> Self {
        let (host, event) = (target.host(), &request.event);
        let OpenedWorkspace { workspace, mut faults } = opened;
        let (manifest, config) = rules_of(&workspace, &mut faults);
        let deadline = Deadline::after(started, manifest.budgets.of(event.name()));
        let (mut session, session_faults) = OpenSession::open(&workspace, host, event);
        faults.extend(session_faults.into_iter().map(Fault::Session));
        let turn: TurnId = session.state.core.last_turn_id;
        let run = RunId { event: event.name(), turn, at_ms: store::now().as_millis() };
        let work = session.state.core.work();
        let agent = session.agent(event, LOCK_TIMEOUT);
        let ids = Ids { session: session.id, work, agent, turn, run };
        // Without the leash's count: the call itself is counted where it is judged.
        let is_held = session.state.core.hold.is_in_force()
            || session.state.core.ended_turn.is_some_and(|ended| turn <= ended)
            || launch.user_state.as_ref().is_some_and(|state| {
                HoldOfAll::load(&workspace, state).is_some()
                    || HoldOfAll::load_one(&workspace, session.id, state).is_some()
            });
        let order = is_held.then_some(PersonOrder::Held { reason: None });
        let intents_file = workspace.intents_file().as_path().symlink_metadata().ok();
        let needs_intent = needs_intent(event, intents_file.as_ref(), &config);
        Self {
            launch,
            modules,
            event,
            host,
            target,
            alarm,
            workspace,
            manifest,
            config,
            session,
            deadline,
            ids,
            repeated_prompt: None,
            continues_turn: false,
            intents_file,
            needs_intent,
            order,
            question: Question::Prompt { is_merely_unlisted: request.is_merely_unlisted },
            faults,
        }
    }

    /// Answers with an allow if the call is approved, else with silence: then the host asks.
    pub(super) fn answer_permission(mut self, reply: &mut dyn FnMut(&str)) {
        let silence = WatchdogAnswer { answer: silence_for(Some(self.host)), ..WatchdogAnswer::default() };
        self.alarm.set(self.deadline.left(Instant::now()), silence);
        let tail = self.session.tail.take();
        let mut context = self.context(tail);
        let judged = self.judge(&context);
        let Some(basis) = judged.approval else {
            let ruling = self.ask_at_prompt(&mut context, &judged.merged.verdict.decision);
            let decision = ruling.map_or(Decision::Abstain, PersonRuling::decision_at_prompt);
            let verdict = Verdict { decision, ..Verdict::silence() };
            reply(&host::render(&self.target, &verdict).stdout);
            return self.alarm.leave();
        };
        let verdict = Verdict { decision: Decision::Allow, ..Verdict::silence() };
        let writer = LineWriter { ids: self.ids, ts: store::now() };
        let mut commit = Commit::default();
        let call = self.event.call();
        let data = json!({
            "hostEvent": self.target.spelling(),
            "tool": call.map(|call| recorded_input::short(&call.name).into_owned()),
            "basis": basis.as_str(),
            "input": call.map(|call| recorded_input::of(&call.input).value),
        });
        let line = Emitted { kind: LineKind::Approved.name().into(), data };
        writer.push_event(&mut commit.events, Some(approval::NAME), line);
        reply(&host::render(&self.target, &verdict).stdout);
        // The answer is out: a busy journal delays only this process.
        if let session::Committed::Busy = commit.write(&self.session, LOCK_TIMEOUT) {
            commit.write_unlocked(&self.session);
        }
        self.alarm.leave();
    }
}
