//! Programs that a shell would find in the workspace, where an agent may have left them under the name of a harmless one.

use std::path::PathBuf;

use event::CommandLine;
use modules::Context;
use modules::call_folder::followed;

/// Returns whether the shell finds a program of a line in the workspace, or relative to a folder.
pub(super) fn is_in(context: &Context<'_>, line: &CommandLine, folders: fn() -> Vec<PathBuf>) -> bool {
    let root = context.workspace.root().as_path();
    let reading = context.reading(line);
    let names = || {
        reading
            .commands
            .iter()
            .flat_map(|command| command.via.iter().map(String::as_str).chain([command.program.as_str()]))
    };
    let mut found: Vec<&str> = Vec::new();
    for folder in folders() {
        // A relative folder is another one after `cd`.
        if folder.is_relative() {
            return names().any(|name| !found.contains(&name));
        }
        let is_doubtful = followed(&folder).starts_with(root);
        for name in names() {
            if found.contains(&name) || !folder.join(name).is_file() {
                continue;
            }
            if is_doubtful {
                return true;
            }
            found.push(name);
        }
    }
    false
}
