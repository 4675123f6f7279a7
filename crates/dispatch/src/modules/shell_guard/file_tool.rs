//! A tool about to change a file without a shell.

use event::{Access, Decision, ToolCall};
use shell::guard::{self, Change, Level, Policy, Rule};

use crate::Context;

/// Judges the paths a call changes by the rules about what a command may write. The strictest counts.
pub(super) fn judge(context: &Context<'_>, call: &ToolCall, policy: &Policy) -> (Decision, Vec<String>) {
    let root = context.workspace.root();
    let folder = context.event.cwd.as_ref().map_or_else(|| root.clone(), |cwd| root.join(cwd));
    let home = context.home.and_then(|home| home.as_path().to_str());
    let (mut decision, mut warnings) = (Decision::Abstain, Vec::new());
    for touch in &call.touches {
        let change = match touch.access {
            Access::Read => continue,
            Access::Write | Access::CreateDir => Change::Write,
            Access::Delete => Change::Remove,
        };
        let path = folder.join(&touch.path).to_string();
        let Some((rule, level)) = guard::of_file(&path, change, &root.to_string(), home, policy) else {
            continue;
        };
        let reason = sentence(rule, &touch.path);
        match (level, &decision) {
            (Level::Deny, _) => return (Decision::Deny { reason }, warnings),
            (Level::Ask, Decision::Abstain) => decision = Decision::Ask { reason },
            (Level::Warn, _) => warnings.push(reason),
            (Level::Ask | Level::Off, _) => {}
        }
    }
    (decision, warnings)
}

fn sentence(rule: &Rule, path: &str) -> String {
    let why = rule.why.trim_end_matches(['.', ':']);
    format!("{why}: `{path}` (rule `{}`). Instead: {}", rule.id, rule.hint)
}
