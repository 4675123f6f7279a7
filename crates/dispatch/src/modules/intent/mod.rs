//! `intent`: nothing is written that was not asked for, and everything that is written can be
//! traced.
//!
//! It governs where there is a `.orchestration/active_intents.yaml`. A call that may write is held
//! against the intent in force before it runs (`before`), what its files held is kept until it
//! ends (`outlook`), and then it is told what became of them (`after`, `settling`): lines for the
//! trace, files that changed without having been asked for. What each agent saw of each file is
//! remembered (`seen`), so that none writes over another's work.
//!
//! INVARIANT: judging only looks. Everything that is written is written in `conclude`, when the
//! verdict stands; judging an event again leaves no trace.

mod after;
mod before;
mod binding;
mod briefing;
mod drift;
mod elsewhere;
mod governance;
mod outlook;
mod own_tools;
mod seen;
mod settling;
mod tracing;
mod work;

use event::{Detail, EventName};
use intent::journal::JournalRecord;

use crate::action::Emitted;
use crate::{Action, Concluded, Context, IntentSettings, Module, ModuleFailure, Profile};
use governance::Governance;

/// The module `intent`.
pub struct Intents;

/// The module's name, as the manifest and `config.json` spell it.
pub const NAME: &str = IntentSettings::SECTION;

impl Module for Intents {
    fn profile(&self) -> &Profile {
        &Profile {
            name: NAME,
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
        Ok(match &context.event.detail {
            Detail::PreToolUse { call } => before::judge(context, call),
            Detail::PostToolUse { call, outcome } => after::of_call(context, call, outcome),
            Detail::SessionStart { .. } => Governance::of(context).map_or_else(Action::default, briefing::of),
            Detail::UserPromptSubmit { .. } => match Governance::of(context) {
                None => Action::default(),
                Some(rules) => {
                    // A turn that was interrupted has no end of its own.
                    let leftovers = after::of_turn(&rules);
                    Action { memo: leftovers.memo, emit_events: leftovers.emit_events, ..briefing::of(rules) }
                }
            },
            Detail::Stop { .. } | Detail::SubagentStop { .. } => {
                Governance::of(context).map_or_else(Action::default, |rules| after::of_turn(&rules))
            }
            Detail::PreCompact { .. } | Detail::SubagentStart => Action::default(),
        })
    }

    fn conclude(&self, context: &Context<'_>, concluded: &Concluded<'_>) -> Action {
        match &context.event.detail {
            Detail::PreToolUse { call } => outlook::keep(context, call, concluded),
            Detail::SessionStart { .. } => tracing::catch_up_all(context),
            _ => tracing::write_down(context, concluded),
        }
    }
}

/// Returns a record for the journal.
fn emitted<R: JournalRecord>(record: &R) -> Emitted {
    Emitted { kind: R::KIND.name().into(), data: record.to_data() }
}
