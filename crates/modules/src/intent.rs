//! `intent`: permits writes only within the scope of an intent, and traces every write.
//!
//! It governs a workspace with `.orchestration/active_intents.yaml`. Before a call runs, the module checks it against the
//! intent in force (`before`) and stores the content of its files (`planned_changes`). When the call has ended, it
//! appends lines to the trace and reports files that changed out of scope (`after`, `settling`). It records which files
//! each agent has seen (`seen`), so that no agent overwrites another's work.
//!
//! INVARIANT: judging only reads. `conclude` writes, when the verdict is final, so judging an event again writes nothing.
//! The trace, the search's records and the end of a pending call are written only once the journal has the report
//! (`committed`); `recover` completes them for a run that was killed in between.

mod after;
mod before;
mod binding;
mod briefing;
mod drift;
mod forged;
mod governance;
mod judging;
mod late_reports;
mod lost_records;
mod other_writers;
mod own_tools;
mod planned_changes;
mod recovery;
mod scan_records;
mod search;
mod seen;
mod settling;
mod staged_changes;
mod tracing;
mod undo;
mod work;

pub use drift::unsearched_note;
pub use governance::worked_intent;

use std::fs::Metadata;

use event::{Detail, Event, EventName};
use intent::journal::JournalRecord;
use intent::{Intent, IntentId};
use project_config::Config;
use session::Emitted;

pub use before::runs_in_hosts_background;
pub use own_tools::is_own_tool;

use crate::{Action, Carryover, Concluded, Context, IntentSettings, Module, ModuleFailure, Profile};
use governance::Governance;

/// The module `intent`.
pub struct Intents;

/// The module's name, as the manifest and `config.json` spell it.
pub const NAME: &str = IntentSettings::SECTION;

/// Returns whether an intent must permit an event: it is a call that may write, and the workspace has intents and
/// enforces them.
pub fn needs_intent(event: &Event, intents_file: Option<&Metadata>, config: &Config) -> bool {
    let Detail::PreToolUse { call } = &event.detail else { return false };
    intents_file.is_some()
        && before::may_write(call)
        && own_tools::of(call).is_none()
        && !IntentSettings::observes(config)
}

impl Module for Intents {
    fn profile(&self) -> &Profile {
        &Profile {
            name: NAME,
            about: "restricts writes to the selected intent's scope",
            supports: &[
                EventName::SessionStart,
                EventName::UserPromptSubmit,
                EventName::PreToolUse,
                EventName::PostToolUse,
                EventName::Stop,
                EventName::SubagentStop,
            ],
            priority: 4,
            hot_path_safe: true,
            critical: true,
            on_by_default: true,
        }
    }

    fn handle(&self, context: &Context<'_>) -> Result<Action, ModuleFailure> {
        let action = match &context.event.detail {
            Detail::PreToolUse { call } => before::judge(context, call),
            Detail::PostToolUse { call, outcome } => after::of_call(context, call, outcome),
            Detail::SessionStart { .. } => Governance::of(context).map_or_else(Action::default, briefing::of),
            Detail::UserPromptSubmit { .. } => match Governance::of(context) {
                None => Action::default(),
                Some(rules) => {
                    // An interrupted turn has no `Stop` event.
                    let mut leftovers = after::of_turn(&rules);
                    if IntentSettings::observes(context.config) {
                        leftovers = without_objection(leftovers);
                    }
                    let late = late_reports::of(context);
                    let briefing = briefing::of(rules);
                    let context = [late, leftovers.additional_context, briefing.additional_context];
                    Action {
                        carryover: leftovers.carryover,
                        emit_events: leftovers.emit_events,
                        additional_context: context.concat(),
                        ..briefing
                    }
                }
            },
            Detail::Stop { .. } | Detail::SubagentStop { .. } => {
                Governance::of(context).map_or_else(Action::default, |rules| after::of_turn(&rules))
            }
            Detail::PreCompact { .. } | Detail::SubagentStart => Action::default(),
        };
        let has_ended = matches!(
            context.event.detail,
            Detail::PostToolUse { .. } | Detail::Stop { .. } | Detail::SubagentStop { .. }
        );
        // A command of the agent may have switched to observing just now.
        let is_own = action.carryover.get::<after::Report>().is_some_and(|report| report.rejected.settings);
        Ok(if has_ended && !is_own && IntentSettings::observes(context.config) {
            without_objection(action)
        } else {
            action
        })
    }

    fn recover(&self, context: &Context<'_>) {
        match &context.event.detail {
            _ if context.intents_file.is_none() => {}
            Detail::SessionStart { .. } => recovery::of_all_sessions(context),
            Detail::PostToolUse { .. }
            | Detail::UserPromptSubmit { .. }
            | Detail::Stop { .. }
            | Detail::SubagentStop { .. } => recovery::of_session(context, context.session),
            Detail::PreToolUse { .. } | Detail::PreCompact { .. } | Detail::SubagentStart => {}
        }
    }

    fn conclude(&self, context: &Context<'_>, concluded: &Concluded<'_>) -> Action {
        match &context.event.detail {
            Detail::PreToolUse { call } => planned_changes::keep(context, call, concluded),
            _ => tracing::stage(context, concluded),
        }
    }

    fn committed(&self, context: &Context<'_>, carryover: &Carryover) -> Vec<Emitted> {
        lost_records::mark_first(context);
        if context.event.call().is_none_or(before::may_write) {
            lost_records::record_length(context);
        }
        match &context.event.detail {
            Detail::PreToolUse { .. } => {
                planned_changes::committed(context, carryover);
                Vec::new()
            }
            _ => tracing::apply(context, carryover),
        }
    }
}

/// Returns the records of an action without its texts for the model: intents only observe.
fn without_objection(action: Action) -> Action {
    Action { decision: event::Decision::Abstain, additional_context: Vec::new(), ..action }
}

/// Returns the intent in force. Returns `None` without one, and if it cannot be read.
pub fn active_intent(context: &Context<'_>) -> Option<IntentId> {
    after::intent_now(&Governance::of(context)?).map(|intent| intent.id)
}

/// Returns an intent in any status.
pub fn intent_named(context: &Context<'_>, id: &str) -> Option<Box<Intent>> {
    Governance::of(context)?.find(&IntentId::parse(id).ok()?).ok().flatten()
}

/// Returns a record for the journal.
fn emitted<R: JournalRecord>(record: &R) -> Emitted {
    Emitted { kind: R::KIND.name().into(), data: record.to_data() }
}
