//! Judges an agent's use of `steersman plan`: an agent may complete a node, but not permit a forbidden one.

use event::Decision;
use plan::{NodeStatus, PlanProgress};
use shell::{Reading, Simple};

/// Judges a command line that only uses `steersman plan`. Returns `None` if it does something else, too, unless it uses
/// a form that is denied anyway.
pub(super) fn judge(reading: &Reading, progress: &PlanProgress) -> Option<Decision> {
    let about_plan = |command: &&Simple| words(command).is_some();
    if !reading.commands.iter().any(|command| about_plan(&command)) {
        return None;
    }
    for command in &reading.commands {
        if let Some(reason) = words(command).and_then(|words| refusal(&words, progress)) {
            return Some(Decision::Deny { reason });
        }
    }
    // Another program named `steersman` may do anything: the rest is judged like any command.
    let is_all = reading.commands.iter().all(|command| command.is_itself && about_plan(&command));
    let writes_nothing =
        reading.writes.is_empty() && reading.creates.is_empty() && reading.deletes.is_empty();
    (is_all && writes_nothing).then_some(Decision::Abstain)
}

/// Returns the arguments of `steersman plan`.
fn words(command: &Simple) -> Option<Vec<&str>> {
    let mut words = command.argv.iter().skip(1).map(|word| word.text.as_str());
    (command.program == "steersman" && words.any(|word| word == "plan")).then(|| words.collect())
}

fn refusal(words: &[&str], progress: &PlanProgress) -> Option<String> {
    if words.contains(&"check") && words.contains(&"--yes") {
        return Some(
            "Only a user may pass `--yes`. Instead: run `steersman plan check` without it.".to_owned(),
        );
    }
    let at = words.iter().position(|word| *word == "mark")?;
    let marked = words.get(at + 1..)?;
    // The node may be anywhere among the options: every word that names one counts.
    let shut =
        marked.iter().filter_map(|word| progress.node(word)).find(|node| progress.status(node).is_shut());
    let node = shut?;
    Some(format!(
        "Node `{}` of the plan is {}, and only a user may change that. Instead: ask the user.",
        node.id,
        progress.status(node)
    ))
}

/// Returns the command with which an agent marks a node.
pub(super) fn how_to_mark(session: event::SessionId, node: &str, status: NodeStatus) -> String {
    format!("steersman plan mark {node} {status} --session {session}")
}
