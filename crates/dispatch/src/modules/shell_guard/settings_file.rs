//! A tool about to write a file that decides what the agent may do.

use event::{Access, Decision, ToolCall};
use shell::guard::{self, Level, Policy};

use crate::Context;

/// The rule that protects such files in a shell command; here it protects them from every tool.
const RULE: &str = "agent-settings";

/// Judges the paths a call writes.
pub(super) fn judge(context: &Context<'_>, call: &ToolCall, policy: &Policy) -> Decision {
    let root = context.workspace.root();
    let folder = context.event.cwd.as_ref().map_or_else(|| root.clone(), |cwd| root.join(cwd));
    let home = context.home.and_then(|home| home.as_path().to_str());
    let governed = call.touches.iter().filter(|touch| touch.access != Access::Read).find(|touch| {
        let path = folder.join(&touch.path).to_string();
        guard::governs(&path, &root.to_string(), home)
    });
    let (Some(touch), Some(rule)) = (governed, guard::find(RULE)) else { return Decision::Abstain };
    let set = policy.levels.iter().rev().find(|(id, _)| id == RULE).map(|(_, level)| *level);
    let why = rule.why.trim_end_matches(['.', ':']);
    let reason = format!("{why}: `{}` (rule `{RULE}`). Instead: {}", touch.path, rule.hint);
    match set.unwrap_or(rule.level) {
        Level::Deny => Decision::Deny { reason },
        Level::Ask => Decision::Ask { reason },
        Level::Warn | Level::Off => Decision::Abstain,
    }
}
