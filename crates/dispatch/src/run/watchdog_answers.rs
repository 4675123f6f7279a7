//! The answers that the watchdog prints if it ends the run.

use event::{EventName, Verdict};
use host::Rendered;
use modules::intent::NAME as INTENT;
use project_config::manifest::OnFault;
use session::CutShortLine;
use watchdog::{DecidedAnswer, WatchdogAnswer};

use super::event_run::EventRun;
use super::{out_of_time, silence_for};
use crate::Fault;
use crate::merged_verdict::MergedVerdict;

impl EventRun<'_> {
    /// Makes the watchdog answer and record this verdict, if it ends the run from now on.
    pub(super) fn set_watchdog_verdict(&self, merged: &MergedVerdict, rendered: &Rendered) {
        self.alarm.decide(|| {
            let decision = &merged.verdict.decision;
            let decided = decision.reason().map(|_| (decision, merged.decided_by.as_deref()));
            DecidedAnswer {
                answer: rendered.stdout.clone() + "\n",
                line: decided.map(|_| CutShortLine::new(&self.ids, self.budget_ms(), decided)),
            }
        });
    }

    /// Returns the watchdog's answer before there is a verdict: no decision, or a deny where a person holds the session
    /// or intents are in force, and a line in the journal.
    pub(super) fn watchdog_answer(&self) -> WatchdogAnswer {
        let denial = self.order.as_ref().and_then(|order| order.denial(self.event.name()));
        if let Some((decision, by)) =
            denial.or_else(|| self.needs_intent.then(|| (out_of_time::unjudged(), INTENT)))
        {
            let line = CutShortLine::new(&self.ids, self.budget_ms(), Some((&decision, Some(by))));
            let verdict = Verdict { decision, ..Verdict::silence() };
            let answer = self.line_of(&verdict);
            return WatchdogAnswer {
                crash_answer: Some(answer.clone()),
                answer: answer.into(),
                line,
                journal: self.session.journal.as_ref().map(store::Journal::handle),
            };
        }
        let denies_on_fault =
            self.manifest.on_fault == OnFault::Deny && self.event.name() == EventName::PreToolUse;
        let crash_answer = denies_on_fault.then(|| {
            let verdict = Fault::Crash.verdict(Some(self.event.name()), &self.manifest);
            self.line_of(&verdict)
        });
        let unsearched = out_of_time::unsearched(self.event).filter(|_| self.is_governed());
        let answer = unsearched.map(|note| {
            let verdict = Verdict { context: vec![note], ..Verdict::silence() };
            self.line_of(&verdict)
        });
        WatchdogAnswer {
            answer: answer.map_or_else(|| silence_for(Some(self.host)), Into::into),
            crash_answer,
            line: CutShortLine::new(&self.ids, self.budget_ms(), None),
            journal: self.session.journal.as_ref().map(store::Journal::handle),
        }
    }

    /// Returns the answer with this verdict, as the line that the watchdog prints.
    pub(super) fn line_of(&self, verdict: &Verdict) -> String {
        host::render(&self.target, verdict).stdout + "\n"
    }
}
