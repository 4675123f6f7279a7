//! The files whose content an agent has seen.

use event::{AbsPath, Access, ToolCall, ToolKind};
use intent::{Reach, Target};
use shell::{Certainty, Site};

use super::governance::Governance;

/// Programs that print their files. An agent need not see the content that other programs read.
const SHOWING: [&str; 12] =
    ["awk", "bat", "cat", "gc", "get-content", "head", "less", "more", "nl", "sed", "tail", "type"];

/// Returns the files of the workspace that a call showed to its agent.
pub(super) fn by(rules: &Governance<'_>, call: &ToolCall) -> Vec<AbsPath> {
    let mut paths: Vec<String> = Vec::new();
    if call.kind != ToolKind::Search {
        let read = call.touches.iter().filter(|touch| touch.access == Access::Read);
        paths.extend(read.map(|touch| touch.path.clone()));
    }
    if let Some(command) = &call.command {
        let reading = rules.context.reading(command);
        let shows = |index: usize| {
            let program = reading.commands.get(index).map(|command| command.program.to_ascii_lowercase());
            program.is_some_and(|program| SHOWING.contains(&program.as_str()))
        };
        let plain = reading.reads.iter().filter(|used| {
            used.site == Site::Local && used.certainty == Certainty::Exact && shows(used.command)
        });
        paths.extend(plain.map(|used| used.path.clone()));
    }
    if paths.is_empty() {
        return Vec::new();
    }
    let (scope, folder) = (rules.scope(), rules.folder());
    let locate = |path: &String| {
        let target = Target::new(path, &folder, Access::Read, Reach::Itself);
        scope.locate(&target).ok().map(|located| located.file)
    };
    paths.iter().filter_map(locate).collect()
}
