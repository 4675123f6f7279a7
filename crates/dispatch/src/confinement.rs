//! The confinement of a session's shell calls: announces which calls run confined, and checks that they did.
//!
//! A call whose writes are not known for certain is recorded in the user's state folder before it runs. The program in
//! front of the host's shell (`steersman-shell`) finds the record, confines itself to the recorded scope, says so in
//! the record, and becomes the shell. After the call the record proves that it arrived.
//!
//! WHY no module: where confinement is off, which is nearly everywhere, an event must not pay for it.
//!
//! INVARIANT: judging only reads. [`Confinement::carry_out`] writes, when the verdict is final.

mod announcement;
mod arrival;
mod git_tree;
mod refused_writes;
mod rewritten_command;
mod sealing;
mod unsuited;

use std::io;
use std::time::Duration;

use event::{Decision, Detail};
use host::Host;
use modules::{Action, Context};
use session::Emitted;
use session::shell_call::ShellCall;
use store::{ShellCallFolder, StoredCall};

pub(crate) use self::rewritten_command::restore;
use crate::LaunchContext;
use crate::merged_verdict::MergedVerdict;
use crate::pipeline::{Report, StepResult};
use project_config::{ConfineMode, ConfineSettings};

/// The name under which records and warnings appear.
pub(crate) const NAME: &str = ConfineSettings::SECTION;

/// Whether steersman is in front of a host's shell, as the environment of the hook tells.
pub type ShellEntryCheck = fn(Host) -> bool;

/// The result of looking at an event.
#[derive(Debug, Default)]
pub(crate) struct Confinement {
    /// For the verdict and the journal.
    action: Action,
    /// The call to announce.
    announce: Option<ShellCall>,
    /// A call that runs as it is, but may run sealed in exchange for a prompt.
    offer: Option<ShellCall>,
    /// The records that are done with.
    remove: Vec<StoredCall>,
    /// The records of calls that ended before their shell started.
    end: Vec<StoredCall>,
}

/// Judges the confinement of an event. Returns `None` if there is nothing to do, at no cost where confinement is off.
pub(crate) fn judge(context: &Context<'_>, launch: &LaunchContext) -> Option<Confinement> {
    let section = context.config.section(NAME);
    let has_default = context.intents_file.is_some() && context.host.why_unconfined().is_none();
    if section.is_null() && !has_default {
        return None;
    }
    judge_switched_on(context, launch)
}

/// WHY not inlined: every run would pay for the stack frame.
#[inline(never)]
fn judge_switched_on(context: &Context<'_>, launch: &LaunchContext) -> Option<Confinement> {
    let (settings, complaint) = match context.config.typed::<ConfineSettings>(NAME) {
        Ok(settings) => (settings, None),
        // A mistake in the settings must not switch confinement off.
        Err(error) => {
            let mode = Some(ConfineMode::Unproven);
            let settings = ConfineSettings { mode, ..ConfineSettings::default() };
            (settings, Some(format!("`{NAME}` in config.json is ignored: {error}")))
        }
    };
    let has_intents = context.intents_file.is_some() && !modules::IntentSettings::observes(context.config);
    let mode = settings.mode_on(context.host, has_intents);
    let mut found = Confinement::default();
    found.action.warnings.extend(complaint);
    if mode != ConfineMode::Off {
        arrival::settle(context, &mut found);
        if let Detail::PreToolUse { call } = &context.event.detail {
            announcement::judge(context, call, mode, has_intents, launch, &mut found);
        }
    }
    (!found.is_nothing()).then_some(found)
}

impl Confinement {
    fn is_nothing(&self) -> bool {
        self.action == Action::default()
            && self.announce.is_none()
            && self.offer.is_none()
            && self.remove.is_empty()
            && self.end.is_empty()
    }

    /// Returns whether the call to announce can run sealed.
    pub(crate) fn can_seal(&self, context: &Context<'_>) -> bool {
        let call = self.announce.as_ref().or(self.offer.as_ref());
        call.is_some_and(|call| sealing::is_possible(context, call))
    }

    /// Has the call run sealed, or not at all.
    pub(crate) fn seal(&mut self) {
        self.announce = self.announce.take().or_else(|| self.offer.take());
        if let Some(call) = &mut self.announce {
            (call.sealed, call.required) = (true, true);
        }
    }

    /// Takes the report for the verdict. Returns `None` if there is nothing to say.
    pub(crate) fn take_report(&mut self) -> Option<Report> {
        let action = std::mem::take(&mut self.action);
        (action != Action::default()).then(|| Report {
            module: NAME.to_owned(),
            took: Duration::ZERO,
            result: StepResult::Acted(Box::new(action)),
        })
    }

    /// Changes the records, and puts the command that confines a call into the verdict where the host needs one. Returns
    /// why a call that is to run confined could not be announced.
    pub(crate) fn carry_out(self, context: &Context<'_>, merged: &mut MergedVerdict) -> io::Result<()> {
        for stored in &self.remove {
            stored.remove();
        }
        for stored in &self.end {
            // It was claimed in the meantime.
            let _ = stored.end();
        }
        let Some(folder) = folder(context) else { return Ok(()) };
        if let Some(call) = self.announce.filter(|_| !merged.verdict.decision.is_deny()) {
            return match call.rewritten.clone() {
                None => call.announce(&folder),
                Some(rewritten) => announce_rewritten(context, &call, rewritten, &folder, merged),
            };
        }
        if matches!(context.event.detail, Detail::Stop { .. }) {
            folder.remove_if_empty();
        }
        Ok(())
    }
}

/// Announces a call and replaces its command in the verdict.
///
/// WHY only without a decision: with an allow the host checks no rule, and after an ask it runs the original. If a
/// module has replaced the command, that one was not checked against the user's rules.
fn announce_rewritten(
    context: &Context<'_>,
    call: &ShellCall,
    rewritten: String,
    folder: &ShellCallFolder,
    merged: &mut MergedVerdict,
) -> io::Result<()> {
    let Some(of_host) = context.event.call() else { return Ok(()) };
    let (Some(key), Some(input)) = (rewritten_command::key_of(of_host), of_host.input.as_object()) else {
        return Ok(());
    };
    let mut input = merged.verdict.rewrite.clone().unwrap_or_else(|| input.clone());
    let is_original = input.get(key).and_then(serde_json::Value::as_str) == Some(call.command.as_str());
    if merged.verdict.decision != Decision::Abstain || !is_original {
        return Ok(());
    }
    call.announce(folder)?;
    input.insert(key.to_owned(), rewritten.into());
    merged.verdict.rewrite = Some(input);
    Ok(())
}

/// Returns the folder of the session's records. Returns `None` without a state folder or a session id.
fn folder(context: &Context<'_>) -> Option<ShellCallFolder> {
    let session = context.event.session.as_deref().filter(|id| !id.is_empty())?;
    Some(ShellCallFolder::of(context.user_state?, context.host.name(), session))
}

/// Returns a line for the journal.
fn emitted(kind: event::LineKind, data: serde_json::Value) -> Emitted {
    Emitted { kind: kind.name().into(), data }
}
