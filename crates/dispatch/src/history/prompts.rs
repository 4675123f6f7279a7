//! What was kept of the prompts of a session.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;

use event::TurnId;
use store::SessionDir;

use super::each_line;
use crate::PromptRecord;

/// Returns the prompts by the turn they began.
pub fn prompts(session: &SessionDir) -> io::Result<BTreeMap<TurnId, PromptRecord>> {
    let mut prompts = BTreeMap::new();
    each_line(&session.prompts_file(), |line| {
        if let Ok(prompt) = serde_json::from_str::<PromptRecord>(line) {
            prompts.insert(prompt.turn_id, prompt);
        }
        ControlFlow::<()>::Continue(())
    })?;
    Ok(prompts)
}
