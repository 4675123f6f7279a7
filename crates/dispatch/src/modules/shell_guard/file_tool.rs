//! Judges a tool that changes files without a shell.

use event::{AbsPath, Access, Decision, ToolCall};
use shell::guard::{self, Around, Change, Level, Policy, Rule};

use crate::Context;
use crate::call_folder::real_folder;

/// Judges the changed paths of a call by the rules about a command's writes. The strictest counts.
pub(super) fn judge(context: &Context<'_>, call: &ToolCall, policy: &Policy) -> (Decision, Vec<String>) {
    let root = context.workspace.root();
    let folder = context.folder();
    let home = context.home.and_then(|home| home.as_path().to_str());
    let user_state = context.user_state.and_then(|state| state.as_path().to_str());
    let workspace = root.to_string();
    let around = Around { workspace: &workspace, home, user_state };
    let (mut decision, mut warnings) = (Decision::Abstain, Vec::new());
    for touch in &call.touches {
        let change = match touch.access {
            Access::Read => continue,
            Access::Write | Access::CreateDir => Change::Write,
            Access::Delete => Change::Remove,
        };
        let written = folder.join(&touch.path);
        let real = real_folder(root, folder, Some(&touch.path));
        let of = |path: &AbsPath| guard::of_file(&path.to_string(), change, &around, policy);
        // A link must not give access to a path that is denied by its own name.
        let behind_link = if real == written { None } else { of(&real) };
        let found = [of(&written), behind_link].into_iter().flatten().max_by_key(|(_, level)| *level);
        let Some((rule, level)) = found else { continue };
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
