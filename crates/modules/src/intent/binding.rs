//! Binds the intent that an agent selects to its session: the MCP server that answers the call does not know the
//! session.

use event::{ContextNote, Outcome};
use intent::journal::{DenialKind, Denied};
use intent::{Intent, IntentId};

use super::governance::Governance;
use super::{NAME, emitted, work};
use crate::Action;

/// Judges a selection: denies an intent that cannot be selected.
pub(super) fn announced(rules: &Governance<'_>, id: Option<&str>) -> Action {
    // Without an id the tool itself reports the missing argument.
    let Some(id) = id else { return Action::default() };
    match selectable(rules, id) {
        Ok(_) => Action::default(),
        Err(why) => {
            let denied = Denied {
                intent_id: IntentId::parse(id).ok(),
                why: DenialKind::NotSelectable,
                files: Vec::new(),
                observed: false,
            };
            Action { emit_events: vec![emitted(&denied)], ..Action::deny(why) }
        }
    }
}

/// Binds the selected intent; it is in force from the next call on.
pub(super) fn ended(rules: &Governance<'_>, id: Option<&str>, outcome: &Outcome) -> Action {
    let (Some(id), Outcome::Done { .. }) = (id, outcome) else { return Action::default() };
    match selectable(rules, id) {
        Ok(intent) => {
            // An unreadable default counts as missing.
            let before = rules.selected().ok().flatten();
            work::bind(rules.context, &intent.id, before)
        }
        Err(why) => {
            let note = ContextNote { key: NAME.into(), value: format!("Not selected: {why}") };
            Action { additional_context: vec![note], ..Action::default() }
        }
    }
}

fn selectable(rules: &Governance<'_>, id: &str) -> Result<Box<Intent>, String> {
    let hint = "hint: call list_intents to list the available intents";
    let id = IntentId::parse(id).map_err(|error| format!("{error}\n{hint}"))?;
    match rules.selectable(&id) {
        Ok(Ok(intent)) => Ok(intent),
        Ok(Err(why)) => Err(format!("{why}\n{hint}")),
        Err(error) => Err(error.to_string()),
    }
}
