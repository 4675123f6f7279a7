//! What the model is told about its intent when a session or a turn begins.

use event::ContextNote;
use intent::{active_block, choice_block};

use super::NAME;
use super::governance::{Active, Governance};
use crate::Action;

/// Returns the block for the intent in force, or for those that can be selected.
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

/// The person has to mend the file, the model has to know why it cannot write.
fn broken(error: &str, warnings: &mut Vec<String>) -> String {
    warnings.push(error.to_owned());
    format!("{error}\nEvery write is blocked until a person has mended the file.")
}
