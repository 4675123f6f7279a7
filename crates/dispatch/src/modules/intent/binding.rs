//! The agent selects an intent: the call of our own tool passes through here, and here it is bound
//! to the session. The server that answers the call does not know whose it is.

use event::{ContextNote, Outcome};
use intent::journal::{DenialKind, Denied};
use intent::{Intent, IntentId};

use super::governance::Governance;
use super::{NAME, emitted, work};
use crate::Action;

/// The call is about to run: one that selects what cannot be selected is refused.
pub(super) fn announced(rules: &Governance<'_>, id: Option<&str>) -> Action {
    // Without an id the tool itself says what is missing.
    let Some(id) = id else { return Action::default() };
    match selectable(rules, id) {
        Ok(_) => Action::default(),
        Err(why) => {
            let denied = Denied {
                intent_id: IntentId::parse(id).ok(),
                why: DenialKind::NotSelectable,
                files: Vec::new(),
            };
            Action { emit_events: vec![emitted(&denied)], ..Action::deny(why) }
        }
    }
}

/// The call ended: what it selected is in force from the next call on.
pub(super) fn ended(rules: &Governance<'_>, id: Option<&str>, outcome: &Outcome) -> Action {
    let (Some(id), Outcome::Done { .. }) = (id, outcome) else { return Action::default() };
    match selectable(rules, id) {
        Ok(intent) => {
            // A default that cannot be read is none.
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
    let hint = "hint: call list_intents for those that can be selected";
    let id = IntentId::parse(id).map_err(|error| format!("{error}\n{hint}"))?;
    match rules.selectable(&id) {
        Ok(Ok(intent)) => Ok(intent),
        Ok(Err(why)) => Err(format!("{why}\n{hint}")),
        Err(error) => Err(error.to_string()),
    }
}
