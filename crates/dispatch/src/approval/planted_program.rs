//! Programs that a shell would find in the workspace, where an agent may have left them under the name of a harmless one.

use std::path::PathBuf;

use event::CommandLine;
use modules::Context;
use modules::call_folder::followed;

/// Words that every shell understands itself, without a look into folders.
const OF_SHELL: [&str; 14] = [
    "[", "cd", "command", "echo", "exec", "export", "false", "printf", "pwd", "set", "test", "time", "true",
    "type",
];

/// Returns whether the shell finds a program of a line in the workspace, or relative to a folder.
///
/// WHY a folder is followed only if it has the program: to follow the folders of an ordinary `PATH` takes more system calls
/// than all the rest of an event.
pub(super) fn is_in(context: &Context<'_>, line: &CommandLine, folders: fn() -> Vec<PathBuf>) -> bool {
    let root = context.workspace.root().as_path();
    let reading = context.reading(line);
    let programs = reading
        .commands
        .iter()
        .flat_map(|command| command.via.iter().map(String::as_str).chain([command.program.as_str()]));
    let mut missing: Vec<&str> = programs.filter(|program| !OF_SHELL.contains(program)).collect();
    missing.sort_unstable();
    missing.dedup();
    for folder in folders() {
        if missing.is_empty() {
            return false;
        }
        // A relative folder is another one after `cd`.
        if folder.is_relative() {
            return true;
        }
        let n_missing = missing.len();
        missing.retain(|program| !folder.join(program).is_file());
        if missing.len() < n_missing && followed(&folder).starts_with(root) {
            return true;
        }
    }
    false
}
