//! Words of commands that are text, whatever path they look like: what a search looks for, the code of `jq`, what `echo`
//! prints.

use shell::{Outlet, Simple};

use super::option_list;

/// Programs whose first word is the text that they look for.
const SEARCHES: [&str; 8] = ["ack", "ag", "egrep", "fgrep", "grep", "rg", "zgrep", "jq"];

/// Returns the positions of the words that name no file.
pub(super) fn positions(command: &Simple) -> Vec<usize> {
    let program = command.program.as_str();
    // What goes to another command may become its words.
    if matches!(program, "echo" | "printf") && command.outlet == Outlet::Shown {
        return (1..command.argv.len()).filter(|at| !command.argv[*at].glob).collect();
    }
    if !SEARCHES.contains(&program) {
        return Vec::new();
    }
    let Some(sorted) = option_list::sorted_words(command) else { return Vec::new() };
    let is_pattern = |option: &str| matches!(option, "e" | "--regexp") && program != "jq";
    let mut texts: Vec<&str> =
        sorted.values.iter().filter(|(option, _)| is_pattern(option)).map(|(_, value)| *value).collect();
    let lists_files =
        sorted.options.iter().any(|option| matches!(option.as_str(), "--files" | "--type-list"));
    if texts.is_empty() && !lists_files {
        texts.extend(sorted.operands.first());
    }
    // A file of the same name is another word.
    let position = |text: &&str| {
        command.argv.iter().enumerate().skip(1).find(|(_, word)| word.text == **text && !word.glob)
    };
    texts.iter().filter_map(position).map(|(at, _)| at).collect()
}

/// Returns whether a word of `echo` or `printf` is known but for the exit code of the command before.
pub(super) fn is_exit_code(command: &Simple, word: &str) -> bool {
    matches!(command.program.as_str(), "echo" | "printf") && !word.replace("$?", "").contains(['$', '`'])
}
