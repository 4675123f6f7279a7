//! An agent that uses `steersman plan`: what is done it may say, what is forbidden is a person's.

use event::Decision;
use shell::{Reading, Simple};

use crate::plan::{NodeStatus, Standing};

/// Judges a command line that is all about the plan; nothing if it does something else too. What
/// it must not say is refused whatever else it does.
pub(super) fn judge(reading: &Reading, standing: &Standing) -> Option<Decision> {
    let about_plan = |command: &&Simple| words(command).is_some();
    if !reading.commands.iter().any(|command| about_plan(&command)) {
        return None;
    }
    for command in &reading.commands {
        if let Some(reason) = words(command).and_then(|words| refusal(&words, standing)) {
            return Some(Decision::Deny { reason });
        }
    }
    // Another file named `steersman` may do anything: what it must not say is refused above, the rest is judged.
    let is_all = reading.commands.iter().all(|command| command.is_itself && about_plan(&command));
    let writes_nothing =
        reading.writes.is_empty() && reading.creates.is_empty() && reading.deletes.is_empty();
    (is_all && writes_nothing).then_some(Decision::Abstain)
}

/// Returns what follows `steersman plan`.
fn words(command: &Simple) -> Option<Vec<&str>> {
    let mut words = command.argv.iter().skip(1).map(|word| word.text.as_str());
    (command.program == "steersman" && words.any(|word| word == "plan")).then(|| words.collect())
}

fn refusal(words: &[&str], standing: &Standing) -> Option<String> {
    if words.contains(&"check") && words.contains(&"--yes") {
        return Some(
            "`--yes` is a person's word. Instead: run `steersman plan check` without it.".to_owned(),
        );
    }
    let at = words.iter().position(|word| *word == "mark")?;
    let marked = words.get(at + 1..)?;
    // The node may be anywhere among the options: every word that names one counts.
    let shut =
        marked.iter().filter_map(|word| standing.node(word)).find(|node| standing.status(node).is_shut());
    let node = shut?;
    Some(format!(
        "Node `{}` of the plan is {}, and only a person may change that. Instead: ask the person.",
        node.id,
        standing.status(node)
    ))
}

/// Returns how an agent says that a node is done.
pub(super) fn how_to_mark(session: event::SessionId, node: &str, status: NodeStatus) -> String {
    format!("steersman plan mark {node} {status} --session {session}")
}
