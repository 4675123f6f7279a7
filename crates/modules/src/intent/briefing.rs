//! The text about the intent for the model, at the start of a session or turn.

use event::ContextNote;
use intent::{active_block, choice_block};

use super::NAME;
use super::governance::{Active, Governance};
use crate::Action;

/// Returns the text about the intent in force, or the list of available ones.
pub(super) fn of(rules: Governance<'_>) -> Action {
    let mut warnings = Vec::new();
    let value = match rules.active() {
        Ok(Active::Intent(intent)) => active_block(&intent),
        Ok(Active::None { why }) => {
            warnings.extend(why);
            match rules.all() {
                Ok(all) => choice_block(&all.summaries()),
                Err(error) => broken(&error.to_string(), &mut warnings),
            }
        }
        Err(error) => broken(&error.to_string(), &mut warnings),
    };
    warnings.extend(rules.complaints);
    Action {
        additional_context: vec![ContextNote { key: NAME.into(), value }],
        warnings,
        ..Action::default()
    }
}

/// Returns the text about a broken intents file.
fn broken(error: &str, warnings: &mut Vec<String>) -> String {
    warnings.push(error.to_owned());
    format!("{error}\nEvery write is denied until the user has fixed the file.")
}
